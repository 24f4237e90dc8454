"""Try to break what shakeproof promises; `make torture` runs everything.

    PYTHONPATH=tools python -m torture --only kills --minutes 2

One line for each campaign; the exit code is 1 if a promise is broken. Not part of the tests: it
takes about half an hour, and only root can mount the small disks that fill up.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path
from random import Random
from time import monotonic

from torture.bombs import bombs
from torture.campaign import Campaign, Setting
from torture.disks import disks
from torture.fuzzers import fuzzers
from torture.hostile_metrics import hostile_metrics
from torture.kills import kills
from torture.no_texts import no_texts
from torture.pages import pages
from torture.processes import processes

# Each campaign, with its share of the minutes; those without end when they have tried everything.
CAMPAIGNS: dict[str, tuple[Campaign, float]] = {
    "kills": (kills, 0.4),
    "processes": (processes, 0.2),
    "fuzzers": (fuzzers, 0.2),
    "metrics": (hostile_metrics, 0),
    "bombs": (bombs, 0),
    "disks": (disks, 0),
    "no-texts": (no_texts, 0),
    "pages": (pages, 0),
}


def main() -> int:
    """Run the campaigns that were asked for."""
    parser = argparse.ArgumentParser(prog="torture", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", action="append", choices=CAMPAIGNS, help="run this campaign only")
    parser.add_argument("--minutes", type=float, default=30, help="the time to take, about")
    parser.add_argument("--seed", type=int, default=0, help="of everything that is random")
    parser.add_argument("--keep", action="store_true", help="keep the folder of the campaigns")
    args = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="shakeproof-torture-"))
    chosen = args.only or list(CAMPAIGNS)
    kept = [name for name in chosen if not _holds(name, folder / name, args.seed, args.minutes)]
    if args.keep or kept:
        print(f"the files are in {folder}")
    else:
        shutil.rmtree(folder)
    return 1 if kept else 0


def _holds(name: str, folder: Path, seed: int, minutes: float) -> bool:
    """Run a campaign, print its line, and return whether no promise was broken."""
    campaign, share = CAMPAIGNS[name]
    folder.mkdir()
    start = monotonic()
    setting = Setting(folder, Random(seed), start + 60 * minutes * share)
    report = campaign(setting)
    state = "BROKEN" if report.broken else "holds"
    print(f"{name:10} {state:7} {report.figure} ({monotonic() - start:.0f} s)", flush=True)
    for line in report.broken[:20]:
        print(f"           {line}", flush=True)
    return not report.broken


if __name__ == "__main__":
    sys.exit(main())
