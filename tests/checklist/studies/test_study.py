"""Published experiments, on small made-up files in the layout of the real ones."""

import json
import random
from pathlib import Path

import pytest

from shakeproof.cli.main import main
from shakeproof.metrics.settings import Settings
from shakeproof.results import Outcome, agreement
from shakeproof.runs.archive import read_run
from shakeproof.spec.positions import read_yaml
from shakeproof.spec.read import build_checklist, parse
from shakeproof.studies import STUDIES, Study, Variant
from shakeproof.studies.available import cut_checklist, models_of, prepare_study, without_replays

pytestmark = pytest.mark.usefixtures("working_folder")

STUDY = STUDIES["robust-bertscore"]
TO_ENGLISH = ("de-en", "fi-en", "gu-en", "kk-en", "lt-en", "ru-en", "zh-en")
FLORES = ("bn-hi", "hi-bn", "xh-zu", "zu-xh")
ATTACKS = ("visual", "intrude", "disemvowel", "keyboard-typo", "phonetic")
ENGLISH = "the frog sat quietly beside a cold pond until morning came and everyone left"
BENGALI = "ব্যাঙ ঠান্ডা পুকুরের পাশে চুপচাপ বসে ছিল সকাল পর্যন্ত"


def attacked(text, level):
    """The text with the first letters of some words doubled."""
    words = text.split()
    return " ".join(w[0] + w if n < 10 * level else w for n, w in enumerate(words))


def worse(words, by, rng):
    """The text with some words left out."""
    kept = sorted(rng.sample(range(len(words)), len(words) - by))
    return " ".join(words[n] for n in kept)


def wmt19(pair, segments):
    """Segments with preferences and attacked references, as WMT19's are stored."""
    rng = random.Random(pair)
    for number in range(segments):
        words = rng.sample(ENGLISH.split(), 10)
        reference = " ".join(words)
        texts = [worse(words, by, rng) for by in (1, 3, 5)]
        levels = {f"{level}": [attacked(reference, level)] for level in (0.1, 0.2, 0.3)}
        yield {
            "id": f"{number + 1}",
            "source": f"{pair} {number}",
            "references": [reference],
            "candidates": [{"text": text, "systems": [f"s{n}"]} for n, text in enumerate(texts)],
            "preferences": [[0, 1], [0, 2], [1, 2], [0, 2]],
            "perturbed": {"references": dict.fromkeys(ATTACKS, levels)},
        }


def flores(pair, segments):
    """Segments with ratings and stored scores, as WMT21's are stored."""
    rng = random.Random(pair)
    for number in range(segments):
        words = rng.sample((BENGALI if pair == "hi-bn" else ENGLISH).split(), 8)
        reference = " ".join(words)
        candidates = [
            {
                "text": worse(words, by, rng),
                "rating": 90.0 - 30 * by,
                "rating_z": 1.0,
                "systems": [f"s{by}"],
                "scores": {"BERTScore": 1 - by / 10, "chrF": 0.5, "sentBLEU": -by, "BLEURT-20": by},
            }
            for by in range(3)
        ]
        levels = {f"{level}": [attacked(reference, level)] for level in (0.1, 0.2, 0.3, 0.4, 0.5)}
        yield {
            "id": f"{number}",
            "document": "d",
            "source": "s",
            "references": [reference],
            "candidates": candidates,
            "perturbed": {"references": {"visual": levels}},
        }


def write(path, rows):
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8")


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """A folder with all seven pairs to English and all four of FLORES."""
    folder = tmp_path_factory.mktemp("wmt")
    for pair in TO_ENGLISH:
        write(folder / f"wmt19-{pair}.jsonl", wmt19(pair, 32))
    for pair in FLORES:
        write(folder / f"wmt21-flores-{pair}.jsonl", flores(pair, 32))
    return folder


@pytest.fixture
def few(tmp_path):
    """A folder with one pair of each kind."""
    folder = tmp_path / "few"
    folder.mkdir()
    write(folder / "wmt19-gu-en.jsonl", wmt19("gu-en", 4))
    write(folder / "wmt21-flores-hi-bn.jsonl", flores("hi-bn", 4))
    return folder


@pytest.fixture(scope="module")
def study_run(everything, run_in_memory):
    """The study with the metrics that need no model."""
    return run_in_memory(prepare_study(STUDY, everything, Settings(), models=["none"]))


def only_result(run, metric, check):
    (result,) = [
        result for result in run.results if (result.metric, result.check) == (metric, check)
    ]
    return result


def groups(result):
    return {part.group: part.estimate.value for part in result.parts if part.group}


def published(run, table, row, column):
    (number,) = [
        number
        for number in run.published
        if (number.table, number.row, number.column) == (table, row, column)
    ]
    return number


def test_all_pairs_run_from_files_in_the_same_layout(study_run):
    clean = only_result(study_run, "chrf", "agrees with people")
    stored = only_result(study_run, "stored-bertscore", "agrees with people")

    assert {one.outcome for one in study_run.results} & {Outcome.ERROR, Outcome.SKIPPED} == set()
    assert tuple(groups(clean)) == TO_ENGLISH
    assert tuple(groups(stored)) == FLORES
    assert clean.estimate.value == pytest.approx(sum(groups(clean).values()) / 7)


def test_every_attack_and_level_is_replayed_from_the_data(study_run):
    survived = [one for one in study_run.results if one.check == "agreement survives attacks"]
    cells = {(one.family, one.level) for one in survived}

    assert cells == {(family, level) for family in ATTACKS for level in (0.1, 0.2, 0.3)}
    assert all(one.stored for one in survived)


def test_counts_are_compared_with_those_published(study_run):
    pairs, rated = published(study_run, "Table 2", "de-en", "DARR pairs"), "rated outputs"

    assert (pairs.value, pairs.measured.value, agreement(pairs)) == (85365, 128, "differs")
    assert published(study_run, "Table 7", "zu-xh", rated).measured.value == 96


def test_a_published_number_names_the_result_that_measured_it(study_run):
    number = published(study_run, "Table 6", "BERT-multi", "hi-bn")
    (result,) = [result for result in study_run.results if result.id == number.result]

    assert number.measured.value == groups(result)["hi-bn"] == 1.0
    assert result.metric == "stored-bertscore"


def test_what_was_not_measured_says_why(study_run):
    table_5 = published(study_run, "Table 5", "BERT-large", "de-en")
    table_1 = published(study_run, "Table 1", "ByT5-small", "best layer")

    assert table_5.measured is None
    assert table_5.note == "not measured: bert-large-uncased was not run"
    assert "shakeproof tune-layer" in table_1.note


def test_the_command_writes_run_and_page_and_sums_up(everything, working_folder, capsys):
    arguments = ["--models", "none", "--limit", "2", "--json", "r.json", "--report", "r.html"]
    code = main(["study", "robust-bertscore", "--data", str(everything), *arguments])
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    run = read_run(working_folder / "r.json")

    assert code == 0
    assert lines[0].split() == ["table", "row", "column", "published", "measured"]
    numbers = [
        number for number in run.published if agreement(number) == "measured on part of the data"
    ]
    assert numbers
    assert sum(line.endswith("  part of the data") for line in lines) == len(numbers)
    assert not any(line.endswith("differs") for line in lines)
    (summary,) = [line for line in lines if line.startswith("published numbers: ")]
    assert summary.startswith("published numbers: 0 equal to the printed digits, 0 differ ")
    assert f", {len(numbers)} measured on part of the data, " in summary
    assert lines[-2:] == [(working_folder / name).as_uri() for name in ("r.json", "r.html")]
    assert "bert-base-uncased" in printed.err
    assert (
        run.command
        == f"shakeproof study robust-bertscore --data {everything} --models none --limit 2"
    )
    assert "first 2 segments" in published(run, "Table 2", "de-en", "DARR pairs").note
    assert "Table 2" in (working_folder / "r.html").read_text(encoding="utf-8")


def test_quick_takes_the_first_segments(few, working_folder):
    write(few / "wmt19-kk-en.jsonl", wmt19("kk-en", 45))
    command = ["study", "robust-bertscore", "--data", str(few), "--models", "none"]
    main([*command, "--quick", "--json", "r.json"])
    checklist = read_run(working_folder / "r.json").checklists[0]
    data = {data.name: data.segments for data in checklist.data}

    assert data == {"gu-en": 4, "kk-en": STUDY.quick}


def test_a_second_run_scores_nothing_and_finds_the_same(few, working_folder, monkeypatch):
    command = ["study", "robust-bertscore", "--data", str(few), "--models", "none"]
    main([*command, "--json", "one.json"])
    monkeypatch.delattr("shakeproof.metrics.kinds.lexical.SacrebleuScorer.score")
    main([*command, "--json", "two.json"])
    first, second = (read_run(working_folder / f"{name}.json") for name in ("one", "two"))

    assert Outcome.ERROR not in {result.outcome for result in first.results}
    assert first.results == second.results
    assert first.published == second.published


def test_missing_files_are_left_out_with_a_remark(few):
    available = prepare_study(STUDY, few, Settings(), models=["none"])

    assert [list(one.data) for one in available.checklists] == [["gu-en"], ["hi-bn"]]
    assert available.left_out["de-en"] == "wmt19-de-en.jsonl is not in the folder"
    assert available.remarks[0].startswith("left out, not in the folder: wmt19-de-en.jsonl, ")
    assert available.remarks[1].startswith("left out, not among --models: bert-base-uncased, ")


def test_with_one_pair_a_group_is_the_whole(few, run_in_memory):
    run = run_in_memory(prepare_study(STUDY, few, Settings(), models=["none"]))
    clean = only_result(run, "stored-bertscore", "agrees with people")

    assert groups(clean) == {}
    assert published(run, "Table 6", "BERT-multi", "hi-bn").measured == clean.estimate


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ["robust-bert", "--data", "few"], "did you mean 'robust-bertscore'?", id="study"
        ),
        pytest.param(["robust-bertscore", "--data", "fw"], "fw: no such folder", id="folder"),
        pytest.param(["robust-bertscore", "--data", "."], "has none of wmt19-de-en", id="no file"),
        pytest.param(
            ["robust-bertscore", "--data", "few", "--models", "minlm"],
            "unknown model 'minlm'; did you mean 'minilm'?",
            id="model",
        ),
        pytest.param(
            ["robust-bertscore", "--data", "few", "--models", "byt5-small", "--offline"],
            "no model 'google/byt5-small'",
            id="model that is not here",
        ),
        pytest.param(
            ["robust-bertscore", "--data", "few", "--json", "no/run.json"],
            "no/run.json: the folder no does not exist",
            id="place",
        ),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(
    few, working_folder, capsys, arguments, message
):
    assert main(["study", *arguments]) == 2

    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 1
    assert message in errors[0]
    assert [one.name for one in working_folder.iterdir()] == ["few"]


def test_a_broken_line_of_the_data_is_reported_with_its_number(few, capsys):
    with (few / "wmt19-gu-en.jsonl").open("a", encoding="utf-8") as stream:
        stream.write("{\n")

    assert main(["study", "robust-bertscore", "--data", "few", "--models", "none"]) == 2
    assert "few/wmt19-gu-en.jsonl:5: not JSON" in capsys.readouterr().err


def cut(text, folder, models=(), *, ours=False):
    """Cut a checklist that would be in the folder to the data there and to some models."""
    content = read_yaml(text, "a.checklist.yaml").content
    content = without_replays(content) if ours else content
    return cut_checklist(build_checklist(content, folder / "a.checklist.yaml"), content, models)


CHECKLIST = """\
# what it is about
checklist: small
data: {gu-en: wmt19-gu-en.jsonl, de-en: wmt19-de-en.jsonl}
language: en
x-attack: &attack
  visual: {on: reference, levels: [0.3], stored: true}
metrics:
  letters: {chrf: {}}   # no model
  deep:    {bertscore: {model: minilm, layer: last}}
  para:    {parascore: {similarity: deep, omega: 0.1}}
  bleurt:  {stored: BLEURT-20}
checks:
  - check: everything agrees
    expect: {correlation: {coefficient: wmt-kendall, at_least: 0}}
  - check: holds up
    metrics: [letters, deep]
    perturb: *attack
    expect: {correlation_drop: {coefficient: wmt-kendall, at_most: 0.1}}
  - check: para is good
    metrics: [para]
    expect: {correlation: {coefficient: wmt-kendall, at_least: 0}}
  - check: letters hold up better
    metrics: [letters]
    perturb: *attack
    expect: {more_robust_than: {metric: deep, coefficient: wmt-kendall}}
"""


def test_metrics_without_a_model_go_with_what_builds_on_them(few):
    left = cut(CHECKLIST, few)

    assert list(left.checklist.data) == ["gu-en"]
    assert list(left.checklist.metrics) == ["letters"]
    assert [one.name for one in left.checklist.checks] == ["everything agrees", "holds up"]
    assert left.checklist.checks[1].metrics == ("letters",)
    assert left.metrics == {
        "deep": "minilm was not run",
        "para": "minilm was not run",
        "bleurt": "not every candidate of the data has a stored BLEURT-20",
    }


def test_with_the_model_only_what_the_data_lack_goes(few):
    left = cut(CHECKLIST, few, ["minilm"])

    assert list(left.checklist.metrics) == ["letters", "deep", "para"]
    assert len(left.checklist.checks) == 4


def test_the_text_of_what_is_left_reads_as_the_same_checklist(few):
    checklist = cut(CHECKLIST, few).checklist

    assert parse(checklist.text, checklist.path) == checklist


def test_ours_perturbs_anew_where_the_language_is_named(few):
    anew = cut(CHECKLIST, few, ours=True)
    unnamed = cut(CHECKLIST.replace("language: en\n", ""), few, ours=True)

    assert [one.checklist.checks[1].perturb[0].stored for one in (anew, unnamed)] == [False, True]


def test_checks_that_replay_go_where_the_data_carry_nothing_to_replay(few):
    rows = [{k: v for k, v in row.items() if k != "perturbed"} for row in wmt19("gu-en", 4)]
    write(few / "wmt19-gu-en.jsonl", rows)
    stored, anew = cut(CHECKLIST, few), cut(CHECKLIST, few, ours=True)

    assert [one.name for one in stored.checklist.checks] == ["everything agrees"]
    assert stored.unperturbed_files == ("wmt19-gu-en.jsonl",)
    assert [one.name for one in anew.checklist.checks] == ["everything agrees", "holds up"]
    assert anew.unperturbed_files == ()
    assert "--ours" in prepare_study(STUDY, few, Settings(), models=["none"]).remarks[2]


def test_without_any_of_its_files_or_checks_nothing_of_a_checklist_is_left(few):
    (few / "wmt19-gu-en.jsonl").unlink()
    only = CHECKLIST.replace("wmt19", "wmt21-flores").replace("gu-en", "hi-bn")
    only = only.replace("  letters: {chrf: {}}   # no model\n", "").replace("letters", "deep")
    only = only.replace("metrics: [deep, deep]", "metrics: [deep]").replace(
        "metric: deep", "metric: para"
    )

    assert cut(CHECKLIST, few).checklist is None
    assert cut(only.replace("  bleurt:  {stored: BLEURT-20}\n", ""), few).checklist is None


def test_a_variant_is_its_original_but_for_title_data_language_and_models():
    name = "robust-bertscore-figure-5"
    variant = Variant(
        of=name,
        title="in German",
        data={"de": "de.jsonl"},
        language="de",
        models={"minilm": {"model": "bert-base-german-cased", "layer": 3}},
    )
    study = Study("s", "p", ("german",), quick=1, variants={"german": variant})
    german, english = study.content("german"), study.content(name)
    changed = {
        metric: written
        for metric, written in german["metrics"].items()
        if written != english["metrics"][metric]
    }

    assert [german[key] for key in ("checklist", "data", "language")] == [
        "in German",
        {"de": "de.jsonl"},
        "de",
    ]
    assert german["checks"] == english["checks"]
    assert changed == {
        name: {"bertscore": {"model": "bert-base-german-cased", "layer": 3}}
        for name in ("figure-5-minilm-first", "figure-5-minilm-last")
    }


def test_the_models_of_both_papers_are_in_the_study():
    named = {
        model
        for name in STUDY.checklists
        for model in models_of(build_checklist(STUDY.content(name), Path("x.checklist.yaml")))
    }

    assert named >= {
        "bert-base-uncased",
        "bert-large-uncased",
        "bert-base-multilingual-cased",
        "google/byt5-small",
        "google/byt5-base",
        "google/byt5-large",
        "minilm",
        "byte-mini",
    }


@pytest.mark.realdata
def test_the_published_rows_of_flores_are_met_to_the_printed_digits(shared, run_in_memory):
    flores = Study("robust-bertscore", STUDY.paper, ("robust-bertscore-flores",), quick=1)
    run = run_in_memory(prepare_study(flores, shared / "data", Settings(), models=["none"]))
    expected = json.loads((shared / "data" / "expected.json").read_text(encoding="utf-8"))
    for name in ("BERTScore", "chrF", "sentBLEU", "BLEURT-20"):
        metric = f"stored-{name.lower().removesuffix('-20')}"
        measured = groups(only_result(run, metric, "agrees with people"))
        for pair in ("hi-bn", "xh-zu"):
            tau = expected["wmt21-flores"][pair]["tie tolerance 1e-6"][name]["tau"]

            assert measured[pair] == pytest.approx(tau, abs=5e-7), (name, pair)
    for pair in ("hi-bn", "xh-zu"):
        assert agreement(published(run, "Table 6", "BERT-multi", pair)) == "equal"
    assert agreement(published(run, "Table 7", "hi-bn", "rated outputs")) == "equal"
    assert published(run, "Table 7", "xh-zu", "rated outputs").measured.value == 2968
