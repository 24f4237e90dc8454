"""The checklist for judges, answered by a server whose models have planted biases."""

import biased_judges as planted
import pytest
from biased_server import BiasedServer, duels, raters
from ruamel.yaml import YAML
from server import scripted_server

import shakeproof

pytest.importorskip("aiohttp", reason="the extra `judges` is not installed")

SEED, SEGMENTS, DRAWS = 1, 32, 500
CHECKS = (
    "an appeal to authority earns nothing",
    "asked again, a metric says the same",
    "the order of the candidates does not matter",
    "the judge gives the same answer twice",
)


def test_models_are_convicted_of_their_planted_bias_and_of_nothing_else(tmp_path):
    with scripted_server(BiasedServer(SEED)) as server:
        rating = raters(server.url, ("none", "noise", "authority"), repeats=2)
        comparing = duels(server.url, ("none", "position"))
        comparing = {f"{bias}, in pairs": options for bias, options in comparing.items()}
        content = planted.checklist_for(rating, comparing, seed=SEED)
        checks = [check for check in content["checks"] if check["check"] in CHECKS]
        path = tmp_path / "planted.checklist.yaml"
        YAML().dump({**content, "checks": checks, "draws": DRAWS}, path)
        results = shakeproof.run(path, limit=SEGMENTS, search=0).results
    convicted = {
        metric: {one.check for one in results if one.metric == metric and one.verdict == "fail"}
        for metric in (*rating, *comparing)
    }

    assert convicted == {
        name: planted.OWN_CHECKS[name.split(", ")[0]] & set(CHECKS) for name in convicted
    }
