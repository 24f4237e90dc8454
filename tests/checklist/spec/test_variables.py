"""Environment variables in the paths of data, and nowhere else."""

import pytest

from shakeproof.spec.read import load, load_resolved, parse
from shakeproof.spec.variables import escape_variables, expand_variables

VARIABLES = {"A": "one", "EMPTY": ""}
REST = """\
metrics: {chrf: chrf}
checks: [{check: a, perturb: {upper-case: {on: candidate}}, expect: same_scores}]
"""


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        pytest.param("${A}/x", "one/x", id="value"),
        pytest.param("${A}${A}", "oneone", id="twice"),
        pytest.param("${B:-two}", "two", id="default"),
        pytest.param("${A:-two}", "one", id="default not needed"),
        pytest.param("${EMPTY:-two}", "two", id="default for an empty one"),
        pytest.param("a${EMPTY}b", "ab", id="empty"),
        pytest.param("${B:-}", "", id="empty default"),
        pytest.param("$${A}", "${A}", id="escaped"),
        pytest.param("$A $ {A}", "$A $ {A}", id="other dollars"),
    ],
)
def test_variables_are_replaced_by_their_values(text, expanded):
    assert expand_variables(text, VARIABLES) == expanded


@pytest.mark.parametrize("text", ["${", "${}", "${1a}", "${a b}", "${A:=x}", "x${A"])
def test_what_is_no_variable_is_refused(text):
    with pytest.raises(ValueError, match="no variable; write"):
        expand_variables(text, VARIABLES)


@pytest.mark.parametrize("text", ["plain", "${A}", "$${A}", "$$", "${"])
def test_an_escaped_text_reads_back_equal(text):
    assert expand_variables(escape_variables(text), {}) == text


@pytest.mark.parametrize(
    ("data", "read"),
    [
        pytest.param("${D}/a.jsonl", {"": "there/a.jsonl"}, id="path"),
        pytest.param("{x: '${D}/a', y: '${E:-b}'}", {"x": "there/a", "y": "b"}, id="groups"),
        pytest.param("{each: ['${D}/a.jsonl']}", {"a": "there/a.jsonl"}, id="each"),
    ],
)
def test_data_may_have_variables(written, monkeypatch, data, read):
    monkeypatch.setenv("D", "there")

    assert load(written(f"data: {data}\n{REST}")).data == read


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("${NO}/a", "1:7: the environment variable NO is not set; set it, or write ${NO:-default}"),
        ("{g: '${NO}'}", "1:11: the environment variable NO is not set"),
        ("${NIL}", "1:7: '${NIL}' is empty, as its environment variable is"),
        ("a${", "1:7: 'a${' has a '${' that is no variable"),
    ],
)
def test_a_wrong_variable_is_one_mistake_at_its_place(
    written, monkeypatch, error_lines, data, message
):
    monkeypatch.delenv("NO", raising=False)
    monkeypatch.setenv("NIL", "")

    (line,) = error_lines(load, written(f"data: {data}\n{REST}"))
    assert line.startswith(f"c.checklist.yaml:{message}")


def test_elsewhere_a_variable_is_text(written, monkeypatch):
    monkeypatch.setenv("A", "one")
    segments = "data: [{id: '${A}', references: ['${A}'], candidates: [{text: '${'}]}]\n"
    checklist = load(written(f"checklist: about ${{A}}\n{segments}{REST}"))

    assert checklist.title == "about ${A}"
    assert checklist.segments[0]["id"] == "${A}"


def test_values_of_variables_are_not_recorded(run_checklist, tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_FOLDER", str(tmp_path / "token-123"))
    (tmp_path / "token-123").mkdir()
    row = '{"id": "1", "references": ["a b"], "candidates": [{"text": "a b"}]}\n'
    (tmp_path / "token-123" / "d.jsonl").write_text(row)
    (tmp_path / "base.yaml").write_text("data: ${SECRET_FOLDER}/d.jsonl\n")
    run = run_checklist(f"extends: base.yaml\n{REST}")

    assert "token-123" not in run.model_dump_json()
    assert "${SECRET_FOLDER}/d.jsonl" in run.checklists[0].text


def test_a_resolved_checklist_has_the_values(written, monkeypatch):
    monkeypatch.setenv("D", "a${b")
    path = written(f"data: '${{D}}/x.jsonl'\n{REST}")
    text = load_resolved(path)

    assert "data: a$${b/x.jsonl" in text
    assert parse(text, path).data == load(path).data == {"": "a${b/x.jsonl"}
