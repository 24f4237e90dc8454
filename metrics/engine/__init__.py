"""Scoring what is missing, once, and the cache that keeps the scores."""
