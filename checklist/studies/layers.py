"""Which layer of a model agrees best with people (Zhang et al. 2020; Vu et al. 2022, Table 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from shakeproof.data.loading import load_data
from shakeproof.errors import SpecError
from shakeproof.metrics.models.files import ModelNotFound, find_model, layer_count
from shakeproof.metrics.settings import Settings
from shakeproof.results import Estimate, Result, Run
from shakeproof.spec.model import Checklist
from shakeproof.spec.read import build_checklist
from shakeproof.stats.compare import StoredEstimate, compare_estimates, unpack_influence

CHECK = "agrees with people"
NAME = "tune-layer.checklist.yaml"


@dataclass(frozen=True, slots=True)
class LayerFound:
    """How well one layer agrees with people, and how far it is behind the best."""

    layer: int
    estimate: Estimate
    behind: Estimate | None = None  # None for the best itself

    @property
    def as_good(self) -> bool:
        """Say that the data do not tell it from the best."""
        return self.behind is None or (self.behind.low is not None and self.behind.low <= 0)


def layer_checklist(
    files: Sequence[Path],
    model: str,
    settings: Settings,
    *,
    coefficient: str | None = None,
    rating_gap: float | None = None,
) -> Checklist:
    """Write the checklist that asks every layer the same; each file is a group."""
    expected = {
        "coefficient": coefficient or _fitting(files, rating_gap),
        "at_least": 0,
        **({} if rating_gap is None else {"rating_gap": rating_gap}),
    }
    content = {
        "checklist": f"the layer of {model} that agrees best with people",
        "data": {_group(path, files): str(path.absolute()) for path in files},
        "metrics": {
            f"layer-{number}": {"bertscore": {"model": model, "layer": number}}
            for number in range(_layers(model, settings) + 1)
        },
        "checks": [{"check": CHECK, "expect": {"correlation": expected}}],
    }
    return build_checklist(content, Path.cwd() / NAME)


def _fitting(files: Sequence[Path], rating_gap: float | None) -> str:
    """Take Pearson where there are ratings, otherwise what preferences allow."""
    data = [load_data(str(path.absolute()), folder=Path()) for path in files]
    rated = all(
        any(one.rating is not None for segment in each.segments for one in segment.candidates)
        for each in data
    )
    return "pearson" if rated and rating_gap is None else "wmt-kendall"


def _group(path: Path, files: Sequence[Path]) -> str:
    """Name a file by its stem, or by all of it where two have the same."""
    alone = sum(other.stem == path.stem for other in files) == 1
    return path.stem if alone else path.as_posix()


def _layers(model: str, settings: Settings) -> int:
    try:
        return layer_count(find_model(model, offline=settings.offline, folder=Path.cwd()))
    except ModelNotFound as error:
        raise SpecError(str(error)) from None


def layers_of(run: Run) -> list[LayerFound]:
    """Read the layers off a run, each compared with the best in pairs; SpecError if one broke."""
    for result in run.results:
        if result.estimate is None or result.estimate.value is None:
            note = result.estimate.note if result.estimate else ""
            raise SpecError(result.message or note or "the correlation is undefined")
    best = max(run.results, key=_value)
    return [
        LayerFound(number, _estimate(result), None if result is best else _behind(best, result))
        for number, result in enumerate(run.results)
    ]


def _estimate(result: Result) -> Estimate:
    return result.estimate or Estimate(value=None)


def _value(result: Result) -> float:
    value = _estimate(result).value
    return float("-inf") if value is None else value


def _behind(best: Result, result: Result) -> Estimate:
    """Say how far a layer is behind the best; without an interval where segments are too few."""
    one, other = (
        StoredEstimate(_value(each), unpack_influence(each.influence)) for each in (best, result)
    )
    apart = Estimate(value=one.value - other.value)
    try:
        return compare_estimates(one, other, direction=-1, allowed=0.0).estimate or apart
    except ValueError:
        return apart
