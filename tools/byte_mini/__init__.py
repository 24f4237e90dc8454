"""Train byte-mini, the byte-level encoder of the shakeproof package; not part of the wheel."""
