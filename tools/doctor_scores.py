"""Write the scores that `shakeproof doctor --bench` compares with: on this CPU, in float32.

Run it when the data set `sample`, the weights of byte-mini or the layers that are scored change:

    python tools/doctor_scores.py
"""

from __future__ import annotations

import json
from pathlib import Path

from shakeproof.metrics.models.files import BYTE_MINI, MINILM, library_versions
from shakeproof.runs.device_bench import STORED, stored_scores

FILE = Path(__file__).parents[1] / "checklist" / "samples" / STORED


def main() -> None:
    """Write the file."""
    content = stored_scores([MINILM, BYTE_MINI], library_versions())
    lines = json.dumps(content, indent=1).replace(",\n   ", ",").replace("[\n   ", "[")
    FILE.write_text(lines + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
