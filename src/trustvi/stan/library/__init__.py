"""Stan's functions reference: one row of the table for each function."""
