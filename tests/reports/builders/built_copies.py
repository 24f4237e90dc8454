"""What checks of copied inputs find, with all their parts."""

from built_results import FILE, estimate, influence
from built_texts import example, histogram

from shakeproof.results import Bounds, Estimate, Outcome, Part, PartName, Result, outcome_of
from shakeproof.stats.verdicts import judge

COPIES = {  # penalty, share of inputs where the copy wins, Pearson without and with copies
    "deep": (-0.85, 0.93, 0.535, 0.486),
    "shallow": (-1.1, 0.97, 0.465, 0.43),
    "para-small": (-0.2, 0.61, 0.56, 0.44),
    "para-large": (1.4, 0.04, 0.58, 0.591),
    "para-unbounded": (-0.1, 0.48, 0.55, 0.41),
    "para-free": (1.3, 0.06, 0.561, 0.57),
    "para-similar": (-0.9, 0.95, 0.56, 0.39),
}
BREAK_EVEN = {"para-small": 0.9325, "para-large": 0.3925, "para-free": 0.3925}


def copy_penalty(metric):
    penalty, _, _, _ = COPIES[metric]
    estimated, bounds = estimate(penalty, 0.09), Bounds(low=0.5)
    judgement = judge(bounds, estimated, label="penalty", unit="spreads")
    outcome = outcome_of(judgement.verdict)
    return Result(
        id=f"{FILE}::{metric}::a copied input is no paraphrase::copy-input",
        file=FILE,
        line=19,
        metric=metric,
        check="a copied input is no paraphrase",
        expectation="copy_penalty",
        statement="a copied input scores at least 0.50 spreads below the best rated candidates",
        quantity="copy penalty",
        unit="spreads",
        family="copy-input",
        field="candidate",
        bounds=bounds,
        estimate=estimated,
        parts=(*scores(penalty), *standing(metric), *correlations(metric), *closed_form(metric)),
        verdict=judgement.verdict,
        outcome=outcome,
        message=judgement.message,
        changes=histogram(metric),
        examples=(example(1, "candidate"),) if outcome is Outcome.FAILED else (),
        influence=influence(metric),
    )


def scores(penalty, top=1.0):
    best = top + 0.08 * penalty
    copies = [(PartName.COPY_LOWER, None), (PartName.COPY_UNPUNCTUATED, None)]
    copies += [(PartName.NEAR_COPY, level) for level in (1.0, 2.0, 4.0)]
    near = [
        Part(name=name, level=level, estimate=estimate(top - 0.02 * (step + 1), 0.006))
        for step, (name, level) in enumerate(copies)
    ]
    return (
        Part(name=PartName.COPY, estimate=estimate(top, 0.004)),
        *near,
        Part(name=PartName.BEST_RATED, estimate=estimate(best, 0.012)),
        Part(name=PartName.MEAN_CANDIDATE, estimate=estimate(best - 0.06, 0.01)),
        Part(name=PartName.SPREAD, estimate=estimate(0.08, 0.003)),
    )


def standing(metric):
    _, wins, _, _ = COPIES[metric]
    return (
        Part(name=PartName.COPY_WINS, estimate=estimate(wins, 0.02)),
        Part(name=PartName.COPY_PERCENTILE, estimate=estimate(0.1 + 0.8 * wins, 0.03)),
        Part(name=PartName.COPY_PERCENTILE_AMONG_ALL, estimate=estimate(0.15 + 0.7 * wins, 0.03)),
    )


def correlations(metric):
    _, _, plain, extended = COPIES[metric]
    return tuple(
        Part(name=name, estimate=estimate(value, 0.04))
        for name, value in (
            (PartName.PEARSON, plain),
            (PartName.PEARSON_WITH_COPIES, extended),
            (PartName.SPEARMAN, plain),
            (PartName.SPEARMAN_WITH_COPIES, extended),
        )
    )


def closed_form(metric):
    if metric not in BREAK_EVEN:
        return ()
    note = {"method": "1 - omega * (1 + gamma)", "note": "closed form, no data"}
    return (Part(name=PartName.BREAK_EVEN, estimate=Estimate(value=BREAK_EVEN[metric], **note)),)
