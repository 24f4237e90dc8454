"""Metrics that ask a language model to judge texts."""
