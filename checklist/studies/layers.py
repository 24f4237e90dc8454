"""Which layer of a model agrees best with people (Zhang et al. 2020; Vu et al. 2022, Table 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from shakeproof.data.loading import load_data
from shakeproof.data.named import NAMED_DATA
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
class LayerAgreement:
    """How well one layer agrees with people, and how much less than the best layer."""

    layer: int
    estimate: Estimate
    behind: Estimate | None = None  # None for the best itself

    @property
    def as_good(self) -> bool:
        """Return whether the difference from the best layer is not significant."""
        return self.behind is None or (self.behind.low is not None and self.behind.low <= 0)


def layer_checklist(
    files: Sequence[Path],
    model: str,
    settings: Settings,
    *,
    coefficient: str | None = None,
    rating_gap: float | None = None,
) -> Checklist:
    """Build a checklist with one metric for each layer and one group for each file."""
    expected = {
        "coefficient": coefficient or _default_coefficient(files, rating_gap),
        "at_least": 0,
        **({} if rating_gap is None else {"rating_gap": rating_gap}),
    }
    content = {
        "checklist": f"the layer of {model} that agrees best with people",
        "data": {_group(path, files): _place(path) for path in files},
        "metrics": {
            f"layer-{layer}": {"bertscore": {"model": model, "layer": layer}}
            for layer in range(_layers(model, settings) + 1)
        },
        "checks": [{"check": CHECK, "expect": {"correlation": expected}}],
    }
    return build_checklist(content, Path.cwd() / NAME)


def _default_coefficient(files: Sequence[Path], rating_gap: float | None) -> str:
    """Return Pearson if every file has ratings, otherwise what works with preferences."""
    rated = all(
        any(
            candidate.rating is not None
            for segment in load_data(_place(path), folder=Path()).segments
            for candidate in segment.candidates
        )
        for path in files
    )
    return "pearson" if rated and rating_gap is None else "wmt-kendall"


def _place(path: Path) -> str:
    """Return the name of a known data set as it is, and any other path from the root."""
    return str(path) if str(path) in NAMED_DATA else str(path.absolute())


def _group(path: Path, files: Sequence[Path]) -> str:
    """Name a file by its stem, or by its path if another file has the same stem."""
    unique = sum(other.stem == path.stem for other in files) == 1
    return path.stem if unique else path.as_posix()


def _layers(model: str, settings: Settings) -> int:
    try:
        return layer_count(find_model(model, offline=settings.offline, folder=Path.cwd()))
    except ModelNotFound as error:
        raise SpecError(str(error)) from None


def compare_layers(run: Run) -> list[LayerAgreement]:
    """Compare each layer with the best one, paired by segment; SpecError if one has no number."""
    for result in run.results:
        if result.estimate is None or result.estimate.value is None:
            note = result.estimate.note if result.estimate else ""
            raise SpecError(result.message or note or "the correlation is undefined")
    best = max(run.results, key=_value)
    return [
        LayerAgreement(
            layer=layer,
            estimate=result.estimate or Estimate(value=None),
            behind=None if result is best else _difference(best, result),
        )
        for layer, result in enumerate(run.results)
    ]


def _value(result: Result) -> float:
    value = result.estimate.value if result.estimate else None
    return float("-inf") if value is None else value


def _difference(best: Result, result: Result) -> Estimate:
    """Return how far a layer is behind the best; without an interval if segments are too few."""
    high, low = (
        StoredEstimate(_value(stored), unpack_influence(stored.influence))
        for stored in (best, result)
    )
    difference = Estimate(value=high.value - low.value)
    try:
        return compare_estimates(high, low, direction=-1, allowed=0.0).estimate or difference
    except ValueError:
        return difference
