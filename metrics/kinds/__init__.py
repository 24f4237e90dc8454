"""The other kinds of metrics, a module for each."""
