"""What is known of a public data set, and the files of its origin."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

# The repositories, and the commit whose files are read.
COMMITS = {
    "AIPHES/ACL20-Reference-Free-MT-Evaluation": "2026e18c8874e5659ea6c03f82ec3e600d0feac1",
    "long21wt/robust-bert-based-metrics": "8cac959907b300b532e17f5c82e05897053ca997",
    "marzenakrp/demetr": "9b31cfe92b2fee26d3d7532aea349af31a63f93e",
    "ncsoft/offsetbias": "0bd16e4ac935315999ed23480c69673b675884b0",
    "neulab/BARTScore": "248f511cb34ae3753fc81f7d7a945de5bfe33458",
    "princeton-nlp/LLMBar": "900616bff90b6c6c8e1681f7d079250637c55992",
    "salesforce/factualNLG": "0da1dfa62c783218d26208c1796d3a2605bec745",
    "shadowkiller33/ParaScore": "8a7cf7834d0e39e6608642c90dab076b04827200",
}


@dataclass(frozen=True, slots=True)
class PublicSet:
    """A data set that can be downloaded; sets of one collection can be got and read together."""

    name: str
    summary: str
    language: str
    segments: int
    licence: str  # as the origin states it
    citation: str
    collection: str = ""
    group: str = ""  # of its segments, where the collection is read


@dataclass(frozen=True, slots=True)
class OriginFile:
    """A file of a repository; `digest` is `sha256:…`, or git's own hash of the file: `git:…`."""

    repository: str  # owner/name
    path: str
    digest: str
    size: int | None  # in bytes, where it is known

    @property
    def folder(self) -> str:
        """The name of the repository without its owner: of the folder that a clone makes."""
        return self.repository.split("/")[1]

    @property
    def commit(self) -> str:
        """The commit at which the file is read."""
        return COMMITS[self.repository]


def files_of(name: str) -> tuple[OriginFile, ...]:
    """Return the files that a set is made of."""
    return tuple(file for set_name, file in _all_files() if set_name == name)


@cache
def _all_files() -> tuple[tuple[str, OriginFile], ...]:
    """Read `files.tsv`: set, repository, size, digest and path."""
    text = (files("shakeproof.data.sets") / "files.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    return tuple(
        (name, OriginFile(repository, path, digest, int(size) if size else None))
        for name, repository, size, digest, path in rows
    )
