"""The statistics, a module for each kind."""
