"""Data sets from JSON Lines."""

import hashlib
import json

import pytest

from shakeproof.data.loading import load_data, parse_data
from shakeproof.data.segments import Candidate, Segment
from shakeproof.errors import SpecError


def line(**keys):
    return json.dumps({"id": "1", "candidates": [{"text": "a"}], **keys})


def data(*lines):
    return parse_data("\n".join(lines).encode("utf-8", "surrogatepass"), "d.jsonl", name="d")


def problems(*lines):
    with pytest.raises(SpecError) as caught:
        data(*lines)
    return str(caught.value).split("\n")


def test_a_full_segment_is_kept_whole():
    written = {
        "id": "7",
        "source": "x",
        "references": ["r", "s"],
        "candidates": [
            {"text": "a", "rating": 1, "systems": ["A", "B"], "scores": {"BLEURT": 0.5}},
            {"text": "b"},
        ],
        "preferences": [[0, 1], [0, 1]],
        "perturbed": {"references": {"visual": {"0.1": ["ř", "ş"]}}},
        "group": "gu-en",
        "document": "doc",
    }

    (segment,) = data(json.dumps(written)).segments

    assert segment == Segment(
        id="7",
        source="x",
        references=("r", "s"),
        candidates=(Candidate("a", 1.0, ("A", "B"), {"BLEURT": 0.5}), Candidate("b")),
        preferences=((0, 1), (0, 1)),
        perturbed={"references": {"visual": {"0.1": ("ř", "ş")}}},
        group="gu-en",
        extra={"document": "doc"},
    )


def test_unknown_keys_of_candidates_are_kept_with_them():
    listed = [{"text": "a", "rating_z": 0.5}, {"text": "b"}]

    (segment,) = data(line(candidates=listed)).segments

    assert [one.extra for one in segment.candidates] == [{"rating_z": 0.5}, {}]


def test_only_a_line_feed_ends_a_line():
    odd = "a\u2028b\u0085c\x0bd"

    (segment,) = data(
        json.dumps({"id": "1", "candidates": [{"text": odd}]}, ensure_ascii=False)
    ).segments

    assert segment.candidates[0].text == odd


def test_blank_lines_and_carriage_returns_are_skipped_but_counted():
    assert problems(line(), "", "\r", line()) == [
        "d.jsonl:4: duplicate id '1'; the first is on line 1"
    ]


def test_a_byte_order_mark_is_tolerated():
    assert parse_data(b"\xef\xbb\xbf" + line().encode(), "d", name="d").segments[0].id == "1"


def test_the_hash_is_that_of_the_file(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text(line() + "\n")

    read = load_data("d.jsonl", folder=tmp_path)

    assert read.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert read.name == "d"
    assert load_data("d.jsonl", folder=tmp_path, name="gu-en").name == "gu-en"


def test_lone_surrogates_are_replaced_and_counted():
    listed = [{"text": "x \ude00 \ud800"}, {"text": "😀"}]

    read = data(line(source="\ud83d", candidates=listed))

    assert read.segments[0].source == "\ufffd"
    assert [one.text for one in read.segments[0].candidates] == ["x \ufffd \ufffd", "😀"]
    assert read.surrogates == 2


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("😀", id="one emoji"),
        pytest.param("ab " * 5_000, id="long"),
        pytest.param("مرحبا بالعالم", id="right to left"),
    ],
)
def test_odd_texts_stay_as_they_are(text):
    (segment,) = data(line(candidates=[{"text": text}], references=[text], source=text)).segments

    assert segment.candidates[0].text == segment.references[0] == segment.source == text


def test_a_segment_may_have_no_candidates_and_no_references():
    (segment,) = data(line(candidates=[], references=[])).segments

    assert segment.candidates == segment.references == ()


def test_numbers_may_serve_as_ids():
    assert data(line(id=7)).segments[0].id == "7"


def test_two_groups_may_use_the_same_id():
    assert len(data(line(group="a"), line(group="b")).segments) == 2


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        pytest.param('{"id": "1"', "not JSON: expecting ',' delimiter at column 11", id="cut"),
        pytest.param("nonsense", "not JSON: expecting value at column 1", id="no JSON"),
        pytest.param("[" * 100_000, "not JSON: nested too deeply or numbers too long", id="deep"),
        pytest.param("[1]", "a segment must be an object, got a list", id="a list"),
        pytest.param("3", "a segment must be an object, got 3", id="a number"),
        pytest.param('{"candidates": []}', "the segment has no id", id="no id"),
        pytest.param(line(id=None), "the segment has no id", id="null id"),
        pytest.param(line(id=""), "the segment has no id", id="empty id"),
        pytest.param(line(id=[1]), "id must be text, got a list", id="id a list"),
        pytest.param(
            '{"id": "1"}',
            "the segment has no candidates; write [] where there are none",
            id="no candidates",
        ),
        pytest.param(line(candidates="a"), "candidates must be a list, got 'a'", id="bare text"),
        pytest.param(
            line(candidates=["a"]),
            "candidate 0 must be an object {\"text\": …}, got 'a'",
            id="bare candidate",
        ),
        pytest.param(line(candidates=[{}]), "candidate 0 has no text", id="no text"),
        pytest.param(
            line(candidates=[{"text": 3}]), "text of candidate 0 must be text, got 3", id="text 3"
        ),
        pytest.param(
            line(candidates=[{"text": "a", "rating": "good"}]),
            "rating of candidate 0 must be a finite number, got 'good'",
            id="rating a word",
        ),
        pytest.param(
            line(candidates=[{"text": "a", "rating": float("nan")}]),
            "rating of candidate 0 must be a finite number, got nan",
            id="rating NaN",
        ),
        pytest.param(
            line(candidates=[{"text": "a", "rating": True}]),
            "rating of candidate 0 must be a finite number, got true",
            id="rating true",
        ),
        pytest.param(
            line(candidates=[{"text": "a", "rating": 10**400}]),
            "rating of candidate 0 must be a finite number, got ",
            id="rating huge",
        ),
        pytest.param(
            line(candidates=[{"text": "a", "rating": 1e300}]),
            "rating of candidate 0 must lie between -1e+60 and 1e+60, so that statistics do not "
            "overflow, got 1e+300",
            id="rating of 1e300",
        ),
        pytest.param(
            line(candidates=[{"text": "a", "scores": {"B": float("inf")}}]),
            "score 'B' must be a finite number, got inf",
            id="score infinite",
        ),
        pytest.param(
            line(candidates=[{"text": "a", "scores": [1]}]),
            "scores of candidate 0 must be an object, got a list",
            id="scores a list",
        ),
        pytest.param(
            line(candidates=[{"text": "a", "systems": "A"}]),
            "systems of candidate 0 must be a list, got 'A'",
            id="systems a text",
        ),
        pytest.param(line(references="r"), "references must be a list, got 'r'", id="reference"),
        pytest.param(
            line(references=[None]), "each of references must be text, got nothing", id="null"
        ),
        pytest.param(line(source=3), "source must be text, got 3", id="source a number"),
        pytest.param(
            line(preferences=[[0, 1]]),
            "preference [0, 1] is out of range; there are 1 candidates",
            id="preference out of range",
        ),
        pytest.param(
            line(preferences=[[-1, 0]]),
            "preference [-1, 0] is out of range; there are 1 candidates",
            id="preference negative",
        ),
        pytest.param(
            line(preferences=[[0, 0]]),
            "preference [0, 0] prefers a candidate to itself",
            id="preference for itself",
        ),
        pytest.param(
            line(preferences=[[0]]),
            "each of preferences must be [better, worse], got [0]",
            id="preference of one",
        ),
        pytest.param(
            line(preferences=[[0, True]]),
            "each of preferences must be [better, worse], got [0, True]",
            id="preference true",
        ),
        pytest.param(
            line(perturbed={"refs": {}}),
            "unknown field 'refs' in perturbed; known: references, candidates, sources",
            id="perturbed field",
        ),
        pytest.param(
            line(references=["r"], perturbed={"references": {"visual": {"0.1": ["a", "b"]}}}),
            "perturbed references 'visual' at 0.1 must have 1 texts, got 2",
            id="perturbed count",
        ),
        pytest.param(
            line(references=["r"], perturbed={"references": {"visual": {"low": ["a"]}}}),
            "perturbed references 'visual' must have numbers as levels, got 'low'",
            id="perturbed level",
        ),
    ],
)
def test_a_problem_is_one_line_with_its_number(written, problem):
    (found,) = problems(line(id="0"), written)

    assert found.startswith(f"d.jsonl:2: {problem}")


def test_all_problems_are_reported_at_once():
    assert problems(line(source=3), "oops", line(), line(preferences=3, references=3)) == [
        "d.jsonl:1: source must be text, got 3",
        "d.jsonl:2: not JSON: expecting value at column 1",
        "d.jsonl:3: duplicate id '1'; the first is on line 1",
        "d.jsonl:4: duplicate id '1'; the first is on line 1",
        "d.jsonl:4: preferences must be a list, got 3",
        "d.jsonl:4: references must be a list, got 3",
    ]


def test_after_twenty_problems_the_rest_are_counted():
    lines = problems(*["oops"] * 25)

    assert len(lines) == 21
    assert lines[-1] == "d.jsonl:21: and 5 more"


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(content):
    with pytest.raises(SpecError, match=r"^d\.jsonl:1: no segments; write one JSON object per"):
        parse_data(content, "d.jsonl", name="d")


def test_other_encodings_are_refused_with_the_place():
    content = line().encode() + b"\n" + '{"id": "café"}'.encode("latin-1")

    with pytest.raises(SpecError, match=r"^d\.jsonl:2:12: not UTF-8 \(byte 0xe9\)"):
        parse_data(content, "d.jsonl", name="d")


def test_a_missing_file_names_a_similar_one(tmp_path):
    (tmp_path / "wmt19-gu-en.jsonl").touch()

    with pytest.raises(SpecError, match="no such file; did you mean 'wmt19-gu-en"):
        load_data("wmt19-guen.jsonl", folder=tmp_path)


def test_a_missing_bare_name_points_to_the_names_that_are_known(tmp_path):
    with pytest.raises(SpecError, match=r"nor a data set of this name; did you mean 'sample'\?"):
        load_data("smaple", folder=tmp_path)


def test_a_missing_folder_is_said(tmp_path):
    with pytest.raises(SpecError, match=r"the folder .*nowhere does not exist either"):
        load_data("nowhere/d.jsonl", folder=tmp_path)


REAL = [
    ("twitter-para", 761, 7_159, 0),
    ("wmt19-gu-en", 1_016, 9_036, 20_110),
    ("wmt19-kk-en", 1_000, 6_267, 9_728),
    ("wmt21-flores-hi-bn", 509, None, 0),
    ("wmt21-flores-xh-zu", 503, None, 0),
]


@pytest.mark.realdata
@pytest.mark.parametrize(("name", "segments", "candidates", "pairs"), REAL)
def test_real_data_sets_are_read_whole(shared, name, segments, candidates, pairs):
    read = load_data(f"{name}.jsonl", folder=shared / "data")

    assert len(read.segments) == segments
    assert sum(len(one.preferences) for one in read.segments) == pairs
    assert candidates in (None, sum(len(one.candidates) for one in read.segments))
    assert read.surrogates == 0


def test_a_line_of_many_megabytes_is_refused_without_being_parsed(monkeypatch):
    line = json.dumps({"id": "1", "candidates": [], "source": "x" * 5_000_000}).encode()

    with pytest.raises(SpecError, match=r"f:1: the line is too long: more than 5 MB; .*LINE_MB"):
        parse_data(line, "f", name="f")
    monkeypatch.setenv("SHAKEPROOF_MAX_LINE_MB", "6")

    assert len(parse_data(line, "f", name="f").segments) == 1


@pytest.mark.parametrize("name", ["~nobody-here/a.jsonl", "a" * 5000], ids=["user", "long"])
def test_a_path_that_cannot_be_a_file_is_one_line(name, tmp_path):
    with pytest.raises(SpecError, match=r"no such file|file name too long"):
        load_data(name, folder=tmp_path)
