"""The files that `shakeproof init` writes."""

CHECKLIST = """\
{modeline}
#
# Run it with: pytest
# Look around: shakeproof list perturbations | metrics | expectations
#              shakeproof perturb visual "Now they have come to an agreement."

checklist: How far can our metric be trusted?
data: sample              # shipped, to try things out; then a JSON Lines file of your own
language: en
seed: 7                   # same seed, same perturbed texts

metrics:
  deep: {{bertscore: {{model: minilm, layer: last}}}}
  chrf: {{chrf: {{}}}}
  # mine: {{python: my_metric:score}}     # def score(candidate, reference) -> float

checks:
  # Each check runs for every metric and every level: one pytest item each.
  - check: agreement with people survives look-alike letters
    perturb: {{visual: {{on: reference, levels: [0.1, 0.3]}}}}
    expect: {{correlation_drop: {{coefficient: wmt-kendall, at_most: 0.10}}}}

  # Score changes are in units of the metric's own spread, so that metrics compare.
  - check: capitals do not matter
    perturb: {{upper-case: {{on: candidate}}}}
    expect: {{score_change: {{at_most: 0.2}}}}
    known_failure: {{metrics: [chrf], reason: chrF compares letters as they are written}}

  - check: a wrong number costs points
    perturb: {{change-number: {{on: candidate}}}}
    expect: {{score_drop: {{at_least: 0.2}}}}
    severity: warn        # a warning instead of a failure
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
      - uses: actions/cache@v5          # scores of earlier runs are reused
        with:
          path: .shakeproof
          key: shakeproof-${{ runner.os }}-${{ github.run_id }}
          restore-keys: shakeproof-${{ runner.os }}-
      - run: pytest --shakeproof-report=report.html --shakeproof-json=run.json
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
    - pytest --shakeproof-report=report.html --shakeproof-json=run.json --junitxml=junit.xml
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
