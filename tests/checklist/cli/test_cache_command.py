"""`shakeproof cache`: the scores and costs that it shows, and deletes."""

import numpy as np
import pytest

from shakeproof.cli.main import main
from shakeproof.metrics.asking import Usage
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.stored_usage import Counter

pytestmark = pytest.mark.usefixtures("folder")


def test_a_signature_is_shown_in_one_line_however_narrow_the_terminal(folder, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    signature = "chrf|" + "setting:value|" * 20
    with Cache(folder / "scores.sqlite") as cache:
        cache.put_many(signature, [("a", "b")], np.array([1.0]))
    main(["cache", "info", "--file", "scores.sqlite"])

    assert f"1       {signature}\n" in capsys.readouterr().out


def test_the_cache_is_shown_and_emptied(folder, capsys):
    with Cache(folder / "scores.sqlite") as cache:
        cache.put_many("chrf|v:1", [("a", "b"), ("a", "c")], np.array([1.0, 2.0]))

    assert main(["cache", "info", "--file", "scores.sqlite"]) == 0
    assert "2       chrf|v:1" in capsys.readouterr().out
    assert main(["cache", "clear", "--file", "scores.sqlite"]) == 0
    assert capsys.readouterr().out.startswith("deleted 2 scores")
    with Cache(folder / "scores.sqlite") as cache:
        assert cache.info().scores == {}


def test_the_cache_shows_what_answers_cost(folder, capsys):
    with Cache(folder / "scores.sqlite") as cache:
        cache.put_answers(
            {("a",): 4.0}, [Counter("run", "judge|v:1", "m", True, Usage(1, 1200, 9))]
        )
    main(["cache", "info", "--file", "scores.sqlite"])

    shown = "1 call with 1,200 + 9 tokens answered by 'm': judge|v:1"
    assert shown in capsys.readouterr().out
