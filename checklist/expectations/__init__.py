"""Expectations a checklist may name."""

from __future__ import annotations

from shakeproof.expectations.axioms import EmptyText, Identity, SameScores, ScoreRange
from shakeproof.expectations.base import Claim, Evaluation, Expectation
from shakeproof.expectations.baseline import NoWorseThanBaseline
from shakeproof.expectations.comparisons import BeatsYardsticks, MoreRobustThan
from shakeproof.expectations.copying import CopyPenaltyExpectation
from shakeproof.expectations.correlations import Correlation, CorrelationDrop
from shakeproof.expectations.judges import PositionConsistency, PositionPreference, Stable
from shakeproof.expectations.rescored import BatchIndependence, OrderIndependence, Symmetry
from shakeproof.expectations.retention import RetentionArea, RetentionExpectation
from shakeproof.expectations.scores import Monotone, ScoreChange, ScoreDrop, ScoreRise
from shakeproof.expectations.search import Search
from shakeproof.expectations.shares import (
    PrefersBetter,
    PrefersOriginalExpectation,
    SegmentsBehave,
)
from shakeproof.expectations.slices import Attribution, CorrelationInSlices
from shakeproof.expectations.user_statistic import OwnStatistic

EXPECTATIONS: dict[str, type[Expectation]] = {
    expectation.name: expectation
    for expectation in (
        Correlation,
        CorrelationDrop,
        RetentionExpectation,
        RetentionArea,
        CorrelationInSlices,
        Attribution,
        MoreRobustThan,
        BeatsYardsticks,
        NoWorseThanBaseline,
        ScoreChange,
        ScoreDrop,
        ScoreRise,
        Monotone,
        SegmentsBehave,
        PrefersOriginalExpectation,
        PrefersBetter,
        CopyPenaltyExpectation,
        Stable,
        PositionConsistency,
        PositionPreference,
        ScoreRange,
        Identity,
        EmptyText,
        SameScores,
        Symmetry,
        BatchIndependence,
        OrderIndependence,
        Search,
        OwnStatistic,
    )
}

__all__ = [
    "EXPECTATIONS",
    "Attribution",
    "BatchIndependence",
    "BeatsYardsticks",
    "Claim",
    "CopyPenaltyExpectation",
    "Correlation",
    "CorrelationDrop",
    "CorrelationInSlices",
    "EmptyText",
    "Evaluation",
    "Expectation",
    "Identity",
    "Monotone",
    "MoreRobustThan",
    "NoWorseThanBaseline",
    "OrderIndependence",
    "OwnStatistic",
    "PositionConsistency",
    "PositionPreference",
    "PrefersBetter",
    "PrefersOriginalExpectation",
    "RetentionArea",
    "RetentionExpectation",
    "SameScores",
    "ScoreChange",
    "ScoreDrop",
    "ScoreRange",
    "ScoreRise",
    "Search",
    "SegmentsBehave",
    "Stable",
    "Symmetry",
]
