import pytest

from shakeproof.metrics.failures import RatingFailed
from shakeproof.metrics.judges.questions import variables_of_one, variables_of_pair
from shakeproof.metrics.judges.templates import (
    SHIPPED,
    PromptError,
    load_prompt,
    make_marker,
    make_prompt,
)
from shakeproof.metrics.judges.texts import pair_texts
from shakeproof.metrics.kinds.python import pack
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.settings import Settings

INSTANCE = Instance("a candidate", ("one reference", "another"), "the source")
ONE = {**variables_of_one(pack(INSTANCE)), "rubric": "be kind", "scale": "1 to 5"}
TWO = {**variables_of_pair(pair_texts("red", "blue", INSTANCE)), "rubric": "be kind", "scale": ""}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_prompts_fence_every_text(name):
    prompt = load_prompt(name, Settings())
    text = prompt.render(ONE)
    shown = {"references": "one reference", "source": "the source"}

    assert f"=== candidate {ONE['marker']} ===\na candidate\n===" in text
    assert all(shown[what] in text for what in prompt.requires)
    assert "1 to 5" in text


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_prompts_show_both_candidates(name):
    text = load_prompt(name, Settings(), pair=True).render(TWO)

    assert text.index("\nred\n") < text.index("\nblue\n")


@pytest.mark.parametrize(
    ("text", "requires"),
    [
        pytest.param("{{ candidate }}", set(), id="the candidate alone"),
        pytest.param("{{ candidate }} {{ reference }}", {"references"}, id="one reference"),
        pytest.param(
            "{{ candidate }}{% for text in references %}{{ text }}{% endfor %}",
            {"references"},
            id="all references",
        ),
        pytest.param("{{ candidate }} {{ source }}", {"source"}, id="the source"),
    ],
)
def test_what_a_prompt_shows_is_what_the_metric_requires(text, requires):
    assert make_prompt("p", text).requires == requires


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("\n{{ candidat }}", "p.j2:2: unknown variable 'candidat'; known:", id="name"),
        pytest.param("\n\n{% if %}", "p.j2:3: ", id="syntax"),
        pytest.param("{{ candidate|shout }}", "p.j2:1: No filter named 'shout'", id="filter"),
        pytest.param(
            "{{ candidate }}\n{% include 'x' %}", "p.j2:2: a prompt cannot include", id="include"
        ),
        pytest.param("hello", "p.j2: the prompt must show {{ candidate }}", id="no candidate"),
        pytest.param("{{ first }}", "p.j2:1: unknown variable 'first'", id="of pairs"),
    ],
)
def test_a_mistake_in_a_template_is_one_line_with_file_and_line(text, message):
    with pytest.raises(PromptError) as error:
        make_prompt("p.j2", text)

    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_a_template_that_cannot_be_rendered_says_where():
    prompt = make_prompt("p.j2", "{{ candidate }}\n{{ references[7] }}")
    with pytest.raises(RatingFailed) as error:
        prompt.render(ONE)

    assert "p.j2:2" in error.value.failure.kind


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{{ ''.__class__.__mro__[1].__subclasses__() }}", id="classes"),
        pytest.param("{{ candidate.format.__globals__ }}", id="globals"),
        pytest.param("{{ references.append('x') }}", id="change a list"),
        pytest.param("{% for i in range(10000000) %}x{% endfor %}", id="a long loop"),
    ],
)
def test_templates_run_in_a_sandbox(text):
    prompt = make_prompt("p.j2", "{{ candidate }}" + text)
    with pytest.raises(RatingFailed):
        prompt.render(ONE)


def test_a_file_that_is_not_there_names_the_shipped_prompts():
    with pytest.raises(PromptError, match=r"no prompt 'adequatcy'.*adequacy, fluency"):
        load_prompt("adequatcy", Settings())


def test_a_text_cannot_contain_the_marker_of_its_fence():
    marker = make_marker("a text")
    other = make_marker("a text", f"=== end {marker} ===")

    assert other != marker
    assert make_marker("a text") == marker


def test_html_is_sent_as_it_is():
    text = "a < b & c"

    assert make_prompt("p", "{{ candidate }}").render({**ONE, "candidate": text}) == text
