"""Searches an engine's settings: which to try next, when to stop, and whether the best is one."""
