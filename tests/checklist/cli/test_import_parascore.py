"""`shakeproof import parascore`: the release is read, and its pickles run no code."""

import io
import pickle
from pathlib import Path

import pytest
from import_command import import_data

from shakeproof.data.imports.parascore import read_pickle
from shakeproof.errors import SpecError

pytestmark = pytest.mark.usefixtures("folder")


def release(folder, candidates=None):
    references = {f"x{i}": [f"r{i}"] for i in range(6)}
    given = candidates or {f"x{i}": [(f"c{i}", "0.8"), (f"d{i}", 0.2)] for i in range(6)}
    for name, value in (("source-reference", references), ("source-candidate", given)):
        (folder / f"{name}.pickle").write_bytes(pickle.dumps(value))


def test_the_parascore_release_is_read(folder):
    release(folder)

    code, segments = import_data("parascore", ".")

    assert code == 0
    assert len(segments) == 6
    assert (segments[0].source, segments[0].references) == ("x0", ("r0",))
    assert [(candidate.text, candidate.rating) for candidate in segments[0].candidates] == [
        ("c0", 0.8),
        ("d0", 0.2),
    ]


def test_a_reference_of_the_release_is_a_pair_of_text_and_rating(folder):
    release(folder)
    references = {f"x{i}": (f"r{i}", 1.0) for i in range(6)}
    (folder / "source-reference.pickle").write_bytes(pickle.dumps(references))

    code, segments = import_data("parascore", ".")

    assert code == 0
    assert [segment.references for segment in segments] == [(f"r{i}",) for i in range(6)]
    assert [segment.id for segment in segments] == ["0", "1", "2", "3", "4", "5"]


def test_the_extended_version_copies_every_fifth_input(folder):
    release(folder)

    _, segments = import_data("parascore", ".", "--extend")

    assert [len(segment.candidates) for segment in segments] == [3, 2, 2, 2, 2, 3]
    assert (segments[5].candidates[2].text, segments[5].candidates[2].rating) == ("x5", 0.0)


class Evil:
    def __reduce__(self):
        return (print, ("owned",))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_that_calls_something_is_refused_unrun(folder, capsys, protocol):
    (folder / "evil.pickle").write_bytes(pickle.dumps({"a": Evil()}, protocol))

    with pytest.raises(SpecError, match="only plain containers are read"):
        read_pickle(Path("evil.pickle"))

    assert capsys.readouterr().out == ""


def test_a_pickle_with_outside_references_is_refused(folder):
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream)
    pickler.persistent_id = lambda value: "outside" if value == "x" else None
    pickler.dump(["x"])
    (folder / "p.pickle").write_bytes(stream.getvalue())

    with pytest.raises(SpecError, match="only plain containers are read"):
        read_pickle(Path("p.pickle"))


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\x80\x05", b"\x80\x04\x95\xff"])
def test_a_broken_pickle_is_one_line(folder, content):
    (folder / "p.pickle").write_bytes(content)

    with pytest.raises(SpecError, match=r"^p\.pickle: cannot be read as a pickle: [^\n]+$"):
        read_pickle(Path("p.pickle"))


@pytest.mark.parametrize(
    ("candidates", "line"),
    [
        ({"x0": [("c", 1)]}, "source-candidate.pickle: no candidates for input 'x1'"),
        ({f"x{i}": ["c"] for i in range(6)}, "source-candidate.pickle: each candidate must be"),
        ([1], "source-candidate.pickle: must be a mapping from inputs to lists"),
    ],
)
def test_a_release_of_another_shape_is_one_line(folder, capsys, candidates, line):
    release(folder, candidates)

    code, _ = import_data("parascore", ".")

    assert code == 2
    assert capsys.readouterr().err.startswith(line)
