"""Texts that broke a metric, with all that is shown of them."""

import re
from random import Random

from shakeproof.results import Example, Histogram, TextSpan, TokenMatrix

TEXTS = [  # [removed|added]: the perturbed text, the one with the fewest edits; another text
    (
        "Now th[ey|ẸỸ] h[a|Ẳ]ve come to a[n|ᷠ] a[greeme|ᵹᴚḕḘmḔ]n[t|ƫ].",
        "Now they have come to an a[gree|ᵹᴚḕḘ]ment.",
        "They have reached an agreement at last.",
    ),
    (
        "The c[|/]o[|/]mmittee will pu[|.]bl[|.]ish its rep[|+]ort on the 14th of M[|>]arch.",
        "The committee will pu[|.]bl[|.]ish its report on the 14th of March.",
        "On 14 March the committee publishes its findings.",
    ),
    (
        "توص[ل|]وا الآن إل[ى|] اتفاق.",
        "توص[ل|]وا الآن إلى اتفاق.",
        "لقد اتفقوا الآن.",
    ),
    (
        "Grea[t|7] ma[t|5]ch to[d|9]ay 🏴‍☠️👩‍👩‍👧 [s|z]ee you!",
        "Grea[t|7] match today 🏴‍☠️👩‍👩‍👧 see you!",
        "Nice game 🎉",
    ),
]
PIN = """\
- check: {segment} stays broken
  texts: {{before: {before}, after: {minimal}}}
  expect: {{score_drop: {{at_most: 0.2}}}}
"""


def spans(marked):
    """Read the spans of a text in which edits stand as [removed|added]."""
    pairs = []
    for same, removed, added in re.findall(r"([^\[]*)(?:\[([^|]*)\|([^\]]*)\])?", marked):
        pairs += [("same", same), ("removed", removed), ("added", added)]
    return tuple(TextSpan(kind=kind, text=text) for kind, text in pairs if text)


def side(spans, kind):
    """Join the spans of the old text ("removed") or the new one ("added")."""
    return "".join(span.text for span in spans if span.kind in ("same", kind))


def example(index, field="reference", *, matrices=False):
    perturbed, fewest, other = TEXTS[index % len(TEXTS)]
    edits, fewest_edits = spans(perturbed), spans(fewest)
    before, after = side(edits, "removed"), side(edits, "added")
    minimal = side(fewest_edits, "added")
    return Example(
        segment=f"seg-{index:03d}",
        field=field,
        before=before,
        after=after,
        spans=edits,
        score_before=0.91 - index * 0.01,
        score_after=0.42 + index * 0.015,
        candidate=other if field != "candidate" else None,
        reference=other if field == "candidate" else None,
        source="Now they agreed.",
        rating=0.8,
        remark="prefers the worse candidate now" if index % 2 else "",
        minimal=minimal,
        minimal_spans=fewest_edits,
        score_minimal=0.61,
        edits=9,
        edits_minimal=2,
        calls=47,
        pin=PIN.format(segment=f"seg-{index:03d}", before=before, minimal=minimal),
        matrix_before=token_matrix(other, before, 0.95) if matrices else None,
        matrix_after=token_matrix(other, after, 0.45) if matrices else None,
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
