"""Addresses within a page that stay the same from run to run."""

from __future__ import annotations

from hashlib import sha256

LENGTH = 10  # hexadecimal digits: two of 10,000 checks meet once in 20,000 runs


def anchor(name: str, kind: str = "check") -> str:
    """Make an HTML id from a name; equal names always give equal ids."""
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{kind}-{digest[:LENGTH]}"
