"""Result files of other tools, read into a Measurement: one module a format."""
