"""tco beside other load clients, and against its own budgets."""
