"""Runs of any size, and pages that mean harm, for all tests of reports."""

import pytest
from built_hostile import hostile, one_family
from built_results import drop
from built_runs import demo, many_results, published, wrap

from shakeproof.reports import render
from shakeproof.reports.gallery import Entry, Group, Shown


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
    shown = (Shown(("0.1",), "Now come", "Nw come"), Shown(("1",), "Now come", "Nw cm"))
    names = [("letters", ("drop", "swap")), ("words", ("shuffle",))]
    return [
        Group(
            group,
            "What goes wrong.",
            tuple(Entry(n, "It.", "p", ("kept",), (), shown) for n in family),
        )
        for group, family in names
    ]
