"""The table at the end of a session."""

from built_results import drop, plain_result
from built_runs import wrap

from shakeproof.plugin.summary import failures_by_chance, nearest_results
from shakeproof.results import Bounds, Estimate, Outcome


def noisy(metric, family):
    return drop(metric, family, 0.3, half=0.01)


def low(metric):
    return plain_result(
        metric,
        "there is agreement",
        Outcome.PASSED,
        expectation="correlation",
        estimate=Estimate(value=0.6, low=0.55, high=0.65),
        bounds=Bounds(low=0.5),
    )


def test_ten_rows_show_the_worst_of_each_metric_and_expectation_first():
    families = [f"visual-{number}" for number in range(12)]
    results = [noisy("deep", family) for family in families]
    results += [noisy("chrf", "intrude"), low("deep"), low("chrf")]
    *rows, more = nearest_results(results)

    assert len(rows) == 10
    assert [row.split(" · ")[0] for row in rows].count("deep") == 8
    assert sum("there is agreement" in row for row in rows) == 2
    assert more == "… 5 more results in the report"


def test_few_results_are_all_shown_the_furthest_beyond_its_bound_first():
    results = [low("deep"), noisy("deep", "visual"), noisy("deep", "disemvowel")]
    rows = nearest_results(results)

    assert [row.split(" · ")[2].split()[0] for row in rows][:1] == ["visual-0.3"]
    assert len(rows) == 3


def test_a_failure_is_shown_with_what_holm_leaves_of_it():
    failed = noisy("deep", "visual")
    survived, doubtful = (
        failed.model_copy(update={"survives_holm": survives}) for survives in (True, False)
    )

    assert nearest_results([survived])[0].endswith("> 0.10 allowed; fails after Holm too")
    assert nearest_results([doubtful])[0].endswith("> 0.10 allowed; not after Holm")
    assert failures_by_chance(wrap([survived])) == ""
    assert failures_by_chance(wrap([survived, doubtful])).startswith("1 of 2 failures may be ")
