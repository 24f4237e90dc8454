"""Evidence: the texts that broke a metric, token matrices, and the fewest edits that do."""
