"""Geometry of the charts."""
