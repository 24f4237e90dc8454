"""One number per segment, written compactly: what a comparison of two runs needs."""

from __future__ import annotations

import base64
import zlib

import numpy as np

from shakeproof.stats.observations import Vector


def packed(influence: Vector) -> str:
    """Write one float32 per segment compactly."""
    if not len(influence):
        return ""
    return base64.b64encode(zlib.compress(influence.astype("<f4").tobytes(), 9)).decode()


def unpacked(text: str) -> Vector:
    """Read what `packed` wrote."""
    raw = zlib.decompress(base64.b64decode(text)) if text else b""
    return np.frombuffer(raw, dtype="<f4").astype(float)
