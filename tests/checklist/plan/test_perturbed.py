from dataclasses import replace

import pytest

from shakeproof.data.segments import Candidate, Segment
from shakeproof.errors import SpecError
from shakeproof.perturbations import PERTURBATIONS
from shakeproof.perturbations.families.declared import chain, from_object, own, replace_parts
from shakeproof.plan.neighbours import neighbour_positions
from shakeproof.plan.perturbed import (
    CLEAN,
    Condition,
    perturbed,
    perturbed_segment,
    perturbed_together,
    texts,
)


def segment(identity, *, group="", **rest):
    candidates = (Candidate(f"first try number {identity}"), Candidate("another one"))
    return Segment(
        identity,
        candidates,
        references=("a reference here",),
        source="an input",
        group=group,
        **rest,
    )


SEGMENTS = tuple(segment(str(number)) for number in range(20))
NOISE = Condition("keyboard-typo", "reference", 0.3, seed=1)


def test_clean_leaves_all_segments_as_they_are():
    assert perturbed(CLEAN, SEGMENTS) == SEGMENTS


@pytest.mark.parametrize("field", ["candidate", "reference", "source"])
def test_only_the_named_field_changes(field):
    noisy = perturbed(replace(NOISE, field=field), SEGMENTS)

    assert texts(noisy[0], field) != texts(SEGMENTS[0], field)
    others = {"candidate", "reference", "source"} - {field}
    assert all(texts(noisy[0], other) == texts(SEGMENTS[0], other) for other in others)


def test_texts_do_not_depend_on_the_order_or_company_of_segments():
    forwards = {one.id: one for one in perturbed(NOISE, SEGMENTS)}
    backwards = {one.id: one for one in perturbed(NOISE, SEGMENTS[::-1])}
    alone = perturbed(NOISE, SEGMENTS[3:4])[0]

    assert forwards == backwards
    assert alone == forwards["3"]


@pytest.mark.parametrize("family", ["keyboard-typo", "visual", "phonetic"])
@pytest.mark.parametrize("segments", [SEGMENTS, ()], ids=["segments", "no segments"])
def test_levels_drawn_together_give_the_texts_of_each_level(family, segments):
    levels = [Condition(family, "candidate", level, seed=1) for level in (0.3, 0.1, 0.9)]

    assert perturbed_together(levels, segments) == {
        condition: perturbed(condition, segments) for condition in levels
    }


def test_another_seed_gives_another_text():
    assert perturbed(NOISE, SEGMENTS) != perturbed(replace(NOISE, seed=2), SEGMENTS)


def test_equal_candidates_at_other_positions_are_damaged_differently():
    twins = replace(SEGMENTS[0], candidates=(Candidate("the very same long text of words"),) * 8)
    noisy = perturbed(replace(NOISE, field="candidate"), [twins])[0]

    assert len({candidate.text for candidate in noisy.candidates}) > 1


def neighbours(segments):
    """Return the neighbour of each segment, by group and id."""
    positions = neighbour_positions(segments, 0)
    keys = [(segment.group, segment.id) for segment in segments]
    return {key: keys[other] for key, other in zip(keys, positions, strict=True)}


def test_every_segment_has_another_one_as_neighbour_whatever_the_order():
    found = neighbours(SEGMENTS)

    assert found == neighbours(SEGMENTS[::-1])
    assert all(other != key for key, other in found.items())
    assert len(set(found.values())) == len(SEGMENTS)


def test_neighbours_are_of_the_same_group_also_where_ids_repeat():
    segments = [segment(str(number), group=group) for group in "ab" for number in range(3)]
    found = neighbours(segments)

    assert len(found) == 6
    assert all(other[0] == group for (group, _), other in found.items())


def test_a_lone_segment_has_no_neighbour():
    assert neighbours(SEGMENTS[:1]) == {("", "0"): ("", "0")}


def test_stored_texts_are_replayed_exactly():
    stored = {"references": {"visual": {"0.3": ("\u0251 reference",)}}}
    kept = segment("x", perturbed=stored)
    noisy = perturbed(Condition("visual", "reference", 0.3, stored=True), [kept])

    assert noisy[0].references == ("\u0251 reference",)


def test_a_level_that_is_not_stored_is_refused_by_name():
    with pytest.raises(SpecError, match=r"segment '0' stores no 'visual' at level 0.3"):
        perturbed(Condition("visual", "reference", 0.3, stored=True), SEGMENTS)


def test_families_may_be_handed_over():
    shout = from_object("shout", lambda text, level, rng: text.upper())
    noisy = perturbed(Condition("shout", "source", 1), SEGMENTS, {"shout": shout})

    assert noisy[0].source == "AN INPUT"


def test_a_chain_that_grows_without_end_is_a_mistake_in_one_line():
    doubled = own("doubled", *replace_parts({"a": "aa"}), summary="")
    families = {"growing": chain("growing", [(doubled, 1)] * 40)}

    with pytest.raises(SpecError, match="segment '0': 'doubled' makes a text longer than 10,000"):
        perturbed(Condition("growing", "reference", 1.0), SEGMENTS, families)


@pytest.mark.parametrize("family", PERTURBATIONS.values(), ids=lambda family: family.name)
def test_one_segment_alone_is_perturbed_as_among_the_others(family):
    level = 1.0 if family.takes(1.0) else 0.5
    for field in sorted(family.fields):
        condition = Condition(family.name, field, level, seed=1)
        whole = perturbed(condition, SEGMENTS[:5])
        assert perturbed_segment(condition, SEGMENTS[:5], 3) == whole[3]


def test_one_clean_or_stored_segment_is_taken_as_it_is():
    stored = {"references": {"mine": {"0.5": ("other",)}}}
    segments = (SEGMENTS[0], segment("kept", perturbed=stored))

    assert perturbed_segment(CLEAN, segments, 1) == segments[1]
    condition = Condition("mine", "reference", 0.5, stored=True)
    assert perturbed_segment(condition, segments, 1).references == ("other",)
