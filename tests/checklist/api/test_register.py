"""Names that a project registers with decorators."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random

import pytest

import shakeproof
from shakeproof.data.loading import load_data
from shakeproof.data.segments import Candidate, Segment
from shakeproof.errors import SpecError
from shakeproof.expectations import EXPECTATIONS
from shakeproof.expectations.base import Bounded
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.registry import METRICS, SCORERS
from shakeproof.metrics.settings import Settings
from shakeproof.perturbations import PERTURBATIONS, Rule
from shakeproof.spec.read import parse
from shakeproof.spec.schema import checklist_schema

CONFTEST = """\
import shakeproof


@shakeproof.metric("mine")
def mine(candidate, reference):
    return float(candidate == reference)


@shakeproof.family("shout")
def shout(text, level, rng):
    return text.upper()
"""


def shout(text, level, rng):
    """Shout it."""
    return text.upper()


def equal(candidate, reference):
    """Whether both are the same."""
    return float(candidate == reference)


def run_conftest(folder, text=CONFTEST):
    """Import a conftest.py as pytest does, under a name that others may have too."""
    path = folder / "conftest.py"
    path.write_text(text)
    spec = spec_from_file_location("conftest_of_a_user", path)
    module = sys.modules["conftest_of_a_user"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_family_is_known_by_its_name_and_what_it_declares():
    declared = shakeproof.family(
        "shout", keeps_meaning=True, level="switch", on="candidate", languages=["en-GB"]
    )
    assert declared(shout) is shout

    family = PERTURBATIONS["shout"]

    assert family("so", 1, Random(0)) == "SO"
    assert (family.name, family.summary, family.rule) == ("shout", "Shout it.", Rule.SWITCH)
    assert family.keeps_meaning
    assert family.fields == {"candidate"}
    assert family.languages == {"en"}


def test_a_metric_is_a_kind_with_a_twin_that_looks_at_the_source():
    assert shakeproof.metric("equal")(equal) is equal

    metric, free = (METRICS[name]().build({}, Settings()) for name in ("equal", "equal-free"))
    ((scorer, texts),) = metric.needs(Instance("a", ("b",), "s"))

    assert texts == ("a", "b")
    assert scorer.score([("a", "a"), ("a", "b")]).tolist() == [1.0, 0.0]
    assert metric.requires == {"references"}
    assert free.requires == {"source"}
    assert METRICS["equal"].summary == "Whether both are the same."


def test_the_signature_of_a_metric_changes_with_its_file(tmp_path):
    def signature():
        return METRICS["mine"]().build({}, Settings()).signature

    run_conftest(tmp_path)
    first = signature()
    run_conftest(tmp_path, CONFTEST + "# changed\n")
    second = signature()
    run_conftest(tmp_path)

    assert first != second
    assert signature() == first


def test_a_version_stands_for_the_file():
    shakeproof.metric("equal", version="2")(equal)

    assert METRICS["equal"]().build({}, Settings()).signature == "registered|equal|version:2"


def test_a_metric_without_a_file_asks_for_a_version():
    function = eval("lambda candidate, reference: 1.0")

    with pytest.raises(SpecError, match="metric 'typed' has no file to hash as its version"):
        shakeproof.metric("typed")(function)


def test_a_class_of_options_is_a_kind_as_it_is():
    class Weighted(Options):
        summary = "weighted"
        weight: float = 1.0

    shakeproof.metric("weighted")(Weighted)

    assert METRICS["weighted"] is Weighted
    assert "weighted-free" not in METRICS


def lengths(tuples):
    """Count the letters of all texts together."""
    return [sum(map(len, texts)) for texts in tuples]


@pytest.mark.parametrize(
    ("together", "asked"),
    [
        pytest.param(False, [("a", "bb"), ("a", "c")], id="each reference"),
        pytest.param(True, [("a", "bb", "c")], id="all references"),
    ],
)
def test_a_scorer_rates_tuples_at_once_and_is_a_kind_of_metric(together, asked):
    assert shakeproof.scorer("lengths", version="1", together=together)(lengths) is lengths
    metric, free = (METRICS[name]().build({}, Settings()) for name in ("lengths", "lengths-free"))
    item = Instance("a", ("bb", "c"), "source")
    scorers, texts = zip(*metric.needs(item), strict=True)

    assert list(texts) == asked
    assert set(scorers) == {SCORERS["lengths"]}
    assert metric.combine(item, scorers[0].score(texts).tolist()) == (4 if together else 3)
    assert free.needs(item)[0][1] == ("a", "source")
    assert metric.signature == "registered|lengths|version:1"


def test_a_scorer_without_a_file_asks_for_a_version():
    with pytest.raises(SpecError, match="add version="):
        shakeproof.scorer("typed")(eval("lambda tuples: [1.0]"))

    assert "typed" not in METRICS
    assert "typed" not in SCORERS


class Count:
    """How many candidates there are."""

    def __init__(self, compared):
        self.compared = compared


def test_a_statistic_becomes_an_expectation_with_bounds():
    made = shakeproof.statistic("counted", label="count", over_levels=True)
    assert made(Count) is Count
    model = EXPECTATIONS["counted"]
    expect = model(at_most=3)

    assert (model.name, model.summary) == ("counted", "How many candidates there are.")
    assert (model.over_levels, model.needs_perturb, model.correlational) == (True, False, False)
    assert expect.statement == "count is at most 3.00"
    assert expect.statistic("cell").compared == "cell"
    with pytest.raises(SpecError, match="expectation 'counted' is registered already"):
        shakeproof.statistic("counted")(lengths)
    with pytest.raises(SpecError, match="counted needs a bound"):
        parse(
            TEXT.replace("METRIC", "chrf").replace("{score_change: {at_most: 1}}", "counted"),
            Path("f"),
        )


def test_a_cell_of_a_notebook_may_be_run_again_in_another_version():
    for code in ("1.0", "2.0"):
        source = f"def score(candidate, reference):\n    return {code}\n"
        names = {"__name__": "__main__"}
        exec(compile(source, f"<cell {code}>", "exec"), names)
        shakeproof.metric("cell", version=code)(names["score"])

    assert METRICS["cell"]().build({}, Settings()).signature.endswith("version:2.0")


def test_an_expectation_is_known_by_its_name():
    @shakeproof.expectation
    class Mine(Bounded):
        name = "mine_holds"
        summary = "Mine holds."

    assert EXPECTATIONS["mine_holds"] is Mine


SEGMENT = Segment(
    "1",
    (Candidate("a", 1.0, ("A",), {"B": 0.5}, {"rating_z": 2}), Candidate("b")),
    ("r",),
    "s",
    ((0, 1),),
    {"references": {"visual": {"0.1": ("ř",)}}},
    "g",
    {"language": "en"},
)
ROW = {"id": "1", "references": ["r"], "candidates": [{"text": "a"}]}


def test_a_data_set_may_be_given_as_segments():
    shakeproof.data_set("given")(lambda: [SEGMENT])

    data = load_data("given", folder=Path())

    assert data.segments == (SEGMENT,)
    assert data.name == data.path == "given"
    assert load_data("given", folder=Path()).sha256 == data.sha256


def test_a_data_set_may_be_given_as_rows_of_a_file():
    shakeproof.data_set("given")(lambda: iter([ROW]))

    assert load_data("given", folder=Path(), name="group").name == "group"


def test_a_data_set_may_be_given_as_a_path_from_the_file_of_its_function(tmp_path):
    (tmp_path / "d.jsonl").write_text(
        '{"id": "7", "references": [], "candidates": [{"text": "x"}]}\n'
    )
    run_conftest(
        tmp_path,
        "import shakeproof\n@shakeproof.data_set('given')\ndef given():\n    return 'd.jsonl'\n",
    )

    assert load_data("given", folder=Path("elsewhere")).segments[0].id == "7"


@pytest.mark.parametrize(
    ("give", "message"),
    [
        pytest.param(lambda: 1 / 0, "cannot be loaded: ZeroDivisionError: division", id="breaks"),
        pytest.param(lambda: 3, "cannot be loaded: TypeError: 'int' object", id="a number"),
        pytest.param(lambda: [{"id": {1}}], "cannot be loaded: TypeError: Object of", id="a set"),
        pytest.param(lambda: [{"id": "1"}], "given:1: the segment has no candidates", id="row"),
        pytest.param(list, "given:1: no segments", id="nothing"),
        pytest.param(lambda: "no.jsonl", "no.jsonl: no such file", id="path"),
    ],
)
def test_a_data_set_that_cannot_be_had_is_told_in_a_line(give, message):
    shakeproof.data_set("given")(give)

    with pytest.raises(SpecError, match=message) as caught:
        load_data("given", folder=Path())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("register", "message"),
    [
        (lambda: shakeproof.family("visual")(shout), "family 'visual' is built in"),
        (lambda: shakeproof.metric("chrf")(equal), "metric 'chrf' is built in"),
        (lambda: shakeproof.data_set("sample")(list), "data set 'sample' is built in"),
        (lambda: shakeproof.data_set("sts-captions")(list), "'sts-captions' is built in"),
        (lambda: shakeproof.family("a::b")(shout), "may not contain '::'"),
        (lambda: shakeproof.family("a", level="shares"), "family 'a': unknown level 'shares'"),
        (lambda: shakeproof.family("a", keep_meaning=True), "did you mean 'keeps_meaning'"),
        (lambda: shakeproof.family("a", languages="en"), "languages must be a list, got 'en'"),
        (lambda: shakeproof.metric("")(equal), "nor begin or end with a space"),
    ],
)
def test_a_name_that_is_taken_or_unfit_is_refused_in_a_line(register, message):
    with pytest.raises(SpecError, match=message) as caught:
        register()
    assert "\n" not in str(caught.value)


def test_a_name_registered_from_two_places_is_refused_with_the_first_place(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    run_conftest(tmp_path / "a")

    with pytest.raises(SpecError, match=r"metric 'mine' is registered already, as mine in .*a/c"):
        run_conftest(tmp_path / "b")


def test_a_refused_metric_leaves_nothing_behind():
    shakeproof.metric("mine-free")(equal)
    with pytest.raises(SpecError, match="'mine-free' is registered already"):
        shakeproof.metric("mine")(shout)

    assert "mine" not in METRICS


def test_the_same_conftest_may_be_imported_again(tmp_path):
    run_conftest(tmp_path)
    other = CONFTEST.replace("text.upper()", "text.casefold()")  # of another size, or Python
    again = run_conftest(tmp_path, other)  # takes it for the file it compiled this second

    assert again.shout("A", 1, None) == "a"
    assert PERTURBATIONS["shout"]("A", 1, Random(0)) == "a"


TEXT = """\
data: sample
metrics: {one: {METRIC: {}}}
checks:
  - check: one
    perturb: {FAMILY: {on: candidate, levels: [0.1]}}
    expect: {score_change: {at_most: 1}}
"""


def test_registered_names_are_read_and_suggested(tmp_path):
    run_conftest(tmp_path)

    assert parse(TEXT.replace("METRIC", "mine").replace("FAMILY", "shout"), Path("f")).checks
    with pytest.raises(SpecError) as caught:
        parse(TEXT.replace("METRIC", "mien").replace("FAMILY", "shuot"), Path("f"))
    assert "did you mean 'mine'?" in str(caught.value)
    assert "did you mean 'shout'?" in str(caught.value)


def test_registered_data_are_suggested():
    shakeproof.data_set("opening-hours")(lambda: [ROW])

    with pytest.raises(SpecError, match="did you mean 'opening-hours'"):
        load_data("opening-huors", folder=Path())


def test_a_checklist_cannot_declare_a_family_that_is_registered():
    shakeproof.family("shout")(shout)
    text = TEXT.replace("METRIC", "chrf").replace("FAMILY", "visual")

    with pytest.raises(SpecError, match="there is a family 'shout' already; choose another name"):
        parse("families: {shout: {replace: {a: b}}}\n" + text, Path("f"))


def test_registered_names_are_in_the_schema():
    shakeproof.family("shout")(shout)
    shakeproof.metric("equal")(equal)

    definitions = checklist_schema()["definitions"]

    assert "shout" in definitions["perturb"]["properties"]
    assert "equal" in definitions["metric"]["properties"]
