"""Rendering a finished Comparison; nothing here computes a figure."""
