"""`shakeproof rank`: metrics by their agreement with people, in clusters of significance."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from shakeproof.cli.common import (
    Commands,
    add_checklist_options,
    add_command,
    open_cache,
    read_plan,
)
from shakeproof.cli.score import stderr_progress
from shakeproof.cli.terminal import complain, say, table
from shakeproof.errors import SpecError

if TYPE_CHECKING:
    from shakeproof.expectations.correlations import Correlational
    from shakeproof.runs.clean_scores import CleanScores
    from shakeproof.stats.ranking import DrawSettings, RankedMetric

EXAMPLE = """\
  shakeproof rank metrics.checklist.yaml --coefficient soft-pairwise --by system"""
HEADER = ("rank", "metric", "agreement", "interval", "significantly better than")
LEVELS = ("candidate", "segment", "system")


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "rank",
        run,
        summary="Rank the metrics of a checklist by their agreement with people on clean texts",
        example=EXAMPLE,
    )
    add_checklist_options(command)
    command.add_argument(
        "--coefficient",
        default="pearson",
        metavar="NAME",
        help="as in a check, such as soft-pairwise or wmt-kendall; default: pearson",
    )
    command.add_argument(
        "--by",
        choices=LEVELS,
        help="compare all candidates (the default), those of each segment, or systems (the default "
        "of soft-pairwise)",
    )
    command.add_argument(
        "--rating-gap",
        type=float,
        metavar="GAP",
        help="wmt-kendall over pairs of candidates whose ratings differ by at least GAP",
    )
    command.add_argument(
        "--significant", type=float, default=0.05, metavar="P", help="default: 0.05, as in WMT"
    )


def run(args: argparse.Namespace) -> int:
    """Score the clean texts, and rank the metrics."""
    from shakeproof.results import ERRORS
    from shakeproof.runs.clean_scores import score_clean
    from shakeproof.runs.evaluate import describe_rating
    from shakeproof.stats.ranking import DrawSettings

    expectation = agreement_of(args)
    plan = read_plan(args)
    with open_cache(args.cache) as cache:
        scores = score_clean(plan, cache, stderr_progress())
    for name, reason in scores.failures.items():
        complain(f"metric {name!r}: {reason}")
    asked = plan.checklist
    settings = DrawSettings(asked.draws, asked.seed, asked.confidence, asked.interval)
    ranked = rank(scores, expectation, settings, args.significant)
    aspect = describe_rating(asked.ratings.single)
    say(f"{expectation.coefficient}{aspect} with people ({expectation.rule})")
    for line in rank_lines(ranked, args.significant):
        say(line)
    return ERRORS if scores.failures else 0


def agreement_of(args: argparse.Namespace) -> Correlational:
    """Return the expectation whose coefficient the options describe."""
    from shakeproof.expectations.correlations import Correlation
    from shakeproof.validation import validate

    by = args.by or ("system" if args.coefficient == "soft-pairwise" else "candidate")
    settings = {"coefficient": args.coefficient, "by": by, "at_least": 0}
    if args.rating_gap is not None:
        settings["rating_gap"] = args.rating_gap
    expectation, problems = validate(Correlation, settings)
    if expectation is None:
        raise SpecError(problems[0].message)
    return expectation


def rank(
    scores: CleanScores, expectation: Correlational, settings: DrawSettings, significant: float
) -> Sequence[RankedMetric]:
    """Rank the metrics on the candidates that all of them scored; SpecError if none can be."""
    from shakeproof.runs.clean_scores import observe_scored_by_all
    from shakeproof.stats.kinds.agreement import correlation
    from shakeproof.stats.ranking import rank_metrics

    coefficient = expectation.make_coefficient()
    agreements = {name: correlation(coefficient, [name]) for name in scores.scores}
    observed = observe_scored_by_all(scores)
    ranked = rank_metrics(agreements, observed, settings, significant)
    known = {one.name for one in ranked}
    for name, agreement in agreements.items():
        if name not in known:
            complain(f"metric {name!r}: {agreement.note(observed) or 'undefined'}")
    if not ranked:
        raise SpecError("no metric can be ranked")
    return ranked


def rank_lines(ranked: Sequence[RankedMetric], significant: float) -> Iterator[str]:
    """Yield the table, and what a rank means."""
    yield table(HEADER, map(_row, ranked))
    yield (
        "A rank begins with a metric that is significantly worse than one of the rank above "
        f"(p <= {significant:g}, paired by segment)."
    )


def _row(metric: RankedMetric) -> tuple[str, ...]:
    estimate, better = metric.estimate, ", ".join(metric.better_than) or "-"
    interval = "-"
    if estimate.low is not None and estimate.high is not None:
        interval = f"[{estimate.low:.3f}, {estimate.high:.3f}]"
    return f"{metric.rank}", metric.name, f"{estimate.value:.3f}", interval, better
