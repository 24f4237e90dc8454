"""Are judges with a planted bias convicted of it, and of nothing else? Over 20 seeds.

    python benchmarks/judge_biases.py [--seeds 20] [--limit SEGMENTS] [--over-http]

Each judge answers the shipped judge-bias.checklist.yaml on `sample`: as numbers, in five grades,
and by comparisons of two candidates. tests/metrics/judges/biased_judges.py says what is planted.
The judges are functions in this process or, with --over-http, models of a scripted server that
`judge` and `judge-pairs` ask; then there are nine grades, and no numbers.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, TypeAlias

from ruamel.yaml import YAML
from servers import SCRIPTS, serve

import shakeproof
from shakeproof.metrics.registry import METRICS
from shakeproof.results import Outcome, Result, Verdict

sys.path.insert(0, str(SCRIPTS))
import biased_judges as planted  # after their folder is on the path
import biased_server

Metrics: TypeAlias = dict[str, Any]
GRADES, PAIRS = "grades", "pairs"
FORMS = {"numbers": 0, GRADES: 5}  # how a judge answers, and the number of grades
REPEATS = 3  # over HTTP; the functions' own default is the same
COLUMNS = ("own fail", "own undecided", "own pass", "other fail", "other undecided", "other pass")


def functions(seed: int) -> tuple[Metrics, Metrics]:
    """Declare the judges that rate and those that compare, by form and bias, in this process."""
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


def models(url: str) -> tuple[Metrics, Metrics]:
    """Declare the same judges as models of a server."""
    raters = biased_server.raters(url, planted.RATING_BIASES, repeats=REPEATS)
    duels = biased_server.duels(url, planted.COMPARING_BIASES)
    return _named(GRADES, raters), _named(PAIRS, duels)


def _named(form: str, metrics: Metrics) -> Metrics:
    return {f"{form}, {bias}": options for bias, options in metrics.items()}


def results(metrics: tuple[Metrics, Metrics], seed: int, limit: int | None) -> Sequence[Result]:
    """Run the checklist on all judges with one seed."""
    content = planted.checklist_for(*metrics, seed=seed)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "planted.checklist.yaml"
        YAML().dump(content, path)
        run = shakeproof.run(path, limit=limit, search=0, texts=False)
    return [result for result in run.results if result.outcome is not Outcome.SKIPPED]


def column_of(result: Result) -> str:
    """Say whether a check is about the planted bias, and how it ended."""
    bias = result.metric.split(", ")[1]
    if result.verdict is None:
        raise SystemExit(f"{result.metric}, {result.check}: {result.message}")
    whose = "own" if result.check in planted.OWN_CHECKS[bias] else "other"
    verdict = "undecided" if result.verdict is Verdict.INCONCLUSIVE else result.verdict
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
    parser.add_argument("--over-http", action="store_true", help="ask models of a scripted server")
    args = parser.parse_args()
    METRICS.update(planted.KINDS)
    counts: dict[str, Counter[str]] = {}
    for seed in range(1, args.seeds + 1):
        start = perf_counter()
        if args.over_http:
            with serve("biased_server.py", seed) as url:
                found = results(models(url), seed, args.limit)
        else:
            found = results(functions(seed), seed, args.limit)
        for result in found:
            counts.setdefault(result.metric, Counter())[column_of(result)] += 1
            if column_of(result) in {"own pass", "own undecided", "other fail"}:
                print(seed, result.metric, result.check, result.family, result.message)
        print(f"seed {seed}: {perf_counter() - start:.0f} s", file=sys.stderr)
    print("\n".join(show(counts)))


if __name__ == "__main__":
    main()
