"""The workbook of a comparison: formulas from the inputs to the saving, described, then written."""
