"""Runs of any size, and runs with hostile texts, for all tests of reports."""

import pytest
from built_hostile import hostile, one_family
from built_results import drop
from built_runs import demo, many_results, published, wrap
from built_texts import spans

from shakeproof.reports import render
from shakeproof.reports.gallery import FamilyEntry, FamilyGroup, PerturbedText


@pytest.fixture(scope="session")
def demo_run():
    return demo()


@pytest.fixture(scope="session")
def demo_page(demo_run):
    return render(demo_run)


@pytest.fixture(scope="session")
def big_run():
    return wrap(many_results(500), published=published())


@pytest.fixture(scope="session")
def make_run():
    return wrap


@pytest.fixture(scope="session")
def make_drop():
    return drop


@pytest.fixture(scope="session")
def hostile_run():
    return hostile


@pytest.fixture(scope="session")
def make_gallery():
    return one_family


@pytest.fixture(scope="session")
def gallery():
    examples = (
        PerturbedText(("0.1",), "Now come", "Nw come", spans("N[o|]w come")),
        PerturbedText(("1",), "Now come", "Nw cm", spans("N[o|]w c[o|]m[e|]")),
    )
    groups = {"letters": ("drop", "swap"), "words": ("shuffle",)}
    return [
        FamilyGroup(
            group,
            "What goes wrong.",
            tuple(FamilyEntry(name, "It.", "p", ("kept",), (), examples) for name in names),
        )
        for group, names in groups.items()
    ]
