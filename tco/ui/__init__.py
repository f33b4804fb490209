"""The what-if page: a scenario's numbers as sliders, and the report's own figures beside them."""
