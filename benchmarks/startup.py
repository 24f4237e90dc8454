"""What the plugin costs where it is not used: pytest with it and without it, in turns."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter

GOAL = 20.0  # milliseconds
ASIDE = ("cacheprovider", "hypothesispytest", "anyio", "xdist", "rerunfailures")  # only noise here
BASE = (sys.executable, "-m", "pytest", "-q", *(f"-pno:{name}" for name in ASIDE))
VARIANTS = {"without": ("-p", "no:shakeproof"), "with": ()}
TEST = "def test_one():\n    assert True\n"


def run(folder: Path, options: tuple[str, ...]) -> tuple[float, float]:
    """Run pytest once, and give the milliseconds of the clock and of the processor."""
    before, start = processor(), perf_counter()
    subprocess.run([*BASE, *options], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return 1000 * (perf_counter() - start), 1000 * (processor() - before)


def processor() -> float:
    """Give the seconds that programs started from here have used so far."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def in_turns(folder: Path, rounds: int) -> dict[str, list[tuple[float, float]]]:
    """Run all variants in every round, each round in the other order; the first does not count."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in VARIANTS}
    for number in range(rounds + 1):
        order = list(VARIANTS) if number % 2 else list(reversed(VARIANTS))
        for name in order:
            times = run(folder, VARIANTS[name])
            if number:
                found[name].append(times)
    return found


def show(found: dict[str, list[tuple[float, float]]]) -> float:
    """Print the times, and give the difference of the least times of the processor.

    The clock of a shared machine says little: what others do is added to it.
    """
    for position, what in enumerate(("clock", "processor")):
        columns = {name: [one[position] for one in times] for name, times in found.items()}
        pairs = zip(columns["with"], columns["without"], strict=True)
        apart = [one - other for one, other in pairs]
        for name, times in columns.items():
            print(
                f"{what:<10} {name:<8} least {min(times):7.1f} ms, median {median(times):7.1f} ms"
            )
        least = min(columns["with"]) - min(columns["without"])
        middle = median(columns["with"]) - median(columns["without"])
        print(
            f"{what:<10} more     least {least:7.1f} ms, median {middle:7.1f} ms, "
            f"median of the pairs {median(apart):.1f} ms"
        )
    used = {name: min(one for _, one in times) for name, times in found.items()}
    return used["with"] - used["without"]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        (place / "test_one.py").write_text(TEST)
        more = show(in_turns(place, rounds))
        stray = sorted(
            one.name for one in place.iterdir() if one.name not in ("test_one.py", "__pycache__")
        )
    print(f"goal: less than {GOAL:.0f} ms more, nothing written; {more:.1f} ms, written: {stray}")
