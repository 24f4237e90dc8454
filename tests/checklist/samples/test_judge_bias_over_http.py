"""The checklist for judges, answered by a server whose models have planted biases."""

import re
from collections import Counter
from threading import Lock

import biased_judges as planted
import pytest
import server
from ruamel.yaml import YAML

import shakeproof

pytest.importorskip("aiohttp", reason="the extra `judges` is not installed")

SEGMENTS, DRAWS, GRADES = 32, 500, 9
PART = re.compile(r"^=== ([a-z ]+) (\S+) ===\n(.*?)\n=== end \2 ===$", re.DOTALL | re.MULTILINE)
CHECKS = (
    "an appeal to authority earns nothing",
    "asked again, a metric says the same",
    "the order of the candidates does not matter",
    "the judge gives the same answer twice",
)


class BiasedServer:
    """Answers as the judge whose bias is the name of the model; each prompt anew each time."""

    def __init__(self):
        self.asked = Counter()
        self.lock = Lock()

    def __call__(self, request):
        prompt, bias = server.prompt_of(request), request["model"]
        with self.lock:
            self.asked[bias, prompt] += 1
            draw = self.asked[bias, prompt]
        parts = {name: text for name, _, text in PART.findall(prompt)}
        scorer = planted.BiasedPairScorer(bias, 1, draw, GRADES)
        if "candidate" in parts:
            return server.score_reply(int(scorer.rate(instance(parts, "candidate"))), model=bias)
        first = scorer.prefer(
            *(instance(parts, f"{place} candidate") for place in ("first", "second"))
        )
        return server.better_reply("first" if first else "second", model=bias)


def instance(parts, name):
    return planted.Instance(parts[name], (parts["reference"],))


def test_models_are_convicted_of_their_planted_bias_and_of_nothing_else(tmp_path):
    with server.scripted_server(BiasedServer()) as running:
        asked = {"endpoint": running.url, "prompt": "adequacy"}
        rated = {"answer": {"scale": [1, GRADES]}, "repeats": 2, **asked}
        raters = {
            bias: {"judge": {"model": bias, **rated}} for bias in ("none", "noise", "authority")
        }
        duels = {
            f"{bias}, in pairs": {"judge-pairs": {"model": bias, "rivals": 1, **asked}}
            for bias in ("none", "position")
        }
        content = planted.checklist_for(raters, duels, seed=1)
        checks = [check for check in content["checks"] if check["check"] in CHECKS]
        path = tmp_path / "planted.checklist.yaml"
        YAML().dump({**content, "checks": checks, "draws": DRAWS}, path)
        results = shakeproof.run(path, limit=SEGMENTS, search=0).results
    convicted = {
        metric: {one.check for one in results if one.metric == metric and one.verdict == "fail"}
        for metric in (*raters, *duels)
    }

    assert convicted == {
        name: planted.OWN_CHECKS[name.split(", ")[0]] & set(CHECKS) for name in convicted
    }
