"""A metric on a scale of 1e-9 is judged as the same metric on a scale of 1 is."""

import shakeproof

METRIC = """\
import mine


def small(candidate, reference):
    return 2.0**-30 * mine.cased(candidate, reference)
"""
HEAD = """\
data: data.jsonl
language: en
draws: 200
metrics:
  cased: {python: mine:cased}
  small: {python: small:small}
checks:
"""
EXPECT = [
    "correlation_drop: {at_most: 0.01}",
    "retention: {at_least: 0.9, coefficient: spearman}",
    "prefers_better: {at_least: 0.9}",
    "score_change: {at_most: 0.2}",
    "score_drop: {at_least: 0.5}",
    "segments_behave: {at_least: 0.9}",
    "segments_behave: {scores: change, by: 0.1, at_least: 0.9}",
    "prefers_original: {at_least: 0.9}",
    "same_scores: {}",
    "search: {at_most: 0.2}",
    "search: {scores: flip}",
]


def test_a_metric_on_a_small_scale_gets_the_same_verdicts(project):
    project.makefile(".py", small=METRIC)
    checks = [
        f"  - check: c{number}\n    perturb: {{keyboard-typo: {{on: candidate, levels: [0.5]}}}}\n"
        f"    expect: {{{expect}}}\n"
        for number, expect in enumerate(EXPECT)
    ]
    results = shakeproof.run(project.write(HEAD + "".join(checks))).results
    plain, small = results[::2], results[1::2]

    assert [result.metric for result in small] == ["small"] * len(EXPECT)
    assert [result.estimate for result in small] == [result.estimate for result in plain]
    assert [result.outcome for result in small] == [result.outcome for result in plain]
    assert [len(result.examples) for result in small] == [len(result.examples) for result in plain]
