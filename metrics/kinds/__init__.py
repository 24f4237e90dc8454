"""The kinds of metrics other than BERTScore."""
