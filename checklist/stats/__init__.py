"""Numbers about a data set, with intervals and verdicts."""
