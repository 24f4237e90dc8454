"""Published data sets in their own layouts become segments that load."""

import json
import pickle
from pathlib import Path

import pytest

from shakeproof.cli.main import main
from shakeproof.data.imports.darr_pickle import read_darr_pickle
from shakeproof.data.imports.demetr import read_demetr
from shakeproof.data.imports.good_bad import read_good_bad
from shakeproof.data.imports.instructions import read_evalbiasbench, read_llmbar
from shakeproof.data.imports.json_files import read_json
from shakeproof.data.imports.summedits import read_summedits
from shakeproof.data.imports.summeval import read_summeval
from shakeproof.data.loading import load_data
from shakeproof.errors import SpecError


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_json(path, value):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def demetr_entry(**changes):
    return {
        "id": 7,
        "src_sent": "ein Satz",
        "eng_sent": "one sentence",
        "mt_sent": "a sentence",
        "pert_sent": "a a sentence",
        "lang_tag": "german",
        "pert_check": True,
        "severity": "minor",
        "pert_name": "minor_id1_repeat2",
        **changes,
    }


def test_the_translation_without_the_error_is_preferred_and_the_category_is_the_group(folder):
    write_json("demetr/minor_id1_repeat2.json", [demetr_entry()])

    assert read_demetr(folder / "demetr") == [
        {
            "id": "7",
            "group": "minor_id1_repeat2",
            "severity": "minor",
            "language": "en",
            "source_language": "de",
            "source": "ein Satz",
            "references": ["one sentence"],
            "candidates": [{"text": "a sentence"}, {"text": "a a sentence"}],
            "preferences": [[0, 1]],
        }
    ]


@pytest.mark.parametrize(
    ("changes", "preferences"),
    [
        pytest.param({"pert_check": False}, [], id="no error could be made"),
        pytest.param({"pert_sent": "a sentence"}, [], id="equal texts"),
        pytest.param({"pert_name": "base_id35_reference"}, [[1, 0]], id="the reference is better"),
    ],
)
def test_what_demetr_prefers(changes, preferences):
    (row,) = read_demetr(write_json("d.json", [demetr_entry(**changes)]))

    assert row["preferences"] == preferences


ACES = """\
ID\tsource\tgood-translation\tincorrect-translation\treference\tphenomena\tlangpair\tX-good\tX-bad
5\tein\ta "good\ta bad\tref\taddition\tde-en\t0.5\t-1
6\tzwei\tb\tc\tref2\tomission\tde-fr\t\t
"""


def test_a_table_of_aces_has_phenomena_as_groups_and_scores(folder):
    (folder / "aces.tsv").write_text(ACES)

    first, second = read_good_bad(folder / "aces.tsv", "tsv")

    assert first == {
        "id": "5",
        "langpair": "de-en",
        "group": "addition",
        "source": "ein",
        "language": "en",
        "source_language": "de",
        "references": ["ref"],
        "candidates": [
            {"text": 'a "good', "scores": {"X": 0.5}},
            {"text": "a bad", "scores": {"X": -1.0}},
        ],
        "preferences": [[0, 1]],
    }
    assert (second["group"], second["candidates"]) == ("omission", [{"text": "b"}, {"text": "c"}])


def test_a_good_bad_table_may_have_other_names_of_columns(folder):
    (folder / "t.csv").write_text("right,wrong,kind,domain\na,b,number,news\n")

    names = ("--column", "good=right", "--column", "bad=wrong", "--column", "group=kind")
    code = main(["import", "good-bad", "t.csv", *names, "-o", "out.jsonl"])

    (segment,) = load_data("out.jsonl", folder=Path()).segments
    assert code == 0
    assert [candidate.text for candidate in segment.candidates] == ["a", "b"]
    assert (segment.group, segment.preferences) == ("number", ((0, 1),))
    assert segment.extra == {"domain": "news"}


def test_a_good_bad_table_without_bad_texts_is_one_line(folder, capsys):
    (folder / "t.csv").write_text("good,worse\na,b\n")

    code = main(["import", "good-bad", "t.csv", "-o", "out.jsonl"])

    assert code == 2
    assert capsys.readouterr().err == (
        "t.csv:1: no column 'bad'; say --column bad=NAME; columns are: good, worse\n"
    )


SUMMARY = {"coherence": 1.0, "consistency": 5.0, "fluency": 3.0, "relevance": 2.0}


def test_summeval_has_a_rating_for_each_aspect_and_their_mean(folder):
    summary = {"sys_summ": "short", "scores": SUMMARY}
    article = {"src": "long", "ref_summs": ["r", "s"], "sys_summs": {"M1": summary}}
    (folder / "data.pkl").write_bytes(pickle.dumps({"doc": article}))

    (row,) = read_summeval(folder / "data.pkl")

    assert (row["id"], row["source"], row["references"]) == ("doc", "long", ["r", "s"])
    assert row["candidates"] == [
        {"text": "short", "systems": ["M1"], "rating": 2.75, "ratings": SUMMARY}
    ]


def test_a_summary_is_rated_1_if_it_is_consistent_and_its_document_has_a_name(folder):
    entry = {"doc": "text", "original_summary": "seed", "split": "evaluation", "edit_types": []}
    entries = [
        {**entry, "id": "a", "summary": "seed", "label": 1},
        {**entry, "id": "b", "summary": "wrong", "label": 0, "edit_types": ["antonym_swap"]},
    ]
    write_json("s/summedits_news.json", entries)

    first, second = read_summedits(folder / "s")

    assert first["candidates"] == [{"text": "seed", "rating": 1.0}]
    assert second == {
        "id": "b",
        "group": "news",
        "document": "news-1",
        "language": "en",
        "edit_types": ["antonym_swap"],
        "source": "text",
        "references": ["seed"],
        "candidates": [{"text": "wrong", "rating": 0.0}],
    }


def test_a_judge_scores_by_the_share_of_orders_in_which_it_prefers_an_answer(folder):
    entry = {"input": "do it", "output_1": "yes", "output_2": "no", "label": 2}
    orders = {"swap = False": {"winner": "2"}, "swap = True": {"winner": "1"}}
    write_json("bar/Natural/dataset.json", [entry])
    write_json("bar/Natural/evaluators/GPT-4/CoT/result.json", [{"results": [orders]}])

    assert read_llmbar(folder / "bar") == [
        {
            "id": "1",
            "group": "Natural",
            "language": "en",
            "source": "do it",
            "candidates": [
                {"text": "yes", "scores": {"GPT-4 CoT": 0.5}},
                {"text": "no", "scores": {"GPT-4 CoT": 0.5}},
            ],
            "preferences": [[1, 0]],
        }
    ]


def test_a_bias_is_a_key_of_its_segments():
    entry = {"instruction": "i", "response1": "a", "response2": "b", "label": 1}
    path = write_json("bias.json", {"length bias": [entry], "concreteness": [entry]})

    first, second = read_evalbiasbench(path)

    assert (first["bias"], first["preferences"]) == ("length bias", [[0, 1]])
    assert (second["bias"], second["id"]) == ("concreteness", "2")


def judgement(better, worse, source="s", reference="r"):
    texts = {"A": "one", "B": "two", "C": "one"}
    sides = {"better": better, "worse": worse}
    rows = {side: {"sys_name": name, "sys": texts[name]} for side, name in sides.items()}
    return {"src": source, "ref": reference, **rows}


def test_systems_with_the_same_output_share_a_candidate(folder):
    pairs = {0: judgement("B", "A"), 1: judgement("C", "B"), 2: judgement("A", "C")}
    (folder / "p.pkl").write_bytes(pickle.dumps(pairs))

    (row, empty) = read_darr_pickle(folder / "p.pkl", sources=["s", "t"], references=["r", "u"])

    assert row == {
        "id": "1",
        "source": "s",
        "references": ["r"],
        "candidates": [{"text": "one", "systems": ["A", "C"]}, {"text": "two", "systems": ["B"]}],
        "preferences": [[1, 0], [0, 1]],
    }
    assert (empty["candidates"], empty["preferences"]) == ([], [])


def test_segments_with_equal_texts_are_told_apart_by_the_order_of_their_rows(folder):
    pairs = {0: judgement("B", "A"), 1: judgement("A", "B"), 2: judgement("C", "B")}
    (folder / "p.pkl").write_bytes(pickle.dumps(pairs))

    first, second = read_darr_pickle(
        folder / "p.pkl", sources=["s", "s"], references=["r", "r"], split_equal_after=1
    )

    assert first["preferences"] == [[1, 0]]
    assert second["preferences"] == [[0, 1], [0, 1]]


@pytest.mark.parametrize(
    ("read", "content", "line"),
    [
        (read_demetr, b"{}", "d: must be a list of objects, got a mapping"),
        (read_demetr, b"[1]", "d: entry 1 must be an object, got 1"),
        (read_demetr, b'[{"scr_sent": "x"}]', "d: entry 1 has no 'src_sent'; did you mean 'scr"),
        (read_demetr, b"[", "d: not valid JSON: "),
        (read_demetr, b"[" * 50_000, "d: not valid JSON: "),
        (read_evalbiasbench, b"[]", "d: must map biases to lists"),
        (read_llmbar, b"", "d: no dataset.json in this folder or below"),
        (read_summeval, pickle.dumps([1]), "d: must be {article: {src"),
        (read_summeval, pickle.dumps({"a": {}}), "d: must be {article: {src"),
    ],
)
def test_a_file_of_another_shape_is_one_line(folder, read, content, line):
    (folder / "d").write_bytes(content)

    with pytest.raises(SpecError) as caught:
        read(Path("d"))

    assert str(caught.value).startswith(line)


def test_a_wrong_label_is_one_line():
    entry = {"input": "do it", "output_1": "yes", "output_2": "no", "label": 3}
    write_json("bar/dataset.json", [entry])

    with pytest.raises(SpecError, match=r"dataset\.json: entry 1: label must be 1 or 2, got 3"):
        read_llmbar(Path("bar"))


def test_very_many_values_are_refused_before_they_are_read(monkeypatch):
    monkeypatch.setenv("SHAKEPROOF_MAX_IMPORT_VALUES", "100")
    path = write_json("many.json", [{}] * 20)

    with pytest.raises(SpecError, match=r"more than 100 values .*SHAKEPROOF_MAX_IMPORT_VALUES"):
        read_json(path)
