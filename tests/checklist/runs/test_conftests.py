"""The conftest.py files around a checklist, without pytest."""

import pytest

from shakeproof.errors import SpecError
from shakeproof.runs.conftests import find_conftests, import_conftests


@pytest.fixture
def checklist(tmp_path):
    (tmp_path / "project" / "checks").mkdir(parents=True)
    return tmp_path / "project" / "checks" / "c.checklist.yaml"


def test_they_are_listed_from_the_root_of_the_project_inwards(checklist):
    inner, project = checklist.parent, checklist.parents[1]
    for folder in (inner, project, project.parent):
        (folder / "conftest.py").touch()
    (project / "pyproject.toml").touch()

    assert find_conftests(checklist) == [project / "conftest.py", inner / "conftest.py"]


def test_without_a_root_only_the_one_beside_the_checklist_counts(checklist):
    for folder in (checklist.parent, checklist.parents[1]):
        (folder / "conftest.py").touch()

    assert find_conftests(checklist) == [checklist.parent / "conftest.py"]


def test_they_are_run_once(checklist):
    log = checklist.with_name("log")
    code = f"with open({str(log)!r}, 'a') as log:\n    log.write('x')\n"
    checklist.with_name("conftest.py").write_text(code)
    import_conftests(checklist)
    import_conftests(checklist)

    assert log.read_text() == "x"


def test_one_that_breaks_is_reported_in_one_line(checklist):
    checklist.with_name("conftest.py").write_text("raise RuntimeError('not\\ntoday')\n")

    with pytest.raises(SpecError, match=r"conftest\.py: cannot be imported: RuntimeError: not"):
        import_conftests(checklist)
