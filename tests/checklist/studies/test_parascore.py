"""The study of Shen et al. 2022: its measures, its checklists, its published numbers."""

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from shakeproof.cli.main import main
from shakeproof.metrics.settings import Settings
from shakeproof.results import Outcome, agreement
from shakeproof.spec.read import build_checklist
from shakeproof.studies import STUDIES
from shakeproof.studies.available import prepare_study
from shakeproof.studies.parascore import (
    bleu_letters,
    bleu_letters_swapped,
    bleu_words,
    closeness,
    distance,
    rouge_1,
    rouge_2,
    rouge_l,
)
from shakeproof.studies.published import published_numbers, read_tables

STUDY = STUDIES["parascore"]
OFFLINE = Settings(offline=True)


@pytest.mark.parametrize(
    ("candidate", "reference", "expected"),
    [
        pytest.param("a b c", "a b c", (1, 1, 1), id="equal"),
        pytest.param("The cat sat", "the cat sat", (2 / 3, 0.5, 2 / 3), id="capitals count"),
        pytest.param("a a a b", "a b", (1, 2 / 3, 1), id="repeats do not"),
        pytest.param("one. two three", "three two. one", (1, 0, 2 / 3), id="sentences"),
        pytest.param("c b a", "a b c", (1, 0, 1 / 3), id="order"),
        pytest.param("你 好 吗", "你 好", (0.8, 2 / 3, 0.8), id="Chinese, spaced"),
        pytest.param("a. ", "a", (2 / 3, 0, 2 / 3), id="an empty sentence is a word"),
        pytest.param("", "a", (0, 0, 0), id="empty"),
        pytest.param("...", "a", (0, 0, 0), id="nothing but full stops"),
    ],
)
def test_rouge_is_what_the_package_rouge_gives(candidate, reference, expected):
    scores = [measure(candidate, reference) for measure in (rouge_1, rouge_2, rouge_l)]

    assert scores == pytest.approx(expected, abs=2e-8)


@pytest.mark.parametrize(
    ("candidate", "reference"),
    [
        pytest.param("A man is eating a big apple.", "a man eats a big apple.", id="close"),
        pytest.param("I saw a cat", "u c a t i", id="single letters"),
        pytest.param("a", "a b c d e f", id="short"),
        pytest.param("you're #1 :)", "You're no. 1!", id="signs"),
        pytest.param("x y", "a b", id="nothing in common"),
        pytest.param("", "a b", id="empty"),
    ],
)
def test_bleu_is_nltks_with_the_mistake_and_without(candidate, reference):
    nltk = pytest.importorskip("nltk")
    scoring = nltk.translate.bleu_score
    smooth = scoring.SmoothingFunction().method1
    split = nltk.tokenize.NLTKWordTokenizer().tokenize
    ours, theirs = split(candidate.lower()), split(reference.lower())

    def bleu(references, words):
        score = nltk.translate.bleu_score.sentence_bleu(
            references, words, smoothing_function=smooth
        )
        return pytest.approx(100 * score)

    assert bleu_words(candidate, reference) == bleu([theirs], ours)
    assert bleu_letters(candidate, reference) == bleu(theirs, ours)
    if ours:
        assert bleu_letters_swapped(candidate, reference) == bleu(ours, theirs)


@pytest.mark.parametrize(
    ("candidate", "other", "expected"),
    [
        pytest.param("kitten", "sitting", 3 / 7, id="letters"),
        pytest.param("如 何 还 款", "怎 么 还 款", 0.5, id="Chinese, spaced"),
        pytest.param("如何还款", "怎么还款", 0.5, id="Chinese"),
        pytest.param("a b c", "a b c d e f gh", 9 / 14, id="one of them is not spaced"),
        pytest.param("", "", 0, id="empty"),
        pytest.param("", "😀", 1, id="emoji"),
        pytest.param("مرحبا", "مرحبا", 0, id="from right to left"),
        pytest.param("a" * 10_000, "a" * 5_000, 0.5, id="long"),
    ],
)
def test_spaces_between_all_characters_are_no_distance(candidate, other, expected):
    assert distance(candidate, other) == pytest.approx(expected)
    assert closeness(candidate, other) == pytest.approx(1 - expected)


def whole_checklist(name):
    return build_checklist(STUDY.content(name), Path(name))


def test_every_published_number_names_a_metric_and_a_check_that_there_are():
    checklists = {name: whole_checklist(name) for name in STUDY.checklists}
    numbers = list(published_numbers(read_tables(STUDY.published_text())))
    wrong = []
    for number in numbers:
        if number.source.elsewhere or number.source.count:
            continue
        for source in (number.source, number.source.substitute()):
            checks = {check.name: check.metrics for check in checklists[source.checklist].checks}
            if source.metric not in checks.get(source.check, ()):
                wrong.append((number, source.metric, source.check))

    assert wrong == []
    assert len(numbers) == 257


def test_the_checklists_for_chinese_have_their_own_data_language_and_models():
    for name in (name for name in STUDY.checklists if name.endswith("-bq")):
        chinese, english = map(whole_checklist, (name, name.removesuffix("-bq")))
        models = {getattr(one.options, "model", None) for one in chinese.metrics.values()}

        assert (chinese.data, chinese.language) == ({"bq": "bq-para.jsonl"}, "zh")
        assert chinese.checks[0].metrics == english.checks[0].metrics
        assert models & {"bert-base-uncased", "roberta-large", "facebook/bart-large-cnn"} == set()


WORDS = ["怎么", "如何", "提前", "还款", "借款", "贷款", "为什么", "不能", "可以", "利息", "额度"]


def question(number):
    words = (WORDS[(number * k + k) % len(WORDS)] for k in range(2, 6))
    return "".join(words) + str(number)


def write_release(folder):
    """Write pickles of the release's layout: 40 questions, each with three candidates."""
    inputs = [question(number) for number in range(40)]
    references = {x: [x.replace("怎么", "如何") + "呢"] for x in inputs}
    candidates = {x: [(x[1:], 0.8), (x + "的呢", 1.0), (x[:2], 0.2)] for x in inputs}
    folder.mkdir()
    (folder / "source-reference.pickle").write_bytes(pickle.dumps(references))
    (folder / "source-candidate.pickle").write_bytes(pickle.dumps(candidates))
    return inputs


@pytest.fixture(scope="module")
def chinese(tmp_path_factory, run_in_memory):
    """The study on made-up data in the layout of BQ-Para, without models."""
    folder = tmp_path_factory.mktemp("bq")
    inputs = write_release(folder / "bq")
    import_to = str(folder / "bq-para.jsonl")
    assert main(["import", "parascore", str(folder / "bq"), "--spaced", "-o", import_to]) == 0
    available = prepare_study(STUDY, folder, OFFLINE, models=[])
    return inputs, folder, run_in_memory(with_few_draws(available), offline=True)


def with_few_draws(available):
    """Save time: these tests are not about intervals."""
    few = (replace(checklist, draws=100) for checklist in available.checklists)
    return replace(available, checklists=tuple(few))


def test_characters_are_spaced_as_the_release_does(chinese):
    inputs, folder, _ = chinese
    first = (folder / "bq-para.jsonl").read_text("utf-8").split("\n")[0]

    assert f'"source": "{" ".join(inputs[0])}"' in first
    assert f'"text": "{" ".join(inputs[0] + "的呢")}"' in first


def test_data_in_the_layout_of_bq_para_run_without_changes(chinese):
    _, _, run = chinese

    assert {one.file for one in run.checklists} == {
        f"{name}.checklist.yaml" for name in STUDY.checklists if name.endswith("-bq")
    }
    assert [one.message for one in run.results if one.outcome is Outcome.ERROR] == []
    assert len(run.results) > 60


def test_the_numbers_for_chinese_are_compared_with_those_measured(chinese):
    _, _, run = chinese
    measured = {
        (one.table, one.row, one.column): one.measured.value
        for one in run.published
        if one.measured
    }

    assert measured["Table 12", "BQ-Para", "#candidate"] == 120
    assert measured["Table 12", "BQ-Para", "avg candidate"] == 3
    for row in ("BLEU-4", "Rouge-1", "Rouge-2.Free", "Rouge-L"):
        assert ("Table 1", row, "BQ-Para Pearson") in measured
    assert 0 < measured["Table 3", "Proportion", "BQ-Para II"] <= 1
    assert not any(column.startswith("Twitter") for _, _, column in measured)


def test_chinese_without_spaces_between_characters_gets_them(chinese, tmp_path, run_in_memory):
    _, _, spaced = chinese
    write_release(tmp_path / "bq")
    file = tmp_path / "bq-para.jsonl"
    assert main(["import", "parascore", str(tmp_path / "bq"), "-o", str(file)]) == 0
    available = prepare_study(STUDY, tmp_path, OFFLINE, models=[])
    run = run_in_memory(with_few_draws(available), offline=True)

    assert available.remarks[-1].startswith("bq-para.jsonl: spaces are put between all characters")
    assert run.published == spaced.published


def test_ibleu_on_chinese_is_compared_with_the_plain_formula(chinese):
    _, _, run = chinese
    rows = [number for number in run.published if number.row == "iBLEU(0.2)"]
    measured = {number.column: number.result for number in rows if number.measured}

    assert {column.split("(")[0].split()[0] for column in measured} == {"BQ-Para"}
    assert all("::ibleu::" in result for result in measured.values())
    assert not any("mistake" in number.note for number in rows)
    assert all("it is not known with which BLEU" in number.note for number in rows)


def test_what_needs_other_weights_says_which(chinese):
    _, _, run = chinese
    notes = {(one.row, one.column): one.note for one in run.published if one.table == "Table 1"}

    assert "bert-base-chinese was not run" in notes["BERTScore(B)", "BQ-Para Pearson"]
    assert "twitter-para.jsonl is not in the folder" in notes["Rouge-1", "Twitter-Para Pearson"]


@pytest.fixture(scope="module")
def twitter(shared, run_in_memory):
    """The n-gram metrics of the study on Twitter-Para."""
    pytest.importorskip("nltk")
    available = prepare_study(STUDY, shared / "data", OFFLINE, models=[])
    run = run_in_memory(only_n_grams(with_few_draws(available)), offline=True)
    return {
        (number.table, number.row, number.column): number
        for number in run.published
        if number.measured
    }


N_GRAMS = {
    "BLEU-4": "bleu-letters",
    "Rouge-1": "rouge-1",
    "Rouge-2": "rouge-2",
    "Rouge-L": "rouge-l",
}
NEEDED = {*N_GRAMS.values(), *(f"{name}.free" for name in N_GRAMS.values()), "distance-to-input"}


def only_n_grams(available):
    """Leave out what the published n-gram numbers do not need."""
    checklists = (
        replace(checklist, checks=needed_checks(checklist))
        for checklist in available.checklists
        if "extended" not in checklist.path.name
    )
    return replace(available, checklists=tuple(checklists))


def needed_checks(checklist):
    checks = (
        replace(check, metrics=tuple(name for name in check.metrics if name in NEEDED))
        for check in checklist.checks
        if check.expect.name != "beats_yardsticks"
    )
    return tuple(check for check in checks if check.metrics)


@pytest.mark.realdata
@pytest.mark.slow
def test_published_n_gram_rows_are_met_to_the_printed_digits(twitter):
    rows = [f"{name}{free}" for name in N_GRAMS for free in ("", ".Free")]
    missed = [
        (row, kind)
        for row in rows
        for kind in ("Pearson", "Spearman")
        if agreement(twitter["Table 1", row, f"Twitter-Para {kind}"]) != "equal"
    ]

    assert missed == []


@pytest.mark.realdata
@pytest.mark.slow
def test_published_cases_are_met_but_for_one_number(twitter):
    table = [
        one
        for (name, _, column), one in twitter.items()
        if name == "Table 2" and column.startswith("Twitter-Para")
    ]
    missed = [(one.row, one.column) for one in table if agreement(one) != "equal"]

    assert len(table) == 12
    assert missed == [("Rouge1.Free", "Twitter-Para I")]


@pytest.mark.realdata
@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "row", "column"),
    [
        pytest.param("Table 3", "Proportion", "Twitter-Para I", id="case I"),
        pytest.param("Table 3", "Proportion", "Twitter-Para II", id="case II"),
        pytest.param("Table 4", "#num", "Twitter-Para Base", id="pairs"),
        pytest.param("Table 11", "Twitter-Para", "#input", id="inputs"),
        pytest.param("Table 11", "Twitter-Para", "#candidate", id="candidates"),
        pytest.param("Table 11", "Twitter-Para", "avg candidate", id="candidates per input"),
    ],
)
def test_published_shares_and_counts_are_met(twitter, table, row, column):
    assert agreement(twitter[table, row, column]) == "equal"
