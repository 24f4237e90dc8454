"""Token similarity before and after, as in Figure 5 of Vu et al. 2022, where a metric broke."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shakeproof.metrics.bertscore.scorer import BertScorer
from shakeproof.metrics.bertscore.token_similarity import TokenSimilarity, token_similarities
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.protocols import Comparison, Instance, Metric
from shakeproof.results import Bounds, Example, Outcome, Result, TokenMatrix

TOKENS = 40  # of either text; a larger matrix is none to look at
PER_METRIC = 3
DIGITS = 3


def with_matrices(
    examples: Sequence[Example],
    engine: Engine,
    metric: Metric,
    seen: Sequence[tuple[Instance, Instance]],
) -> list[Example]:
    """Add how the metric matches tokens, before and after, if it is like BERTScore.

    Of several texts that it compares a candidate with, it is the one that scores best when clean.
    """
    try:
        found = _matrices(engine, metric, seen)
    except Exception:  # whatever a model may raise: evidence must not fail a check
        return list(examples)
    return [
        example.model_copy(update={"matrix_before": before, "matrix_after": after})
        if before and after
        else example
        for example, (before, after) in zip(examples, found, strict=True)
    ]


def _matrices(
    engine: Engine, metric: Metric, seen: Sequence[tuple[Instance, Instance]]
) -> list[tuple[TokenMatrix | None, TokenMatrix | None]]:
    slots = [_slot(engine, metric, before) for before, _ in seen]
    asked = [
        metric.needs(item)[slot]
        for slot, items in zip(slots, seen, strict=True)
        if slot is not None
        for item in items
    ]
    found = iter(_compared(asked))
    return [(None, None) if slot is None else (next(found), next(found)) for slot in slots]


def _slot(engine: Engine, metric: Metric, item: Instance) -> int | None:
    """Choose which of the comparisons of a metric is shown."""
    needs = metric.needs(item)
    slots = [number for number, (one, _) in enumerate(needs) if isinstance(one, BertScorer)]
    if not slots:
        return None
    (scores,) = engine.scores(metric, [item])
    return max(slots, key=scores.__getitem__)


def _compared(asked: Sequence[Comparison]) -> list[TokenMatrix | None]:
    """Compare token by token, all texts of a scorer in one go."""
    made: dict[Comparison, TokenMatrix | None] = {}
    for scorer in dict.fromkeys(scorer for scorer, _ in asked):
        if isinstance(scorer, BertScorer):
            pairs = [texts for one, texts in asked if one == scorer]
            found = token_similarities(scorer, pairs, most=TOKENS)
            made |= {(scorer, pair): _matrix(one) for pair, one in zip(pairs, found, strict=True)}
    return [made[comparison] for comparison in asked]


def _matrix(found: TokenSimilarity | None) -> TokenMatrix | None:
    if found is None:
        return None
    rows = tuple(tuple(row) for row in found.cosines.round(DIGITS).tolist())
    return TokenMatrix(candidate=found.candidate, reference=found.reference, similarity=rows)


def few_matrices(results: Sequence[Result]) -> list[Result]:
    """Keep the matrices of the worst texts of each metric, one for a segment, and no others."""
    kept: dict[str, set[str]] = {}  # by metric, the segments
    chosen: set[tuple[int, int]] = set()
    order = sorted(range(len(results)), key=lambda number: _badness(results[number]))
    for number in order:
        segments = kept.setdefault(results[number].metric, set())
        for place, example in enumerate(results[number].examples):
            new = example.segment not in segments and len(segments) < PER_METRIC
            if example.matrix_before is not None and new:
                segments.add(example.segment)
                chosen.add((number, place))
    return [_without(result, number, chosen) for number, result in enumerate(results)]


def _badness(result: Result) -> tuple[bool, float]:
    """Put failures first, and of these what lies furthest outside, as a share of the bound."""
    value = result.estimate.value if result.estimate else None
    room = [] if value is None else _sides(result.bounds, value)
    return result.outcome is not Outcome.FAILED, min(room, default=float("inf"))


def _sides(bounds: Bounds, value: float) -> Iterable[float]:
    for bound, room in ((bounds.low, 1.0), (bounds.high, -1.0)):
        if bound is not None:
            yield room * (value - bound) / (abs(bound) or 1.0)


def _without(result: Result, number: int, chosen: set[tuple[int, int]]) -> Result:
    if all(one.matrix_before is None for one in result.examples):
        return result
    none = {"matrix_before": None, "matrix_after": None}
    examples = tuple(
        one if (number, place) in chosen else one.model_copy(update=none)
        for place, one in enumerate(result.examples)
    )
    return result.model_copy(update={"examples": examples})
