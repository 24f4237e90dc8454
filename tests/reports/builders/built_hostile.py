"""A text that means harm, in every field that holds text."""

from built_results import drop, estimate
from built_runs import checklist_record, wrap

from shakeproof.reports.gallery import FamilyEntry, FamilyGroup, PerturbedText
from shakeproof.results import (
    Change,
    ChangeKind,
    DataRecord,
    Example,
    Histogram,
    MetricRecord,
    Outcome,
    Part,
    PartName,
    Published,
    Realised,
    Result,
    TextSpan,
    TokenMatrix,
)

LEVEL = 0.3


def hostile(text):
    """A run that carries `text` wherever a run may carry text."""
    bad = result(text)
    copying = bad.model_copy(update={"expectation": "copy_penalty", "id": f"{text}2"})
    other = copying.model_copy(update={"metric": f"{text}3", "id": f"{text}3"})
    layer = bad.model_copy(update={"metric": f"{text}4", "id": f"{text}4"})
    return wrap(
        [bad, copying, other, layer],
        checklists=(record(text),),
        command=text,
        started=text,
        shakeproof=text,
        environment={text: text},
        settings={text: text},
        baseline=text,
        published=tuple(published(text)),
    )


def result(text):
    found = estimate(0.2, method=text, note=text)
    words = [
        name
        for name, field in Result.model_fields.items()
        if field.annotation in (str, str | None) and name not in ("influence", "expectation")
    ]
    return drop("deep", "visual", LEVEL).model_copy(
        update=dict.fromkeys(words, text)
        | {
            "outcome": Outcome.FAILED,
            "estimate": found,
            "change": change(text, found),
            "changes": Histogram(edges=(0.0, 0.1), counts=(3,)),
            "examples": (example(text),),
            "realised": Realised(letters=1, words=1, segments=1, edits=1, unknown=2),
            "parts": tuple(
                Part(name=name, estimate=found, level=LEVEL, group=group)
                for name in (*PartName, text)
                for group in ("", text)
            ),
        }
    )


def change(text, found):
    return Change(
        kind=ChangeKind.WORSE, estimate=found, message=text, reason=text, metric_changes=text
    )


def example(text):
    edits = tuple(
        TextSpan(kind=kind, text=part)
        for kind, part in (("added", "x"), ("same", text), ("added", "y"))
    )
    matrix = TokenMatrix(candidate=(text, "b"), reference=(text,), similarity=((0.5,), (0.1,)))
    return Example(
        segment=text,
        field=text,
        before=text,
        after=f"x{text}y",
        spans=edits,
        score_before=1.0,
        score_after=0.0,
        candidate=text,
        reference=text,
        source=text,
        remark=text,
        minimal=f"x{text}",
        minimal_spans=edits[:2],
        score_minimal=0.4,
        edits=2,
        edits_minimal=1,
        calls=9,
        pin=text,
        matrix_before=matrix,
        matrix_after=matrix,
    )


def published(text):
    """One number that is linked to a check, and one that is not."""
    found = estimate(0.2, method=text, note=text)
    for measured in (found, None):
        yield Published(
            paper=text,
            table=text,
            row=text,
            column=text,
            value=0.3,
            measured=measured,
            result=text if measured else "",
            note=text,
        )


def record(text):
    """A checklist whose metrics differ in layer, and in what is switched off."""
    data = DataRecord(
        name=text,
        sha256=text,
        segments=1,
        candidates=1,
        rated=1,
        preferences=0,
        surrogates=2,
        language=text,
        licence=text,
        citation=text,
    )
    whole = {"similarity": text, "divergence": True, text: text, "layer": text}
    settings = [
        (text, "parascore", whole),
        (f"{text}3", "parascore", whole | {"divergence": False}),
        (f"{text}4", "parascore", whole | {"layer": 1}),
    ]
    metrics = tuple(
        MetricRecord(name=name, kind=kind, settings=values, signature=text, facts={text: [text]})
        for name, kind, values in settings
    )
    update = dict.fromkeys(("file", "title", "sha256", "text"), text)
    return checklist_record([]).model_copy(update=update | {"data": (data,), "metrics": metrics})


def one_family(text):
    """A gallery of one family that carries `text` in every field that holds text."""
    edits = example(text).spans
    examples = (
        PerturbedText(("0.1", "0.3"), text, f"x{text}y", edits),
        PerturbedText((), text, ""),
    )
    family = FamilyEntry(
        name=text,
        summary=text,
        level=text,
        facts=(text, text),
        context=((text, text),),
        examples=examples,
    )
    return [FamilyGroup(text, text, (family,))]
