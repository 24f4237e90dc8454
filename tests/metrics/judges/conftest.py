"""Judges that are asked on a scripted server, through the real engine."""

from dataclasses import dataclass, field

import pytest

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.judges import asked
from shakeproof.metrics.judges.options import JudgeOptions, JudgePairsOptions
from shakeproof.metrics.settings import Settings

pytest.importorskip("aiohttp", reason="the extra `judges` is not installed")


@pytest.fixture(autouse=True)
def short_delays(monkeypatch):
    monkeypatch.setattr(asked, "FIRST_DELAY", 0.01)
    monkeypatch.delenv("JUDGE_KEY", raising=False)


@dataclass
class Judged:
    """A metric on a server, an engine over a cache, and what came of it."""

    metric: object
    engine: Engine
    errors: dict = field(default_factory=dict)

    def rate(self, rated):
        """Score what is missing; return the scores, or nothing if the metric is an error."""
        self.errors = self.engine.fill([(self.metric, one)] for one in rated)
        return None if self.errors else self.engine.read(self.metric, rated).tolist()

    @property
    def error(self):
        (error, *_) = self.errors.values()
        return error

    @property
    def failures(self):
        """The reasons of missing scores, of all draws."""
        return [failure.reason for one in self.engine.failed().values() for failure in one.values()]

    @property
    def kinds(self):
        return {failure.kind for one in self.engine.failed().values() for failure in one.values()}


@pytest.fixture
def judge(tmp_path):
    """Build a judge for a server; each call is a run of its own over one cache file."""
    caches = []

    def build(url, *, offline=False, kind=JudgeOptions, folder=tmp_path, **options):
        cache = Cache(tmp_path / "scores.sqlite")
        caches.append(cache)
        options = {"model": "judge-1", "prompt": "fluency", "attempts": 3, **options}
        settings = Settings(offline=offline, folder=folder)
        metric = kind.model_validate({"endpoint": url, **options}).build({}, settings)
        return Judged(metric, Engine(cache))

    yield build
    for cache in caches:
        cache.close()


@pytest.fixture
def pairs(judge):
    def build(url, **options):
        return judge(url, kind=JudgePairsOptions, **options)

    return build
