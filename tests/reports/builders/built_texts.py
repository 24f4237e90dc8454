"""Texts that broke a metric, with all that is shown of them."""

from random import Random

from shakeproof.results import Example, Histogram, TokenMatrix

TEXTS = [
    (
        "Now they have come to an agreement.",
        "Now thẸỸ hẲve come to aᷠ aᵹᴚḕḘmḔnƫ.",
        "Now they have come to an aᵹᴚḕḘment.",
        "They have reached an agreement at last.",
    ),
    (
        "The committee will publish its report on the 14th of March.",
        "The c/o/mmittee will pu.bl.ish its rep+ort on the 14th of M>arch.",
        "The committee will pu.bl.ish its report on the 14th of March.",
        "On 14 March the committee publishes its findings.",
    ),
    (
        "توصلوا الآن إلى اتفاق.",
        "توصوا الآن إل اتفاق.",
        "توصوا الآن إلى اتفاق.",
        "لقد اتفقوا الآن.",
    ),
    (
        "Great match today 🏴‍☠️👩‍👩‍👧 see you!",
        "Grea7 ma5ch to9ay 🏴‍☠️👩‍👩‍👧 zee you!",
        "Grea7 match today 🏴‍☠️👩‍👩‍👧 see you!",
        "Nice game 🎉",
    ),
]
PIN = """\
- check: {segment} stays broken
  texts: {{before: {before}, after: {minimal}}}
  expect: {{score_drop: {{at_most: 0.2}}}}
"""


def example(index, field="reference", *, matrices=False):
    before, after, minimal, beside = TEXTS[index % len(TEXTS)]
    return Example(
        segment=f"seg-{index:03d}",
        field=field,
        before=before,
        after=after,
        score_before=0.91 - index * 0.01,
        score_after=0.42 + index * 0.015,
        candidate=beside if field != "candidate" else None,
        reference=beside if field == "candidate" else None,
        source="Now they agreed.",
        rating=0.8,
        remark="prefers the worse candidate now" if index % 2 else "",
        minimal=minimal,
        score_minimal=0.61,
        edits=9,
        edits_minimal=2,
        calls=47,
        pin=PIN.format(segment=f"seg-{index:03d}", before=before, minimal=minimal),
        matrix_before=token_matrix(beside, before, 0.95) if matrices else None,
        matrix_after=token_matrix(beside, after, 0.45) if matrices else None,
    )


def token_matrix(candidate, reference, closest):
    rows, columns = pieces(candidate), pieces(reference)
    rng = Random(f"{candidate}{reference}")
    similarity = tuple(
        tuple(closest if a == b else closest * rng.uniform(0.1, 0.6) for b in columns) for a in rows
    )
    return TokenMatrix(candidate=rows, reference=columns, similarity=similarity)


def pieces(text):
    """Cut words into pieces of four letters, as subword tokens are."""
    words = text.lower().replace(".", " .").split()
    cut = [word[i : i + 4] for word in words for i in range(0, len(word), 4)]
    return tuple(cut)


def histogram(seed):
    rng = Random(seed)
    edges = tuple(round(-0.5 + 0.05 * index, 2) for index in range(13))
    return Histogram(edges=edges, counts=tuple(rng.randrange(0, 60) for _ in range(12)))
