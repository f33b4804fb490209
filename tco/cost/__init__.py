"""The economics: pure functions on scalars and arrays alike."""
