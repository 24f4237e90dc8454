import gc
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.functions import FunctionNotFound
from shakeproof.metrics.kinds.python import PythonOptions, pack, unpack
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.registry import METRICS
from shakeproof.metrics.settings import Settings

PAIRWISE = """
def score(candidate, reference):
    return len(candidate) - len(reference)

class Judge:
    @staticmethod
    def rate(candidate, reference):
        return 0.5
"""
BATCH = """
import numpy
def score(candidates, references, sources):
    return numpy.array([len(c) + 10 * len(r) + 100 * (s is None)
                        for c, r, s in zip(candidates, references, sources)])
"""


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "checks"
    folder.mkdir()
    (folder / "my_metric.py").write_text(PAIRWISE)
    (folder / "my_batch.py").write_text(BATCH)
    return folder


def build(function, folder, **options):
    settings = Settings(folder=folder, rootdir=folder.parent)
    return PythonOptions(function=function, **options).build({}, settings)


def rate(metric, *instances):
    with Cache() as cache:
        engine = Engine(cache)
        assert engine.fill([[(metric, instance) for instance in instances]]) == {}
        return engine.read(metric, instances).tolist()


def test_a_function_beside_the_checklist_rates_pairs(folder):
    metric = build("my_metric:score", folder)

    assert rate(metric, Instance("abcd", ("ab", "abc")), Instance("", ("a",))) == [2.0, -1.0]
    assert metric.requires == {"references"}


def test_a_function_of_a_class_is_found(folder):
    assert rate(build("my_metric:Judge.rate", folder), Instance("a", ("b",))) == [0.5]


def test_the_free_kind_gets_the_source(folder):
    options = METRICS["python-free"](function="my_metric:score")
    metric = options.build({}, Settings(folder=folder))

    assert rate(metric, Instance("abcd", ("ab",), "a")) == [3.0]


def test_a_batch_function_gets_everything_at_once(folder):
    metric = build("my_batch:score", folder, batch=True, requires=["references"])
    instances = [
        Instance("ab", ("r", "s"), "x"),
        Instance("ab", ("r", "s")),
        Instance("ab", ("r", "s"), ""),
    ]

    assert rate(metric, *instances) == [22.0, 122.0, 22.0]


def test_a_batch_function_says_what_it_requires(folder):
    metric = build("my_batch:score", folder, batch=True, requires=["source"])

    assert metric.requires == {"source"}


def test_rootdir_comes_after_the_folder_and_before_sys_path(folder):
    (folder.parent / "colorsys.py").write_text("def score(c, r):\n    return 42.0\n")
    (folder.parent / "my_metric.py").write_text("def score(c, r):\n    return 43.0\n")

    assert rate(build("colorsys:score", folder), Instance("a", ("b",))) == [42.0]
    assert rate(build("my_metric:score", folder), Instance("a", ("b",))) == [0.0]


def test_an_installed_module_is_found(folder):
    metric = build("rapidfuzz.fuzz:ratio", folder)

    assert rate(metric, Instance("abc", ("abc",))) == [100.0]


def test_modules_in_packages_and_their_neighbours_are_found(folder):
    (folder / "parts").mkdir()
    (folder / "parts" / "inner.py").write_text(
        "from near import weight\ndef score(c, r): return weight\n"
    )
    (folder / "parts" / "near.py").write_text("weight = 3.5\n")
    before = list(sys.path)

    for isolate in (True, False):
        metric = build("parts.inner:score", folder, isolate=isolate)
        assert rate(metric, Instance("a", ("b",))) == [3.5]
    assert sys.path == before
    sys.modules.pop("near")


def test_equal_names_in_two_folders_do_not_clash(folder, tmp_path):
    (tmp_path / "my_metric.py").write_text("def score(c, r):\n    return 7.0\n")
    first, second = build("my_metric:score", folder), build("my_metric:score", tmp_path)

    assert rate(first, Instance("a", ("b",))) == [0.0]
    assert rate(second, Instance("a", ("b",))) == [7.0]
    assert "my_metric" not in sys.modules


def test_nothing_is_run_before_it_is_needed(folder):
    (folder / "loud.py").write_text("raise RuntimeError('run')\ndef score(c, r): return 1\n")
    metric = build("loud:score", folder)
    with Cache() as cache:
        errors = Engine(cache).fill([[(metric, Instance("a", ("b",)))]])

    assert errors == {metric.signature: "RuntimeError: run"}


def test_a_changed_file_has_another_signature_and_an_explicit_version_does_not(folder):
    before = build("my_metric:score", folder)
    fixed = build("my_metric:score", folder, version="1")
    (folder / "my_metric.py").write_text(PAIRWISE + "\n# changed\n")

    assert build("my_metric:score", folder).signature != before.signature
    assert build("my_metric:score", folder, version="1").signature == fixed.signature
    assert build("my_metric:score", folder, version="2").signature != fixed.signature


HELPERS = {
    "import near": "import near\n",
    "from near import": "from near import weight\n",
    "relative": "from . import near\n",
    "inside a function": "def score(c, r):\n    import near\n",
    "through another": "import between\n",
    "in a package": "from parts import near\n",
    "from a module of a package": "from parts.near import weight\n",
}


@pytest.mark.parametrize("importing", HELPERS.values(), ids=HELPERS)
def test_a_changed_module_that_the_function_imports_changes_the_signature(folder, importing):
    (folder / "mine.py").write_text(f"{importing}def score(c, r): return 1.0\n")
    (folder / "between.py").write_text("import near\n")
    (folder / "parts").mkdir()
    helpers = [folder / "near.py", folder / "parts" / "near.py"]
    for helper in helpers:
        helper.write_text("weight = 1\n")
    before = build("mine:score", folder).signature
    for helper in helpers:
        helper.write_text("weight = 2\n")

    assert build("mine:score", folder).signature != before


def test_modules_that_the_function_does_not_import_do_not_change_the_signature(folder):
    before = build("my_metric:score", folder).signature
    (folder / "near.py").write_text("weight = 1\n")

    assert build("my_metric:score", folder).signature == before


def test_modules_that_import_each_other_are_hashed_once(folder):
    (folder / "mine.py").write_text("import near\ndef score(c, r): return 1.0\n")
    (folder / "near.py").write_text("import mine\n")

    assert build("mine:score", folder).signature


def test_looking_a_function_up_imports_no_package(folder, monkeypatch):
    (folder / "outer").mkdir()
    (folder / "outer" / "__init__.py").write_text("raise SystemExit('run')\n")
    (folder / "outer" / "inner.py").write_text("def score(c, r): return 1.0\n")
    monkeypatch.syspath_prepend(folder)

    assert build("outer.inner:score", folder / "elsewhere").signature


@pytest.mark.parametrize(
    ("function", "message"),
    [
        pytest.param(
            "my_metrics:score", "no module 'my_metrics' beside the checklist", id="module"
        ),
        pytest.param("no.such.thing:score", "no module 'no.such.thing'", id="package"),
        pytest.param("my_metric:scor", "did you mean 'score'?", id="near miss"),
        pytest.param("my_metric:zzz", "it has: Judge, rate, score", id="function"),
        pytest.param("broken:score", "broken.py:1: ", id="syntax"),
        pytest.param("sys:getsizeof", "add version:", id="no file"),
    ],
)
def test_a_function_that_cannot_be_found_is_one_clear_line(folder, function, message):
    (folder / "broken.py").write_text("def score(:\n")
    with pytest.raises(FunctionNotFound) as caught:
        build(function, folder)

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("function", ["score", "my_metric:", ":score", "my metric:score", 3])
def test_what_is_no_import_path_is_refused(function):
    with pytest.raises(ValidationError):
        PythonOptions(function=function)


NO_NUMBER = "returned no number: "


@pytest.mark.parametrize("isolate", [True, False], ids=["isolated", "in this process"])
@pytest.mark.parametrize(
    ("returned", "batch", "reason"),
    [
        pytest.param("None", False, f"{NO_NUMBER}None", id="nothing"),
        pytest.param("'good'", False, f"{NO_NUMBER}'good'", id="a word"),
        pytest.param("'0.5'", False, f"{NO_NUMBER}'0.5'", id="a number as text"),
        pytest.param("True", False, f"{NO_NUMBER}True", id="a truth value"),
        pytest.param("1j", False, f"{NO_NUMBER}1j", id="a complex number"),
        pytest.param("10**400", False, f"{NO_NUMBER}1{'0' * 199}…", id="too large"),
        pytest.param("[[]]", True, f"{NO_NUMBER}[]", id="a list of lists"),
        pytest.param(
            "None",
            True,
            "TypeError: the function returned None; called with lists, it must return a list",
            id="no list",
        ),
        pytest.param(
            "[1, 2]",
            True,
            "ValueError: 2 scores came back for 1 tuples of texts; each needs one",
            id="too many",
        ),
    ],
)
def test_a_function_that_returns_no_number_fails_with_a_reason(
    folder, returned, batch, reason, isolate
):
    (folder / "wrong.py").write_text(f"def score(*texts):\n    return {returned}\n")
    metric = build("wrong:score", folder, batch=batch, isolate=isolate)
    with Cache() as cache:
        errors = Engine(cache).fill([[(metric, Instance("a", ("b",)))]])

    assert errors[metric.signature] == reason


def test_a_time_limit_without_isolation_is_refused():
    with pytest.raises(ValidationError, match="timeout needs isolate: true"):
        PythonOptions(function="my_metric:score", isolate=False, timeout=5)


def test_isolation_and_time_limit_do_not_change_the_signature(folder):
    signatures = {
        build("my_metric:score", folder, **options).signature
        for options in ({}, {"isolate": False}, {"timeout": 5})
    }

    assert len(signatures) == 1


@given(
    candidate=st.text(max_size=5),
    references=st.lists(st.text(max_size=5), max_size=3),
    source=st.none() | st.text(max_size=5) | st.just("source"),
)
def test_an_instance_survives_packing(candidate, references, source):
    instance = Instance(candidate, tuple(references), source)

    assert unpack(pack(instance)) == instance


def test_scores_are_floats_even_from_numpy(folder):
    metric = build("my_batch:score", folder, batch=True)
    scorer, texts = metric.needs(Instance("a", ("b",)))[0]

    assert scorer.score([texts]).dtype == np.float64


@pytest.fixture
def threads_switch_while_memory_is_collected():
    def switch(*_):
        time.sleep(1e-4)

    before = gc.get_threshold()
    gc.callbacks.append(switch)
    gc.set_threshold(300)
    yield
    gc.set_threshold(*before)
    gc.callbacks.remove(switch)


@pytest.mark.usefixtures("threads_switch_while_memory_is_collected")
def test_threads_find_functions_at_once(folder):
    (folder / "large.py").write_text(PAIRWISE * 50)
    with ThreadPoolExecutor(4) as pool:
        signatures = set(pool.map(lambda _: build("large:score", folder).signature, range(12)))

    assert len(signatures) == 1
