"""Runs: items evaluated, the run put together, stored, read again and compared."""
