"""A metric that own.checklist.yaml names by import path."""


def length_match(
    candidates: list[str], references: list[list[str]], sources: list[str | None]
) -> list[float]:
    """Compare the length of each candidate with that of its closest reference."""
    return [
        max(min(len(text), len(other)) / max(len(text), len(other), 1) for other in others)
        for text, others in zip(candidates, references, strict=True)
    ]
