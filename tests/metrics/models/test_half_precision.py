"""Half precision, computed on the CPU, changes scores little, and says so where it cannot work."""

import numpy as np
import pytest

import shakeproof
from shakeproof.metrics.bertscore.scorer import BertScoreOptions
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine, MissingScores
from shakeproof.metrics.engine.jobs import Job, score
from shakeproof.metrics.formulas import BestReference
from shakeproof.metrics.kinds.bartscore import BartScoreOptions
from shakeproof.metrics.kinds.cosine import CosineOptions
from shakeproof.metrics.kinds.moverscore import MoverScoreOptions
from shakeproof.metrics.models.encoder import load_encoder
from shakeproof.metrics.models.seq2seq import load_seq2seq
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.settings import Settings

torch = pytest.importorskip("torch")

PAIRS = [("the cat sat on the mat", "a cat"), ("hello there", "hello"), ("x y", "y x")]
LARGEST = {"float16": 5e-4, "bfloat16": 5e-3}  # difference of a score; docs/scaling.md has more
CHECKLIST = """\
data: {data}
language: en
metrics: {{bertscore: {{bertscore: {{model: minilm}}}}}}
checks:
  - check: agreement
    expect: {{correlation: {{coefficient: wmt-kendall, at_least: 0.1}}}}
"""


def scorer(tiny, options, kind, precision, **values):
    settings = Settings("cpu", precision, offline=True)
    return options(model=str(tiny(kind).folder), **values).build({}, settings).scorer


@pytest.mark.parametrize("precision", LARGEST)
@pytest.mark.parametrize(
    ("options", "kind", "values"),
    [
        pytest.param(BertScoreOptions, "bert", {"layer": "mean"}, id="bertscore"),
        pytest.param(BertScoreOptions, "bert", {"layer": "mean-embedding"}, id="mean embedding"),
        pytest.param(CosineOptions, "bert", {}, id="cosine"),
        pytest.param(MoverScoreOptions, "bert", {"every_piece": True}, id="moverscore"),
        pytest.param(BartScoreOptions, "bart", {}, id="bartscore"),
    ],
)
def test_scores_are_close_to_those_of_float32(tiny, options, kind, values, precision):
    exact = scorer(tiny, options, kind, "float32", **values).score(PAIRS)
    rough = scorer(tiny, options, kind, precision, **values).score(PAIRS)

    np.testing.assert_allclose(rough, exact, rtol=0.05, atol=0.05)
    assert not np.array_equal(rough, exact)


@pytest.mark.model
@pytest.mark.realdata
@pytest.mark.parametrize(("precision", "segments"), [("float16", 40), ("bfloat16", 150)])
def test_agreement_with_people_changes_by_at_most_two_thousandths(
    shared, tmp_path, precision, segments
):
    path = tmp_path / "half.checklist.yaml"
    path.write_text(CHECKLIST.format(data=shared / "data" / "wmt19-kk-en.jsonl"))
    arguments = {"device": "cpu", "limit": segments, "offline": True, "search": 0}
    exact = shakeproof.run(path, precision="float32", **arguments)
    (tmp_path / "exact.json").write_text(exact.model_dump_json())
    run = shakeproof.run(path, precision=precision, baseline=tmp_path / "exact.json", **arguments)
    change = run.results[0].change

    assert f"precision:{precision} now" in change.metric_changes
    assert abs(change.estimate.value) <= 0.002
    if precision == "float16":  # the default; of bfloat16 even all segments say 0.0023
        assert -0.002 <= change.estimate.low <= change.estimate.high <= 0.002


@pytest.mark.model
def test_scores_of_minilm_differ_by_less_than_is_documented():
    texts = "The cat sat on the mat.", "A dog ran away!", "It is 12 o'clock in Almaty.", "Yes"
    pairs = [(candidate, reference) for candidate in texts for reference in texts]
    exact, *rough = (
        BertScoreOptions().build({}, Settings("cpu", precision, offline=True)).scorer.score(pairs)
        for precision in ("float32", *LARGEST)
    )
    for scores, largest in zip(rough, LARGEST.values(), strict=True):
        assert 0 < np.abs(scores - exact).max() < largest


@pytest.fixture
def overflowing(tiny, monkeypatch):
    """Make scorers of models whose numbers are too large for float16."""

    def make(options, kind, precision, **values):
        made = scorer(tiny, options, kind, precision, **values)
        load = load_seq2seq if options is BartScoreOptions else load_encoder
        model = load(*made.runtime.resolve()).model
        for weights in model.parameters():
            monkeypatch.setattr(weights, "data", weights.data * 3e4)
        return made

    return make


@pytest.mark.parametrize(
    ("options", "kind", "values"),
    [
        pytest.param(BertScoreOptions, "roberta", {}, id="bertscore"),
        pytest.param(CosineOptions, "roberta", {}, id="cosine"),
        pytest.param(MoverScoreOptions, "roberta", {"every_piece": True}, id="moverscore"),
        pytest.param(BartScoreOptions, "bart", {}, id="bartscore"),
    ],
)
def test_a_score_that_is_no_number_names_the_way_out(overflowing, options, kind, values):
    made = overflowing(options, kind, "float16", **values)
    (column,) = score(Job((made,), tuple(PAIRS)))

    assert {failure.kind for failure in column.failures.values()} == {
        "returned nan in float16, which may not hold its numbers; set precision: float32"
    }
    assert len(column.failures) == len(PAIRS)


def test_in_float32_nothing_is_said_of_precision(tiny, monkeypatch):
    made = scorer(tiny, CosineOptions, "bert", "float32")
    monkeypatch.setattr(type(made), "score", lambda self, tuples: np.full(len(tuples), np.nan))
    (column,) = score(Job((made,), tuple(PAIRS)))

    assert {failure.kind for failure in column.failures.values()} == {"returned nan"}


def test_a_run_without_any_score_names_the_way_out(overflowing):
    made = overflowing(BertScoreOptions, "roberta", "float16")
    metric, instance = BestReference(made), Instance(PAIRS[0][0], PAIRS[0][1:])
    with Cache() as cache:
        engine = Engine(cache)
        engine.fill([[(metric, instance)]])

        with pytest.raises(MissingScores, match=r"in float16, .*; set precision: float32"):
            engine.read(metric, [instance])
