"""Properties of every family in the registry."""

from math import ceil, sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shakeproof.perturbations import PERTURBATIONS, Context, Rule
from shakeproof.perturbations.clusters import cluster_spans
from shakeproof.perturbations.editing import InPlace, apply
from shakeproof.perturbations.family import Editor
from shakeproof.perturbations.strategies import contexts, levels, texts

AROUND = Context(
    source="A green frog was found in 3 packets of flour. Nobody ate it.",
    references=("They found 3 frogs.",),
    candidates=("Some frogs were found.", "Frogs!"),
    neighbour=Context(
        source="The council will meet on Monday. It may rain.",
        references=("The council meets on Monday.",),
        candidates=("A meeting is on Monday. Bring 2 pens.",),
    ),
)
every_family = pytest.mark.parametrize("family", PERTURBATIONS.values(), ids=PERTURBATIONS)
few = settings(max_examples=12, deadline=None)
seeds = st.integers(0, 2**32)


def graded(*rules):
    families = [family for family in PERTURBATIONS.values() if family.rule in rules]
    return pytest.mark.parametrize("family", families, ids=lambda family: family.name)


def spans(edits):
    return [(edit.start, edit.end) for edit in edits]


@every_family
@few
@given(data=st.data(), text=texts(), seed=seeds, context=contexts())
def test_same_stream_same_text(family, data, text, seed, context):
    level = data.draw(levels(family))
    first, second = (family(text, level, Random(seed), context) for _ in range(2))

    assert first == second


@every_family
@few
@given(text=texts(), seed=seeds, context=contexts())
def test_level_zero_is_the_identity(family, text, seed, context):
    assert family(text, 0, Random(seed), context) == text
    assert family.edits(text, 0, Random(seed), context) == []


@every_family
@few
@given(data=st.data(), text=texts(), seed=seeds, context=contexts())
def test_nothing_changes_outside_the_edits(family, data, text, seed, context):
    level = data.draw(levels(family))
    edits = family.edits(text, level, Random(seed), context)

    assert apply(text, edits) == family(text, level, Random(seed), context)


@every_family
@few
@given(data=st.data(), text=texts(), seed=seeds, context=contexts())
def test_sites_lie_in_order_and_do_not_overlap(family, data, text, seed, context):
    edits = family.edits(text, data.draw(levels(family)), Random(seed), context)
    bounds = [bound for span in spans(edits) for bound in span]

    assert bounds == sorted(bounds)
    assert len(set(spans(edits))) == len(edits)
    assert not bounds or (bounds[0] >= 0 and bounds[-1] <= len(text))


@graded(Rule.SHARE, Rule.CHANCE, Rule.COUNT)
@few
@given(data=st.data(), text=texts(), seed=seeds, context=contexts())
def test_a_higher_level_changes_a_superset_of_sites(family, data, text, seed, context):
    low, high = sorted(data.draw(st.tuples(levels(family), levels(family))))
    lower, higher = (
        spans(family.edits(text, level, Random(seed), context)) for level in (low, high)
    )

    assert not family.nested or set(lower) <= set(higher)


@every_family
@few
@given(data=st.data(), text=texts(), seed=seeds, context=contexts())
def test_edits_do_not_split_grapheme_clusters(family, data, text, seed, context):
    edits = family.edits(text, data.draw(levels(family)), Random(seed), context)
    seams = {bound for span in cluster_spans(text) for bound in span} | {0, len(text)}

    assert {bound for span in spans(edits) for bound in span} <= seams


@every_family
@few
@given(data=st.data(), text=texts(), seed=seeds, context=contexts())
def test_output_is_valid_text(family, data, text, seed, context):
    damaged = family(text, data.draw(levels(family)), Random(seed), context)

    assert damaged.encode("utf-8").decode("utf-8") == damaged


@graded(Rule.SHARE)
@few
@given(text=texts(), seed=seeds, context=contexts(), level=st.floats(0.001, 1))
def test_a_share_is_rounded_up(family, text, seed, context, level):
    sites = len(family.edits(text, 1, Random(seed), context))
    total = getattr(family.function, "total", None)
    expected = ceil(level * (total(text) if total else sites) - 1e-9)

    assert len(family.edits(text, level, Random(seed), context)) == min(sites, expected)


@graded(Rule.COUNT)
@few
@given(text=texts(), seed=seeds, context=contexts(), level=st.integers(1, 5))
def test_a_count_is_met_while_sites_last(family, text, seed, context, level):
    sites = len(family.edits(text, len(text) + 99, Random(seed), context))
    expected = level if isinstance(family.function, Editor) else 1

    assert len(family.edits(text, level, Random(seed), context)) == min(sites, expected)


@graded(Rule.CHANCE)
@pytest.mark.parametrize("level", [0.1, 0.5])
def test_a_chance_meets_each_site_independently(family, level):
    text = f"{family.example} " * 400
    odds = family.function.odds(level)
    sites = len(family.function.sites(text))
    chosen = len(family.edits(text, level, Random(1), AROUND))

    assert isinstance(family.function, InPlace)
    assert sites >= 400
    assert abs(chosen / sites - odds) < 4 * sqrt(odds * (1 - odds) / sites)


@every_family
def test_the_example_is_changed_unless_the_family_is_a_control(family):
    assert (family(family.example, 1, Random(0), AROUND) == family.example) is family.control


@every_family
def test_the_seed_matters_to_random_families_alone(family):
    text = " ".join([family.example] * 5)
    level = 0.5 if family.takes(0.5) else 1
    outcomes = {family(text, level, Random(seed), AROUND) for seed in range(20)}

    assert (len(outcomes) > 1) == family.random


@every_family
def test_families_say_what_they_do(family):
    assert family.summary[0].isupper()
    assert family.summary.endswith(".")
    assert family.level_means
    assert family.rule is Rule.SWITCH or family.unit
