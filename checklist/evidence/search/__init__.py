"""The search for the fewest edits of a text that break a metric."""
