"""Token similarity before and after, as in Figure 5 of Vu et al. 2022, for the worst examples.

A matrix needs the metric's model, so it is decided first which examples get one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from pydantic import TypeAdapter
from pydantic_core import to_json

from shakeproof.evidence.rows import choose_rows, position_of
from shakeproof.expectations.search import Search
from shakeproof.metrics.bertscore.scorer import BertScorer
from shakeproof.metrics.bertscore.token_similarity import token_similarities
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.database import CacheError
from shakeproof.metrics.engine.engine import MissingScores
from shakeproof.metrics.protocols import Texts
from shakeproof.plan.items import Item
from shakeproof.plan.perturbed import CLEAN
from shakeproof.results import Outcome, Result, TokenMatrix, result_distance
from shakeproof.scoring.score_table import ScoreTable, instances_of

MAX_MATRICES_PER_METRIC = 3
MAX_TOKENS = 40  # of either text; a larger matrix cannot be read
DIGITS = 3
MATRIX: TypeAdapter[TokenMatrix | None] = TypeAdapter(TokenMatrix | None)

Source: TypeAlias = tuple[ScoreTable, Item]  # what a result was computed from


class MatrixPlace(NamedTuple):
    """An example that may get token matrices."""

    result: str  # its id
    example: int  # its position among the examples of the result


class ComparedTexts(NamedTuple):
    """The texts that a scorer compares token by token, before and after a perturbation."""

    scorer: BertScorer
    before: Texts
    after: Texts


@dataclass(slots=True)
class MatrixBudget:
    """The segments that got token matrices in this process, by metric."""

    segments: dict[str, set[str]] = field(default_factory=dict)


def choose_matrices(
    results: Sequence[Result],
    *,
    usable: Collection[MatrixPlace] | None = None,
    budget: MatrixBudget | None = None,
) -> list[MatrixPlace]:
    """Choose the worst examples of each metric, no two of the same segment.

    Failures come first, and of these what lies furthest outside its bounds. With `usable`, only
    these places are chosen; what was spent of a budget counts.
    """
    spent = budget.segments if budget else {}
    segments = {metric: set(names) for metric, names in spent.items()}
    places = []
    for result in sorted(results, key=_worst_first):
        chosen = segments.setdefault(result.metric, set())
        for position, example in enumerate(result.examples):
            place = MatrixPlace(result.id, position)
            if (
                len(chosen) < MAX_MATRICES_PER_METRIC
                and example.segment not in chosen
                and (usable is None or place in usable)
            ):
                chosen.add(example.segment)
                places.append(place)
    return places


def _worst_first(result: Result) -> tuple[bool, float]:
    distance = result_distance(result)
    relative = float("inf") if distance is None else distance.relative
    return result.outcome is not Outcome.FAILED, relative


def add_matrices(
    results: Sequence[Result],
    sources: Mapping[str, Source],
    budget: MatrixBudget | None = None,
    cache: Cache | None = None,
) -> list[Result]:
    """Compute token matrices for the worst examples of each metric that is like BERTScore.

    `sources` has, by id, the results whose examples may get matrices. Where there is no matrix,
    as of a long text, the next worst example gets one instead. A budget is shared by calls that
    each see only some of the results of a process. Matrices of the cache are not computed again.
    """
    budget = MatrixBudget() if budget is None else budget
    cache = Cache() if cache is None else cache
    usable = {
        MatrixPlace(result.id, position): compared
        for result in results
        if result.examples and result.id in sources
        for position, compared in _compared_texts(*sources[result.id])
    }
    computed: dict[MatrixPlace, tuple[TokenMatrix, TokenMatrix]] = {}
    while places := [
        place
        for place in choose_matrices(results, usable=usable, budget=budget)
        if place not in computed
    ]:
        scorer = usable[places[0]].scorer
        batch = [place for place in places if usable[place].scorer == scorer]
        texts = [text for place in batch for text in usable[place][1:]]
        try:
            matrices = _cached_matrices(scorer, texts, cache)
        except Exception:  # whatever a model may raise: evidence must not fail a check
            usable = {
                place: compared
                for place, compared in usable.items()
                if place in computed or compared.scorer != scorer
            }
            continue
        for place in batch:
            before, after = (matrices[text] for text in usable[place][1:])
            if before and after:
                computed[place] = before, after
            else:
                del usable[place]
    return [_with_matrices(result, computed, budget) for result in results]


def _compared_texts(score_table: ScoreTable, item: Item) -> Iterator[tuple[int, ComparedTexts]]:
    """Yield the texts that each example of an item compares token by token, if there are any.

    Of several references it is the one with the best score on the clean texts.
    """
    if isinstance(item.check.expect, Search):  # its one example is not among the worst rows
        return
    metric, (_, condition) = score_table.metrics[item.metric], item.score_keys[-1]
    for example, chosen in enumerate(choose_rows(score_table, item)):
        number, position = position_of(score_table.candidates, chosen.row)
        clean, perturbed = (
            instances_of(score_table.segment(one, number))[position] for one in (CLEAN, condition)
        )
        comparisons = metric.needs(clean)
        scorers = {
            number: scorer
            for number, (scorer, _) in enumerate(comparisons)
            if isinstance(scorer, BertScorer)
        }
        if not scorers:
            return
        try:
            (scores,) = score_table.engine.scores(metric, [clean])
        except MissingScores:
            continue
        best = max(scorers, key=scores.__getitem__)
        before, after = comparisons[best][1], metric.needs(perturbed)[best][1]
        yield example, ComparedTexts(scorers[best], before, after)


def _cached_matrices(
    scorer: BertScorer, texts: Sequence[Texts], cache: Cache
) -> dict[Texts, TokenMatrix | None]:
    """Compare texts token by token, those that the cache does not know in one batch."""
    signature = f"{scorer.signature}|tokens:{MAX_TOKENS}|digits:{DIGITS}"
    known = cache.find_matrices(signature, texts)
    if missing := [text for text in dict.fromkeys(texts) if text not in known]:
        computed = zip(missing, _matrices(scorer, missing), strict=True)
        new = {text: to_json(matrix) for text, matrix in computed}
        with suppress(CacheError):  # a full disk: they will be computed again
            cache.put_matrices(signature, new)
        known |= new
    return {text: MATRIX.validate_json(content) for text, content in known.items()}


def _matrices(scorer: BertScorer, texts: Sequence[Texts]) -> list[TokenMatrix | None]:
    """Compare texts token by token, all in one batch."""
    return [
        None
        if found is None
        else TokenMatrix(
            candidate=found.candidate,
            reference=found.reference,
            similarity=tuple(tuple(row) for row in found.cosines.round(DIGITS).tolist()),
        )
        for found in token_similarities(scorer, texts, most=MAX_TOKENS)
    ]


def _with_matrices(
    result: Result,
    computed: Mapping[MatrixPlace, tuple[TokenMatrix, TokenMatrix]],
    budget: MatrixBudget,
) -> Result:
    """Add the matrices of a result's examples, and count them in the budget."""
    examples = list(result.examples)
    for position, example in enumerate(examples):
        if matrices := computed.get(MatrixPlace(result.id, position)):
            before, after = matrices
            update = {"matrix_before": before, "matrix_after": after}
            examples[position] = example.model_copy(update=update)
            budget.segments.setdefault(result.metric, set()).add(example.segment)
    return result.model_copy(update={"examples": tuple(examples)})


def keep_worst_matrices(results: Sequence[Result]) -> list[Result]:
    """Drop all matrices but those of the worst examples of each metric.

    This is for results of several processes, each of which has computed as many as are kept.
    """
    with_matrix = {
        MatrixPlace(result.id, position)
        for result in results
        for position, example in enumerate(result.examples)
        if example.matrix_before is not None
    }
    dropped = with_matrix.difference(choose_matrices(results, usable=with_matrix))
    none = {"matrix_before": None, "matrix_after": None}
    return [
        result.model_copy(
            update={
                "examples": tuple(
                    example.model_copy(update=none)
                    if MatrixPlace(result.id, position) in dropped
                    else example
                    for position, example in enumerate(result.examples)
                )
            }
        )
        for result in results
    ]
