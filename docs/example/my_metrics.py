"""A metric that own.checklist.yaml names by import path."""


def length_match(
    candidates: list[str], references: list[list[str]], sources: list[str | None]
) -> list[float]:
    """Compare the length of each candidate with that of its closest reference."""
    return [
        max(min(len(text), len(one)) / max(len(text), len(one), 1) for one in several)
        for text, several in zip(candidates, references, strict=True)
    ]
