"""A scripted server whose models are judges with planted biases.

As a program, `python biased_server.py SEED`, it prints its address and runs until its input ends.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Any

from biased_judges import BiasedPairScorer
from server import Reply, better_reply, prompt_of, score_reply, scripted_server

from shakeproof.metrics.protocols import Instance

GRADES = 9
PART = re.compile(r"^=== ([a-z ]+) (\S+) ===\n(.*?)\n=== end \2 ===$", re.DOTALL | re.MULTILINE)


class BiasedServer:
    """Answers as the judge whose bias is the name of the model; each prompt anew each time."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._asked: Counter[tuple[str, str]] = Counter()
        self._lock = Lock()

    def __call__(self, request: dict[str, Any]) -> Reply:
        prompt, bias = prompt_of(request), request["model"]
        with self._lock:
            self._asked[bias, prompt] += 1
            draw = self._asked[bias, prompt]
        parts = {name: text for name, _, text in PART.findall(prompt)}
        scorer = BiasedPairScorer(bias, self._seed, draw, GRADES)
        if "candidate" in parts:
            return score_reply(int(scorer.rate(_instance(parts, "candidate"))), model=bias)
        pair = (_instance(parts, f"{place} candidate") for place in ("first", "second"))
        return better_reply("first" if scorer.prefer(*pair) else "second", model=bias)


def _instance(parts: Mapping[str, str], name: str) -> Instance:
    return Instance(parts[name], (parts["reference"],))


def raters(url: str, biases: Iterable[str], repeats: int) -> dict[str, Any]:
    """Declare a `judge` for each bias, by the name of the bias."""
    options = {
        "endpoint": url,
        "prompt": "adequacy",
        "answer": {"scale": [1, GRADES]},
        "repeats": repeats,
    }
    return {bias: {"judge": {"model": bias, **options}} for bias in biases}


def duels(url: str, biases: Iterable[str]) -> dict[str, Any]:
    """Declare a `judge-pairs` for each bias, by the name of the bias."""
    options = {"endpoint": url, "prompt": "adequacy", "rivals": 1}
    return {bias: {"judge-pairs": {"model": bias, **options}} for bias in biases}


if __name__ == "__main__":
    with scripted_server(BiasedServer(int(sys.argv[1]))) as program:
        print(program.url, flush=True)
        sys.stdin.read()
