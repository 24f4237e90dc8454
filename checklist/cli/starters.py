"""The checklist that `shakeproof init` writes."""

CHECKLIST = """\
{modeline}
#
# Run it with: pytest
# Look around: shakeproof list perturbations | metrics | expectations
#              shakeproof perturb visual "Now they have come to an agreement."

checklist: How far can our metric be trusted?
data: sts-captions        # captions rated by people (shakeproof list data); then a file of your own
language: en
seed: 7                   # same seed, same perturbed texts

metrics:
  deep: {{bertscore: {{model: minilm, layer: last}}}}
  chrf: {{chrf: {{}}}}
  # mine: {{python: my_metric:score}}     # def score(candidate, reference) -> float

checks:
  # Each check runs for every metric and every level: one pytest item each.
  # Pearson is the correlation of scores with ratings; wmt-kendall counts preferences instead.
  - check: the metric agrees with people
    expect: {{correlation: {{coefficient: pearson, at_least: 0.5}}}}

  - check: agreement with people survives look-alike letters
    perturb: {{visual: {{on: reference, levels: [0.1, 0.3]}}}}
    expect: {{correlation_drop: {{coefficient: pearson, at_most: 0.10}}}}

  # In points of the metric. With several candidates per segment, leave `unit` out: changes are
  # then in units of the metric's spread, and bounds mean the same for every metric.
  - check: capitals do not matter
    perturb: {{upper-case: {{on: candidate}}}}
    expect: {{score_change: {{at_most: 0.05, unit: raw}}}}
    known_failure: {{metrics: [chrf], reason: chrF compares letters as they are written}}

  - check: another caption scores lower
    perturb: {{another-segment: {{on: candidate}}}}
    expect: {{prefers_original: {{at_least: 0.9}}}}
    severity: warn        # reported, but never fails the session
"""
