"""Price tables as their publishers write them, each format read to exact USD per million tokens."""
