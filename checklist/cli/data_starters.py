"""The checklists that `shakeproof data get --checklist` writes: first checks for each set."""

from __future__ import annotations

CHECKLIST = """\
# Run it with: pytest {name}.checklist.yaml --shakeproof-report=report.html
# The bounds are examples; set those that your use of the metric needs.

checklist: {title}
data: {name}
{settings}
metrics:
{metrics}
  # deep: {{bertscore{free}: {{model: minilm, layer: last}}}}    # pip install 'shakeproof[models]'
  # mine: {{python{free}: my_metric:score}}     # def score(candidate, {other}) -> float

checks:
{checks}"""

CHRF = "  chrf: {chrf: {}}"
BLEU = "  bleu: {bleu: {}}"
CHRF_FREE = "  overlap: {chrf-free: {}}    # with the instruction, as there is no reference"

NOISE = """\
  - check: the metric agrees with people
    expect: {{correlation: {{{coefficient}, at_least: 0.1}}}}

  - check: agreement survives look-alike letters (Vu et al. 2022)
    perturb: {{visual: {{on: reference, levels: [0.1, 0.3], stored: true}}}}
    expect: {{correlation_drop: {{{coefficient}, at_most: 0.1}}}}
"""
PARAPHRASES = """\
  - check: the metric agrees with people
    expect: {correlation: {coefficient: spearman, at_least: 0.2}}

  - check: a copied input is no paraphrase (Shen et al. 2022)
    expect: {copy_penalty: {at_least: 0.5}}
"""
SUMMARIES = """\
  - check: the metric agrees with people
    expect: {correlation: {coefficient: tau-b, at_least: 0.1}}

  - check: agreement survives typing errors in the references
    perturb: {keyboard-typo: {on: reference, levels: [0.3]}}
    expect: {correlation_drop: {coefficient: tau-b, at_most: 0.1}}
"""
CONSISTENCY = """\
  - check: consistent summaries score higher, in each domain
    expect: {correlation: {coefficient: spearman, at_least: 0.1, each: group}}
"""
ERRORS = """\
  - check: the translation without the error scores higher
    expect: {prefers_better: {at_least: 0.9}}

  - check: errors of each kind are noticed     # wmt-kendall 0.5: 3 of 4 pairs are right
    expect: {correlation: {coefficient: wmt-kendall, at_least: 0.5, each: group}}
"""
ANSWERS = """\
  - check: the better answer scores higher
    expect: {prefers_better: {at_least: 0.8}}
"""
JUDGES = """\
  gpt4: {stored: GPT-4 Vanilla}
  chatgpt: {stored: ChatGPT Vanilla}
"""
STANDARD = "language: en"


def data_starter(name: str) -> str:
    """Return a checklist for a public data set or a collection."""
    settings, metrics, checks = _parts(name)
    has_references = checks != ANSWERS
    return CHECKLIST.format(
        name=name,
        title=f"Does the metric agree with people on {name}?",
        settings=f"{settings}\n" if settings else "",
        metrics=metrics,
        free="" if has_references else "-free",
        other="reference" if has_references else "source",
        checks=checks,
    )


def _parts(name: str) -> tuple[str, str, str]:
    """Return the settings, metrics and checks for a set."""
    if name.startswith("wmt19"):
        return STANDARD, f"{CHRF}\n{BLEU}", NOISE.format(coefficient="coefficient: wmt-kendall")
    if name.startswith("wmt21-flores"):
        coefficient = "coefficient: wmt-kendall, rating_gap: 25"
        _, _, language = name.removeprefix("wmt21-flores").rpartition("-")
        settings = f"language: {language}" if language else ""
        return settings, f"{CHRF}\n{BLEU}", NOISE.format(coefficient=coefficient)
    return STARTERS[name]


STARTERS = {
    "twitter-para": (STANDARD, f"{CHRF}\n{BLEU}", PARAPHRASES),
    "bq-para": ("language: zh", f"{CHRF}\n  bleu: {{bleu: {{tokenize: zh}}}}", PARAPHRASES),
    "summeval": (
        f"{STANDARD}\nrating: each         # coherence, consistency, fluency, relevance; or mean",
        f"{CHRF}\n  rouge: {{rouge: {{}}}}",
        SUMMARIES,
    ),
    "demetr": (STANDARD, CHRF, ERRORS),
    "summedits": (
        f"{STANDARD}\ncluster: document    # its summaries are resampled together",
        f"{CHRF}\n  rouge: {{rouge: {{}}}}",
        CONSISTENCY,
    ),
    "llmbar": (STANDARD, f"{JUDGES}{CHRF_FREE}", ANSWERS),
    "evalbiasbench": (STANDARD, CHRF_FREE, ANSWERS),
}
