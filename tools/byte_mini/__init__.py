"""Trains byte-mini, the byte-level encoder that comes with shakeproof; not part of the wheel."""
