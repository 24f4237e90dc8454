"""The names that a run uses: verdicts, outcomes, severities, parts, kinds of change, checklists."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """What the data say about an expectation."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"


class Leaning(StrEnum):
    """What an undecided check would be if the estimate were the true value; a verdict it is not."""

    NONE = ""
    PASSES = "probably passes"
    FAILS = "probably fails"


class Outcome(StrEnum):
    """What became of a check, once known failures and errors are taken into account."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"
    KNOWN_FAILURE = "known failure"
    UNEXPECTED_PASS = "unexpected pass"
    WARNED = "warned"
    ERROR = "error"
    SKIPPED = "skipped"


class Severity(StrEnum):
    """What a failed check does to the test session."""

    FAIL = "fail"
    WARN = "warn"


class PartName(StrEnum):
    """The names of parts that reports look for; other parts are only listed."""

    CLEAN = "clean"
    PERTURBED = "perturbed"
    RETENTION = "retention"
    RETENTION_AREA = "area under retention"
    COPY = "copy"
    COPY_LOWER = "copy-lower"
    COPY_UNPUNCTUATED = "copy-unpunctuated"
    NEAR_COPY = "near-copy"  # its level is the number of words changed
    BEST_RATED = "best"
    MEAN_CANDIDATE = "mean candidate"
    COPY_WINS = "copy wins"
    COPY_PERCENTILE = "copy percentile"
    COPY_PERCENTILE_AMONG_ALL = "copy percentile among all"
    BREAK_EVEN = "break-even similarity"
    PEARSON = "pearson"
    PEARSON_WITH_COPIES = "pearson with copies rated 0"
    SPEARMAN = "spearman"
    SPEARMAN_WITH_COPIES = "spearman with copies rated 0"
    SPREAD = "spread"
    NOISE_OF_ONE_DRAW = "own noise of one draw"  # share of the variance between candidates
    NOISE_OF_MEAN = "own noise of the mean"
    FIRST_POSITION = "preference for the first position"
    FLIPS = "flip rate"
    SHARED = "people's preferences shared"


class ChangeKind(StrEnum):
    """How a result changed from one run to another, as far as the data tell."""

    WORSE = "worse"
    BETTER = "better"
    HIGHER = "higher"  # of a result with bounds on both sides or none
    LOWER = "lower"
    UNCLEAR = "unclear"  # the interval of the change includes 0
    UNCHANGED = "unchanged"
    NOT_COMPARABLE = "not comparable"


def checklist_name(file: str, data_set: str) -> str:
    """Name a checklist by its file, and by its data set if that is one of several separate ones."""
    return f"{file}::{data_set}" if data_set else file


def split_checklist_name(name: str) -> tuple[str, str]:
    """Return the file and the data set that a checklist is named by."""
    file, _, data_set = name.partition("::")
    return file, data_set
