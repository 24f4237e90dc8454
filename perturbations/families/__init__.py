"""The families, a module for each group of them."""
