"""`shakeproof import mt-metrics-eval` and `darr`: ratings and preferences of WMT."""

import pytest
from import_command import import_data, write_files

pytestmark = pytest.mark.usefixtures("folder")


def mtme(folder, **changes):
    files = {
        "set__sources__hi-bn.txt": "x1\nx2\n",
        "set__references__hi-bn.refA.txt": "r1\nr2\n",
        "set__references__hi-bn.refB.txt": "s1\ns2\n",
        "set__system-outputs__hi-bn__M1.txt": "a1\na2\n",
        "set__system-outputs__hi-bn__M2.txt": "b1\nb\u20282\n",
        "set__system-outputs__hi-bn__refA.txt": "r1\nr2\n",
        "set__human-scores__hi-bn.wmt-raw.seg.score": "M1\t70\nM1\tNone\nM2\t1.5\nM2\t2\n",
        "set__metric-scores__hi-bn__BLEURT-refA.seg.score": "M1 0.1\nM1 0.2\nM2 0.3\nM2 0.4\n",
        "set__documents__hi-bn.docs": "news d1\nnews d2\n",
    }
    write_files(folder, **{**files, **changes})


def test_a_folder_of_mt_metrics_eval_is_read(folder):
    mtme(folder)

    code, (first, second) = import_data(
        "mt-metrics-eval", "set", "--pair", "hi-bn", "--reference", "refA", "--score", "BLEURT"
    )

    assert code == 0
    assert (first.source, first.references) == ("x1", ("r1",))
    assert first.extra == {"document": "d1"}
    assert [candidate.systems for candidate in first.candidates] == [("M1",), ("M2",)]
    assert [candidate.rating for candidate in second.candidates] == [None, 2.0]
    assert second.candidates[1].scores == {"BLEURT": 0.4}
    assert second.candidates[1].text == "b\u20282"


def test_several_human_scores_of_mt_metrics_eval_become_ratings_by_aspect(folder):
    mtme(folder, **{"set__human-scores__hi-bn.mqm.seg.score": "M1 1\nM1 2\n"})
    chosen = ("--ratings", "mqm", "--ratings", "wmt-raw")

    _, segments = import_data("mt-metrics-eval", "set", "--pair", "hi-bn", *chosen)

    assert [[one.ratings for one in segment.candidates] for segment in segments] == [
        [{"mqm": 1.0, "wmt-raw": 70.0}, {"wmt-raw": 1.5}],
        [{"mqm": 2.0}, {"wmt-raw": 2.0}],
    ]
    assert {one.rating for segment in segments for one in segment.candidates} == {None}


def test_all_references_are_taken_unless_one_is_chosen(folder):
    mtme(folder)

    _, segments = import_data("mt-metrics-eval", "set", "--pair", "hi-bn")

    assert segments[0].references == ("r1", "s1")


@pytest.mark.parametrize(
    ("changes", "options", "line"),
    [
        (
            {},
            ["--pair", "hi-bnn"],
            "set/sources/hi-bnn.txt: no such file; did you mean 'hi-bn.txt'",
        ),
        (
            {},
            ["--pair", "hi-bn", "--ratings", "mqm"],
            "no human scores 'mqm' for hi-bn; known",
        ),
        ({}, ["--pair", "hi-bn", "--reference", "refC"], "no reference 'refC' for hi-bn; did you"),
        (
            {},
            ["--pair", "hi-bn", "--score", "COMET"],
            "no scores of 'COMET' for hi-bn; known",
        ),
        (
            {"set__human-scores__hi-bn.mqm.seg.score": "M1 1\nM1 2\n"},
            ["--pair", "hi-bn"],
            "several human scores for hi-bn; say which with --ratings: mqm, wmt-raw",
        ),
        (
            {"set__system-outputs__hi-bn__M1.txt": "a1\n"},
            ["--pair", "hi-bn"],
            "'M1' of hi-bn has 1 lines, the source 2",
        ),
        (
            {"set__human-scores__hi-bn.wmt-raw.seg.score": "M1 1\n"},
            ["--pair", "hi-bn"],
            "set/human-scores/hi-bn.wmt-raw.seg.score: 1 scores of 'M1', 2 segments",
        ),
        (
            {"set__human-scores__hi-bn.wmt-raw.seg.score": "M1 good\nM1 2\n"},
            ["--pair", "hi-bn"],
            "set/human-scores/hi-bn.wmt-raw.seg.score:1: score must be a number, got 'good'",
        ),
    ],
)
def test_a_bad_folder_is_one_line(folder, capsys, changes, options, line):
    mtme(folder, **changes)

    code, _ = import_data("mt-metrics-eval", "set", *options)

    assert code == 2
    assert capsys.readouterr().err.startswith(line)


def darr(folder, **changes):
    files = {
        "rr.csv": "LP DATA SID BETTER WORSE\nkk-en t 1 A B\nkk-en t 1 A C\nkk-en t 2 C B\n"
        "kk-en t 2 A C\ngu-en t 1 A B\n",
        "out__t.A.kk-en": "a1\nsame\n",
        "out__t.B": "b1\nb2\n",
        "out__C.txt": "b1\nsame\n",
        "ref": "r1\nr2\nr3\n",
    }
    write_files(folder, **{**files, **changes})


DARR = ("darr", "rr.csv", "--pair", "kk-en", "--outputs", "out", "--references", "ref")


def test_preferences_are_read_with_equal_outputs_shared(folder):
    darr(folder, out__A="", **{"out__t.A.kk-en": "a1\nsame\n\n", "out__t.B": "b1\nb2\n\n"})
    write_files(folder, **{"out__C.txt": "b1\nsame\n\n"})

    code, (first, second, third) = import_data(*DARR)

    assert code == 0
    assert [(candidate.text, candidate.systems) for candidate in first.candidates] == [
        ("a1", ("A",)),
        ("b1", ("B", "C")),
    ]
    assert first.preferences == ((0, 1), (0, 1))
    assert second.preferences == ((0, 1),)
    assert (third.candidates, third.preferences) == ((), ())


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"rr.csv": "kk-en t one A B\n"}, "rr.csv:1: must be LP DATA SID BETTER WORSE, got"),
        ({"rr.csv": "gu-en t 1 A B\n"}, "rr.csv: no preferences for 'kk-en'; did you mean"),
        ({"rr.csv": "kk-en t 1 A Z\n"}, "out: no output of 'Z', such as t.Z.kk-en"),
        ({}, "A: 2 lines, but the references have 3"),
        ({"ref": "r1\nr2\n", "rr.csv": "kk-en t 9 A B\n"}, "rr.csv: no segment 9 in kk-en"),
    ],
)
def test_bad_preferences_are_one_line(folder, capsys, changes, line):
    darr(folder, **changes)

    code, _ = import_data(*DARR)

    assert code == 2
    assert capsys.readouterr().err.startswith(line)
