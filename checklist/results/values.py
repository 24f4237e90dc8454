"""A run as plain values: the content of run.json."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from shakeproof.results.names import ChangeKind, Leaning, Outcome, Severity, Verdict
from shakeproof.results.plain import Plain
from shakeproof.results.usage import UsageRecord

SCHEMA = "shakeproof-run/3"
READABLE = ("shakeproof-run/1", "shakeproof-run/2", SCHEMA)  # runs/archive.py reads them all


class Estimate(Plain):
    """A number about the data with its interval; None where it is undefined."""

    value: float | None
    low: float | None = None
    high: float | None = None
    confidence: float = 0.95
    segments: int = 0  # that contribute
    method: str = "expanded percentile"
    draws: int = 0
    undefined_draws: int = 0
    note: str = ""  # why the value or the interval is missing


class Bounds(Plain):
    """Where the estimate should lie; None is no bound."""

    low: float | None = None
    high: float | None = None


class Part(Plain):
    """A number shown beside the judged one, such as the clean correlation."""

    name: str  # one of PartName, or a name that is only listed
    estimate: Estimate
    level: float | None = None
    group: str = ""  # such as a language pair; "" is all groups together


class Realised(Plain):
    """What a condition did to the texts, beside the level that was asked for."""

    letters: float  # share of letters changed
    words: float  # share of blank-separated words changed
    segments: float  # share of segments with a changed text
    edits: float  # character edits per character
    unknown: float | None = None  # unknown tokens per segment (Vu et al. 2022, Algorithm 1)
    unknown_before: float | None = None  # the same in the clean texts


class TextSpan(Plain):
    """A stretch of a text that was kept, removed or added by an edit."""

    kind: Literal["same", "removed", "added"]
    text: str


class TokenMatrix(Plain):
    """How similar a metric finds each token of the candidate to each of the reference."""

    candidate: tuple[str, ...]
    reference: tuple[str, ...]
    similarity: tuple[tuple[float, ...], ...]  # one row per candidate token


class Histogram(Plain):
    """How often a value fell between neighbouring edges."""

    edges: tuple[float, ...]  # one more than counts
    counts: tuple[int, ...]


class Example(Plain):
    """One text that a metric got wrong, before and after the perturbation."""

    segment: str
    field: str  # which text was perturbed
    before: str
    after: str
    spans: tuple[TextSpan, ...] = ()  # how `before` became `after`
    score_before: float
    score_after: float
    candidate: str | None = None  # where it is not the perturbed text itself
    reference: str | None = None
    source: str | None = None
    rating: float | None = None
    remark: str = ""  # such as "prefers the worse candidate now"
    minimal: str | None = None  # `before` with the fewest edits that still break the metric
    minimal_spans: tuple[TextSpan, ...] = ()  # how `before` became `minimal`
    score_minimal: float | None = None
    edits: int | None = None  # in the perturbed text
    edits_minimal: int | None = None
    calls: int | None = None  # scores spent on the search for the fewest
    pin: str = ""  # a checklist in YAML that repeats this counterexample
    matrix_before: TokenMatrix | None = None
    matrix_after: TokenMatrix | None = None


class MissingCount(Plain):
    """How many scores a metric did not return, and why."""

    count: int
    of: int
    reasons: tuple[str, ...] = ()  # the most frequent first
    family: str | None = None  # None: the clean texts
    field: str | None = None
    level: float | None = None


class Change(Plain):
    """What became of a result since another run, on the same segments."""

    kind: ChangeKind
    estimate: Estimate | None = None  # new value minus old value; None if not comparable
    regressed: bool = False  # worse by more than the tolerance, with the whole interval
    message: str = ""  # the change in words, number first
    reason: str = ""  # why the two cannot be compared
    metric_changes: str = ""  # how the metric's signature differs


class Result(Plain):
    """One check item: one metric, one check, one level."""

    id: str  # file::metric::check::level, stable between machines
    file: str
    line: int
    metric: str
    check: str
    expectation: str  # its name, such as correlation_drop
    statement: str  # what is expected, in words
    quantity: str  # what the estimate is, such as "drop of wmt-kendall"
    unit: str = ""  # "spreads" for scores in units of the metric's own spread
    coefficient: str | None = None
    rating: str | None = None  # the aspect whose ratings decide, or "mean"; None: no aspect
    family: str | None = None
    family_group: str = ""  # the group that the family is listed in, such as characters
    field: str | None = None
    level: float | None = None
    levels: tuple[float, ...] = ()
    seeds: tuple[int, ...] = ()
    stored: bool = False
    bounds: Bounds = Bounds()
    severity: Severity = Severity.FAIL
    known_failure: bool = False  # the checklist expects this check to fail
    estimate: Estimate | None = None
    parts: tuple[Part, ...] = ()
    verdict: Verdict | None = None
    leaning: Leaning = Leaning.NONE  # of an undecided check
    outcome: Outcome
    message: str = ""  # the line the terminal shows: number first
    advice: str = ""  # what would decide an undecided check
    reason: str = ""  # of a known failure or a skip
    p: float | None = None  # of "the expectation holds"
    q: float | None = None  # p adjusted over the run (Benjamini and Hochberg 1995)
    survives_holm: bool | None = None  # a failure also after Holm's correction over the run
    change: Change | None = None  # since the baseline
    accepted: bool = False  # the baseline did no better, and only regressions fail the session
    changes: Histogram | None = None  # of the scores, perturbed minus clean
    realised: Realised | None = None
    missing: MissingCount | None = None  # candidates left out because a score is missing
    examples: tuple[Example, ...] = ()
    influence: str = ""  # one float32 per segment, zlib, base64
    seconds: float = 0.0


class MetricRecord(Plain):
    """A metric as it was run."""

    name: str
    kind: str
    settings: dict[str, Any]  # defaults included
    signature: str
    facts: dict[str, Any] = Field(default_factory=dict)  # such as texts truncated, device
    missing: tuple[MissingCount, ...] = ()  # for each condition with missing scores
    usage: UsageRecord | None = None  # of a metric that asks a service


class DataRecord(Plain):
    """A data set as it was read."""

    name: str
    sha256: str
    segments: int
    candidates: int
    rated: int
    preferences: int
    surrogates: int = 0
    language: str | None = None
    licence: str = ""
    citation: str = ""


class Tolerance(Plain):
    """Changes since a baseline that count as none."""

    correlation: float = 0.005  # of correlations and shares
    spread: float = 0.05  # of scores, in spreads


class CheckRecord(Plain):
    """What a check asks, whatever its bounds are."""

    expectation: str
    settings: dict[str, Any]  # defaults included, bounds left out


class ChecklistRecord(Plain):
    """A checklist file as it was run."""

    file: str
    title: str
    sha256: str
    text: str  # the YAML itself
    seed: int
    seeds: int = 1
    confidence: float = 0.95
    draws: int = 10_000
    interval: str = "expanded percentile"
    tolerance: Tolerance = Tolerance()
    cluster: str | None = None  # the key of segments that are resampled together
    missing_at_most: float = 0.01  # share of candidates that a check may leave out
    families: dict[str, Any] = Field(default_factory=dict)  # declared in it, as written
    summaries: dict[str, str] = Field(default_factory=dict)  # of the families that it uses
    checks: dict[str, CheckRecord] = Field(default_factory=dict)  # by name
    data: tuple[DataRecord, ...]
    metrics: tuple[MetricRecord, ...]


class Published(Plain):
    """A number that a paper prints, beside what this run measured."""

    paper: str  # "Vu et al. 2022"
    table: str  # "Table 6", "Figure 3"
    row: str
    column: str
    value: float
    digits: int = 3  # printed after the point
    measured: Estimate | None = None
    result: str = ""  # the id of the result that it was measured in, if any
    instead: str = ""  # what was measured in the place of what the paper used, and why
    part_of_data: bool = False  # measured on the first segments only, so not comparable
    note: str = ""  # a mistake behind the number, or why nothing was measured


class Run(Plain):
    """Everything that a report shows, and everything needed to repeat the run."""

    schema_version: str = SCHEMA
    shakeproof: str
    started: str  # ISO 8601, UTC
    seconds: float
    command: str
    environment: dict[str, str]  # python, platform, torch, transformers, device, …
    settings: dict[str, Any]  # confidence, draws, limit, strict, …
    checklists: tuple[ChecklistRecord, ...]
    results: tuple[Result, ...]
    texts: bool = True  # False under --shakeproof-no-texts
    baseline: str = ""  # the run that `change` compares with
    published: tuple[Published, ...] = ()  # what papers print, beside what was measured


class ComparedResult(Plain):
    """One check in two runs."""

    old: Result
    new: Result
    change: Change


class RunComparison(Plain):
    """Two runs, check by check."""

    old: Run
    new: Run
    results: tuple[ComparedResult, ...]  # the worst first
    only_old: tuple[Result, ...] = ()
    only_new: tuple[Result, ...] = ()
