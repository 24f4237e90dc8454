"""`shakeproof plan`, `score` and `cache merge`: the work before the run."""

import json
import subprocess
import sys

import pytest

import shakeproof
from shakeproof.cli.main import main
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Progress
from shakeproof.results import ERRORS
from shakeproof.runs.forecast import forecast
from shakeproof.scoring.progress import duration
from shakeproof.scoring.rates import Stopwatch, known_rates
from shakeproof.stats.intervals import stretch
from shakeproof.stats.power import detectable, pair_change

CHECKLIST = """\
data: sample
language: en
draws: 500
metrics: {chrf: {chrf: {}}, bleu: {bleu: {}}}
checks:
  - check: agreement survives
    perturb: {visual: {on: reference, levels: [0.3]}}
    expect: {correlation_drop: {coefficient: wmt-kendall, at_most: 0.1}}
  - check: capitals do not matter
    metrics: [chrf]
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 0.2}}
"""


@pytest.fixture(autouse=True)
def checklist(written):
    return written(CHECKLIST)


def test_a_plan_counts_items_and_scores_needed_and_cached(checklist, capsys):
    assert main(["plan", "c.checklist.yaml"]) == 0
    before = capsys.readouterr().out
    assert main(["score", "c.checklist.yaml"]) == 0
    capsys.readouterr()
    assert main(["plan", "c.checklist.yaml"]) == 0
    after = capsys.readouterr().out

    assert "c.checklist.yaml: 3 items, 96 segments" in before
    needed = before.split(" scores needed")[0].split("\n")[-1]
    assert f"{needed} scores needed, 0 in the cache" in before
    assert "time: unknown" in before
    assert f"{needed} scores needed, {needed} in the cache" in after
    assert "time: nothing to score" in after


def test_a_plan_says_how_long_a_run_takes_with_workers(checklist, capsys):
    from shakeproof.cli.plan import with_workers

    lexical, model = "chrf|order:6", "bertscore|model:minilm|device:cpu|precision:float32"
    main(["plan", "c.checklist.yaml", "--workers", "4"])

    assert "time: unknown" in capsys.readouterr().out
    assert with_workers({lexical: 10.0, model: 10.0}, 4) == {lexical: 40.0, model: 10.0}


def test_a_plan_makes_no_cache(checklist, tmp_path):
    main(["plan", "c.checklist.yaml"])

    assert [path.name for path in tmp_path.iterdir()] == ["c.checklist.yaml"]


def test_the_detectable_drop_is_a_guess_before_scoring_and_a_number_after(checklist, capsys):
    main(["plan", "c.checklist.yaml"])
    before = " ".join(capsys.readouterr().out.split())
    low, high = (detectable(se, 96) for se in pair_change(1553))

    assert f"{low:.3f} to {high:.3f} a guess" in before
    assert "0.046 to 0.464 spreads a guess" in before  # 0.15 and 1.5 spreads, 96 segments
    main(["score", "c.checklist.yaml"])
    capsys.readouterr()
    main(["plan", "c.checklist.yaml"])
    after = capsys.readouterr().out
    assert "guess" not in after
    assert "spreads" in after


NOISE = "perturb: {visual: {on: reference, levels: [0.1, 0.3]}}"
CAPITALS = "perturb: {upper-case: {on: candidate}}"
GUESSED = {
    "correlation: {at_least: 0}": "",
    "correlation: {coefficient: tau-b, by: segment, at_least: 0}": "",
    "correlation: {coefficient: acc-eq, at_least: 0}": "",
    "correlation: {coefficient: wmt-kendall, rating_gap: 1, at_least: 0}": "",
    "retention: {at_least: 0.8}": NOISE,
    "retention_area: {coefficient: wmt-kendall, at_least: 0.8}": NOISE,
    "more_robust_than: {metric: bleu}": NOISE,
    "beats_yardsticks: {yardsticks: [bleu]}": "",
    "correlation_in_slices: {slices_by: bleu, at_least: 0}": "",
    "correlation_in_slices: {coefficient: wmt-kendall, slices_by: bleu, at_least: 0}": "",
    "prefers_better: {at_least: 0.5}": "",
    "score_drop: {at_least: 0.2}": CAPITALS,
    "monotone: {}": NOISE,
    "copy_penalty: {at_least: 0.2}": "",
    "segments_behave: {at_least: 0.9}": CAPITALS,
    "prefers_original: {at_least: 0.9}": CAPITALS,
}
SILENT = {
    "score_drop: {at_least: 0.2, unit: raw}": CAPITALS,
    "correlation_drop: {by: segment, coefficient: tau-b, at_most: 0.1}": NOISE,
    "identity: {}": "",
    "batch_independence: {}": "",
}


def test_before_scoring_everything_is_guessed_that_can_be(checklist, planned):
    checks = [
        f"  - check: item {number}\n    metrics: [chrf]\n    {perturb or 'severity: fail'}\n"
        f"    expect: {{{expect}}}\n"
        for number, (expect, perturb) in enumerate({**GUESSED, **SILENT}.items())
    ]
    checklist.write_text(CHECKLIST.split("checks:")[0] + "checks:\n" + "".join(checks))
    with Cache() as empty:
        effects = forecast(planned(checklist), empty).effects
    guessed = {effect.item.check.name for effect in effects if effect.guessed}

    assert guessed == {f"item {number}" for number in range(len(GUESSED))}
    assert all(0 < effect.low < effect.high for effect in effects if effect.guessed)


def test_the_detectable_effect_follows_from_the_interval_of_the_run_itself(
    checklist, planned, tmp_path
):
    cache = tmp_path / "scores.sqlite"
    run = shakeproof.run(checklist, cache=cache)
    with Cache(cache) as known:
        expected = forecast(planned(checklist), known)

    for effect, result in zip(expected.effects, run.results, strict=True):
        half = (result.estimate.high - result.estimate.low) / 2
        half_in_errors = 1.985 * stretch(96)  # at least
        assert effect.low == pytest.approx(half * (1 + 0.8416 / half_in_errors), rel=0.1)
    assert expected.missing == 0


def test_a_plan_loads_no_model(checklist):
    checklist.write_text(CHECKLIST.replace("bleu: {bleu: {}}", "bleu: {bertscore: {}}"))
    code = (
        "import sys; from shakeproof.cli.main import main;"
        "code = main(['plan', 'c.checklist.yaml']);"
        "assert code == 0; print('torch' in sys.modules, 'transformers' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "False False"


def test_the_time_is_computed_from_the_rates_of_earlier_runs(checklist, planned, tmp_path, capsys):
    folder = tmp_path / ".shakeproof"
    folder.mkdir()
    with Cache() as empty:
        scorers = forecast(planned(checklist), empty).scorers
    rates = {scorer.signature: scorer.needed / 90 for scorer in scorers}
    (folder / "rates.json").write_text(json.dumps(rates))
    main(["plan", "c.checklist.yaml"])

    assert f"time: about {duration(90 * len(scorers))}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        pytest.param(0.2, "1 s", id="an instant"),
        pytest.param(59, "59 s", id="seconds"),
        pytest.param(600, "10 min", id="minutes"),
        pytest.param(9000, "2.5 h", id="hours"),
    ],
)
def test_times_are_written_as_people_say_them(seconds, words):
    assert duration(seconds) == words


def test_a_stopwatch_gives_the_rate_of_each_scorer_of_a_group(tmp_path):
    watch = Stopwatch()
    for what, done, seconds in [("a, b", 0, 0), ("a, b", 10, 2), ("c", 10, 3), ("c", 11, 3.1)]:
        watch(Progress(what, done, None, seconds))
    watch.keep(tmp_path / "scores.sqlite")

    assert known_rates(tmp_path / "scores.sqlite") == {"a": 5.0, "b": 5.0}  # c: too short to tell


@pytest.mark.parametrize("content", ["", "[1]", "{", "\xff"])
def test_rates_that_cannot_be_read_are_unknown(tmp_path, content):
    (tmp_path / "rates.json").write_text(content, "latin-1")

    assert known_rates(tmp_path / "scores.sqlite") == {}


def test_shards_score_a_part_each_and_merge_into_the_whole(checklist, capsys):
    for number in (1, 2, 3):
        arguments = ["score", "c.checklist.yaml", "--shard", f"{number}/3"]
        assert main([*arguments, "--cache", f"s{number}.sqlite"]) == 0
    assert (
        main(["cache", "merge", "s1.sqlite", "s2.sqlite", "s3.sqlite", "--file", "all.sqlite"]) == 0
    )
    out = capsys.readouterr().out
    main(["score", "c.checklist.yaml", "--cache", "all.sqlite"])

    assert "all.sqlite: 0 scores were missing" in capsys.readouterr().out
    assert "part 2 of 3" in out
    parts = [int(line.split()[1].replace(",", "")) for line in out.splitlines()[:3]]
    assert max(parts) < 1.3 * min(parts)


def test_scoring_reports_what_fails_and_continues(checklist, tmp_path, capsys):
    (tmp_path / "mine.py").write_text("def score(a, b):\n    raise RuntimeError('no luck')\n")
    checklist.write_text(CHECKLIST.replace("bleu: {bleu: {}}", "bleu: {python: mine:score}"))

    assert main(["score", "c.checklist.yaml"]) == ERRORS
    printed = capsys.readouterr()
    assert "RuntimeError: no luck" in printed.err
    assert "Traceback" not in printed.err


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        pytest.param(["score", "c.checklist.yaml", "--shard", "9/8"], "--shard", id="shard"),
        pytest.param(["plan", "no.checklist.yaml"], "no such file", id="no file"),
        pytest.param(["cache", "merge"], "needs the files to merge", id="nothing to merge"),
        pytest.param(["cache", "merge", "no.sqlite"], "no score cache", id="no such cache"),
        pytest.param(["cache", "clear", "a.sqlite"], "takes no other files", id="too many"),
    ],
)
def test_mistakes_are_one_line(checklist, arguments, line, capsys):
    assert main(arguments) == 2
    printed = capsys.readouterr().err
    assert line in printed
    assert printed.count("\n") == 1


def test_a_forecast_counts_what_tuning_needs(checklist, planned):
    text = CHECKLIST.replace(
        "bleu: {bleu: {}}", "bleu: {parascore: {similarity: chrf, omega: tuned}}"
    )
    checklist.write_text(f"development: 0.2\n{text}")
    with Cache() as cache:
        expected = forecast(planned(checklist), cache)

    assert len(expected.plan.development) == 19
    assert expected.missing > 0


def test_a_limit_of_no_segments_is_refused(checklist, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["score", "c.checklist.yaml", "--limit", "0"])

    assert stopped.value.code == 2
    assert "argument --limit: '0' is not a whole number above 0" in capsys.readouterr().err
