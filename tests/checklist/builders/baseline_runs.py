"""A checklist and versions of one metric, for runs that are compared with a baseline."""

CHECKLIST = """\
data: sample
language: en
draws: 500
metrics: {mine: {python: {function: "mine:score", version: "VERSION"}}}
checks:
  - check: agreement
    expect: {correlation: {coefficient: pearson, at_least: -0.5}}
  - check: capitals do not matter
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 3}}
"""
FAILING = CHECKLIST.replace("at_least: -0.5", "at_least: 0.9")
GOOD = """\
def score(candidate, reference):
    one, other = set(candidate.lower().split()), set(reference.lower().split())
    return 2 * len(one & other) / max(len(one) + len(other), 1)
"""
WORSE = GOOD.replace("return 2", "return -2")
CASED = GOOD.replace(".lower()", "")


def by_check(found):
    return {result.check: result for result in found.results}
