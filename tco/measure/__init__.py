"""Observing an engine: start, load, record, and what the record says."""
