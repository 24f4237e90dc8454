"""The search for texts that break a metric, and for the fewest edits that do."""
