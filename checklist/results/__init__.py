"""A run as plain values, with the rules about them that everyone must agree on."""

from shakeproof.results.distance import (
    Distance,
    certainty,
    distance_to_bound,
    in_half_widths,
    result_distance,
)
from shakeproof.results.leaning import (
    describe_leaning,
    leaning_of,
)
from shakeproof.results.names import (
    ChangeKind,
    Leaning,
    Outcome,
    PartName,
    Severity,
    Verdict,
)
from shakeproof.results.outcomes import (
    counted_outcome,
    fails_session,
    outcome_counts,
    outcome_of,
)
from shakeproof.results.plurals import (
    counted,
)
from shakeproof.results.published import (
    Agreement,
    agreement,
    printed_alike,
    printed_digits,
)
from shakeproof.results.retention import (
    trapezoid_weights,
)
from shakeproof.results.values import (
    READABLE,
    SCHEMA,
    Bounds,
    Change,
    ChecklistRecord,
    CheckRecord,
    ComparedResult,
    DataRecord,
    Estimate,
    Example,
    Histogram,
    MetricRecord,
    Part,
    Published,
    Realised,
    Result,
    Run,
    RunComparison,
    TextSpan,
    TokenMatrix,
    Tolerance,
)

__all__ = [
    "READABLE",
    "SCHEMA",
    "Agreement",
    "Bounds",
    "Change",
    "ChangeKind",
    "CheckRecord",
    "ChecklistRecord",
    "ComparedResult",
    "DataRecord",
    "Distance",
    "Estimate",
    "Example",
    "Histogram",
    "Leaning",
    "MetricRecord",
    "Outcome",
    "Part",
    "PartName",
    "Published",
    "Realised",
    "Result",
    "Run",
    "RunComparison",
    "Severity",
    "TextSpan",
    "TokenMatrix",
    "Tolerance",
    "Verdict",
    "agreement",
    "certainty",
    "counted",
    "counted_outcome",
    "describe_leaning",
    "distance_to_bound",
    "fails_session",
    "in_half_widths",
    "leaning_of",
    "outcome_counts",
    "outcome_of",
    "printed_alike",
    "printed_digits",
    "result_distance",
    "trapezoid_weights",
]
