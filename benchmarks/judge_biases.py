"""Are judges with a planted bias convicted of it, and of nothing else? Over 20 seeds.

    python benchmarks/judge_biases.py [--seeds 20] [--limit SEGMENTS]

Each judge answers the shipped judge-bias.checklist.yaml on `sample`: as numbers, in five grades,
and by comparisons of two candidates. tests/metrics/judges/biased_judges.py says what is planted.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from ruamel.yaml import YAML

import shakeproof
from shakeproof.metrics.registry import METRICS
from shakeproof.results import Outcome, Result

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "metrics" / "judges"))
import biased_judges as planted  # after its folder is on the path

FORMS = {"numbers": 0, "grades": 5}  # how a judge answers, and the number of grades
PAIRS = "pairs"
COLUMNS = ("own fail", "own undecided", "own pass", "other fail", "other undecided", "other pass")


def metrics_for(seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Declare the judges that rate and those that compare, by form and bias."""
    raters = {
        f"{form}, {bias}": {planted.RATES: {"bias": bias, "seed": seed, "grades": grades}}
        for form, grades in FORMS.items()
        for bias in planted.RATING_BIASES
    }
    duels = {
        f"{PAIRS}, {bias}": {planted.COMPARES: {"bias": bias, "seed": seed}}
        for bias in planted.COMPARING_BIASES
    }
    return raters, duels


def results(seed: int, limit: int | None) -> Sequence[Result]:
    """Run the checklist on all judges with one seed."""
    content = planted.checklist_for(*metrics_for(seed), seed=seed)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "planted.checklist.yaml"
        YAML().dump(content, path)
        run = shakeproof.run(path, limit=limit, search=0, texts=False)
    return [result for result in run.results if result.outcome is not Outcome.SKIPPED]


def column_of(result: Result) -> str:
    """Say whether a check is about the planted bias, and how it ended."""
    bias = result.metric.split(", ")[1]
    whose = "own" if result.check in planted.OWN_CHECKS[bias] else "other"
    verdict = {"inconclusive": "undecided"}.get(result.verdict or "error", result.verdict)
    return f"{whose} {verdict}"


def show(counts: dict[str, Counter[str]]) -> Iterable[str]:
    """Write one row for each judge."""
    yield "| judge | " + " | ".join(COLUMNS) + " |"
    yield "| --- |" + " --- |" * len(COLUMNS)
    for metric, columns in counts.items():
        yield f"| {metric} | " + " | ".join(str(columns[column]) for column in COLUMNS) + " |"


def main() -> None:
    """Count verdicts over seeds and print a table of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--limit", type=int, help="segments of the sample; default: all 96")
    args = parser.parse_args()
    METRICS.update(planted.KINDS)
    counts: dict[str, Counter[str]] = {}
    for seed in range(1, args.seeds + 1):
        start = perf_counter()
        for result in results(seed, args.limit):
            counts.setdefault(result.metric, Counter())[column_of(result)] += 1
            if column_of(result) in {"own pass", "own undecided", "other fail"}:
                print(seed, result.metric, result.check, result.family, result.message)
        print(f"seed {seed}: {perf_counter() - start:.0f} s", file=sys.stderr)
    print("\n".join(show(counts)))


if __name__ == "__main__":
    main()
