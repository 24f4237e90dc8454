"""The options of the plugin, on the command line and in pytest's ini file.

Nothing heavy is imported here, because every run of pytest reads the table.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from shakeproof.metrics.files import is_there
from shakeproof.runs.arguments import (
    ADJUSTMENTS,
    DEFAULT_CACHE,
    SEARCH_BUDGET,
    adjustment,
    device_choice,
    gpu_share,
    positive,
    precision_choice,
    replacement,
    split_replacement,
    whole,
    worker_choice,
)

if TYPE_CHECKING:
    import pytest

    from shakeproof.runs.config import RunConfig

IN_MEMORY = "none"
DESCRIPTION = (
    "robustness checklists (*.checklist.yaml); exit code 1: checks failed, "
    "10: checks ended in an error, for example because a metric broke"
)


@dataclass(frozen=True, slots=True)
class Option:
    """One option: `--shakeproof-NAME`, or `shakeproof_NAME` in the ini file."""

    help: str
    metavar: str = ""
    kind: Literal["string", "bool", "int", "linelist"] = "string"  # as pytest's ini files call it
    default: str | int | bool | None = None
    read: Callable[[str], Any] = str


OPTIONS = {
    "report": Option("Write the run as one HTML page, for example report.html", "FILE"),
    "json": Option(
        "Write the run as JSON, for example run.json, to render or compare it later", "FILE"
    ),
    "strict": Option(
        "Fail checks that the data cannot decide, instead of skipping them",
        kind="bool",
        default=False,
    ),
    "device": Option(
        "Run models on this device: auto (the default), cpu, cuda, cuda:1, mps; cuda:0,cuda:1: one "
        "worker process on each",
        "NAME",
        default="auto",
        read=device_choice,
    ),
    "precision": Option(
        "Run models in this number format: auto (the default: as the checklist says, else float16 "
        "on CUDA and float32 elsewhere), float32, tf32, float16, bfloat16",
        "NAME",
        default="auto",
        read=precision_choice,
    ),
    "workers": Option(
        "Rate texts in N processes (auto: one for each GPU or core), or on a Ray cluster: ray, "
        "or ray://HOST:PORT",
        "N|auto|ray",
        read=worker_choice,
    ),
    "gpus-per-worker": Option(
        "Give each worker of a Ray cluster N GPUs (0.5: two workers share one, 0: none)",
        "N",
        read=gpu_share,
    ),
    "limit": Option(
        "Use only the first N segments of each data set", "N", kind="int", read=positive
    ),
    "data": Option(
        "Read PATH where a checklist says data: NAME (or names a group NAME)",
        "NAME=PATH",
        kind="linelist",
        read=replacement,
    ),
    "no-texts": Option(
        "Keep every text of the data out of the terminal, the report and the JSON",
        kind="bool",
        default=False,
    ),
    "cache": Option(
        "Keep scores in FILE ('none': in memory only); default .shakeproof/scores.sqlite", "FILE"
    ),
    "search": Option(
        "Compute up to N scores for each failed check to find the fewest edits that make it fail; "
        f"0: do not search, default {SEARCH_BUDGET}",
        "N",
        kind="int",
        default=SEARCH_BUDGET,
        read=whole,
    ),
    "adjust": Option(
        "With 'holm', correct for the number of checks: failures that may be chance are undecided",
        "|".join(ADJUSTMENTS),
        default="none",
        read=adjustment,
    ),
    "baseline": Option(
        "Also fail checks that are significantly worse than in FILE, a baseline or run.json", "FILE"
    ),
    "update-baseline": Option(
        "Rewrite the baseline: add new checks, update others only if significantly better",
        kind="bool",
        default=False,
    ),
    "only-regressions": Option(
        "With a baseline: fail only checks that got worse since, that newly fail, or that the "
        "baseline does not have",
        kind="bool",
        default=False,
    ),
    "offline": Option("Never download a model", kind="bool", default=False),
}


def ini_name(name: str) -> str:
    """Return the name of an option in the ini file."""
    return f"shakeproof_{name.replace('-', '_')}"


def add_options(parser: pytest.Parser) -> None:
    """Add every option to the command line and to the ini file."""
    group = parser.getgroup("shakeproof", DESCRIPTION)
    for name, option in OPTIONS.items():
        settings: dict[str, Any] = {"action": "store_true"}
        if option.kind != "bool":
            action = "append" if option.kind == "linelist" else "store"
            settings = {"action": action, "type": option.read, "metavar": option.metavar}
        group.addoption(f"--shakeproof-{name}", default=None, help=option.help, **settings)
        parser.addini(ini_name(name), option.help, type=option.kind, default=None)


def option_value(config: pytest.Config, name: str) -> Any:  # noqa: ANN401 - each option has its own type
    """Return the value on the command line, or else in the ini file, or else the default."""
    value = config.getoption(ini_name(name))
    if value is None:
        value = _ini_value(config, name)
    return OPTIONS[name].default if value is None else value


def _ini_value(config: pytest.Config, name: str) -> Any:  # noqa: ANN401 - as above
    import pytest

    option = OPTIONS[name]
    try:
        value = config.getini(ini_name(name))
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, list):
            return [option.read(str(entry)) for entry in value]
        return option.read(str(value))
    except (ArgumentTypeError, TypeError, ValueError, pytest.UsageError) as error:
        raise pytest.UsageError(f"{config.inipath}: {ini_name(name)}: {error}") from None


def check_options(config: pytest.Config) -> None:
    """Refuse wrong values and combinations before anything is collected."""
    import pytest

    for name in OPTIONS:
        option_value(config, name)
    for name in ("update-baseline", "only-regressions"):
        if option_value(config, name) and not option_value(config, "baseline"):
            raise pytest.UsageError(f"--shakeproof-{name} needs --shakeproof-baseline=FILE")


def option_path(config: pytest.Config, name: str) -> Path | None:
    """Return the path that an option names, from the working folder or that of the ini file."""
    path = option_value(config, name)
    if not path:
        return None
    return _folder(config, name) / Path(path).expanduser()


def _folder(config: pytest.Config, name: str) -> Path:
    if config.getoption(ini_name(name)) is None and config.inipath is not None:
        return config.inipath.parent
    return config.invocation_params.dir


def run_config(config: pytest.Config) -> RunConfig:
    """Return the configuration that the options describe."""
    from shakeproof.runs.config import RunConfig

    baseline = option_path(config, "baseline")
    if baseline and option_value(config, "update-baseline") and not is_there(baseline):
        baseline = None  # it is about to be written
    return RunConfig(
        device=option_value(config, "device"),
        precision=option_value(config, "precision"),
        offline=option_value(config, "offline"),
        workers=option_value(config, "workers"),
        gpus_per_worker=option_value(config, "gpus-per-worker"),
        rootdir=config.rootpath,
        limit=option_value(config, "limit"),
        data=dict(split_replacement(entry) for entry in option_value(config, "data") or ()),
        data_folder=_folder(config, "data"),
        strict=option_value(config, "strict"),
        texts=not option_value(config, "no-texts"),
        adjust=option_value(config, "adjust"),
        search=option_value(config, "search"),
        matrices=bool(option_value(config, "report") or option_value(config, "json")),
        baseline=baseline,
        baseline_name=option_value(config, "baseline") or "",
        only_regressions=option_value(config, "only-regressions"),
    )


def cache_path(config: pytest.Config) -> Path | None:
    """Return the file of the score cache; None for a cache in memory."""
    if option_value(config, "cache") == IN_MEMORY:
        return None
    return option_path(config, "cache") or config.rootpath / DEFAULT_CACHE
