"""Time pytest with and without the plugin, in a folder that has no checklist."""

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
# Other plugins are switched off: their times vary more than what is measured.
OTHER_PLUGINS = ("cacheprovider", "hypothesispytest", "anyio", "xdist", "rerunfailures")
BASE = (sys.executable, "-m", "pytest", "-q", *(f"-pno:{name}" for name in OTHER_PLUGINS))
VARIANTS = {"without": ("-p", "no:shakeproof"), "with": ()}
TEST = "def test_one():\n    assert True\n"


def run(folder: Path, options: tuple[str, ...]) -> tuple[float, float]:
    """Run pytest once; return its wall-clock time and its processor time in milliseconds."""
    before, start = processor_seconds(), perf_counter()
    subprocess.run([*BASE, *options], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return 1000 * (perf_counter() - start), 1000 * (processor_seconds() - before)


def processor_seconds() -> float:
    """Return the processor time that all child processes have used so far."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(folder: Path, rounds: int) -> dict[str, list[tuple[float, float]]]:
    """Run both variants in each round, in alternating order; the first round is a warm-up."""
    measured: dict[str, list[tuple[float, float]]] = {name: [] for name in VARIANTS}
    for number in range(rounds + 1):
        order = list(VARIANTS) if number % 2 else list(reversed(VARIANTS))
        for name in order:
            times = run(folder, VARIANTS[name])
            if number:
                measured[name].append(times)
    return measured


def show(measured: dict[str, list[tuple[float, float]]]) -> float:
    """Print the times; return the difference of the smallest processor times.

    Wall-clock times of a shared machine include what other processes do.
    """
    difference = 0.0
    for position, clock in enumerate(("wall", "processor")):
        columns = {name: [run[position] for run in runs] for name, runs in measured.items()}
        pairs = zip(columns["with"], columns["without"], strict=True)
        pair_differences = [with_plugin - without for with_plugin, without in pairs]
        for name, times in columns.items():
            print(
                f"{clock:<10} {name:<10} min {min(times):7.1f} ms, median {median(times):7.1f} ms"
            )
        difference = min(columns["with"]) - min(columns["without"])
        of_medians = median(columns["with"]) - median(columns["without"])
        print(
            f"{clock:<10} difference min {difference:7.1f} ms, median {of_medians:7.1f} ms, "
            f"median of the rounds {median(pair_differences):.1f} ms"
        )
    return difference


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        (place / "test_one.py").write_text(TEST)
        cost = show(measure(place, rounds))
        expected_files = ("test_one.py", "__pycache__")
        written = sorted(file.name for file in place.iterdir() if file.name not in expected_files)
    print(f"the plugin costs {cost:.1f} ms (goal: below {GOAL:.0f} ms); files written: {written}")
