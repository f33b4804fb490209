"""Tunes an engine for a scenario's traffic: one change at a time, each measured."""
