"""The workflows that users get, run step by step in a repository with a planted regression."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from dry_run import Job, run_file
from ruamel.yaml import YAML

from shakeproof.cli.main import main

ROOT = Path(__file__).parent.parent
CI = ROOT / "checklist" / "samples" / "ci"
ACTION = ROOT / "action.yml"
COMMENT_ACTION = ROOT / ".github" / "actions" / "comment" / "action.yml"
WORKFLOW, COMMENT = CI / "github.yml", CI / "github-comment.yml"
SCHEMAS = {
    WORKFLOW: "github-workflows",
    COMMENT: "github-workflows",
    CI / "gitlab.yml": "gitlab-ci",
    ACTION: "github-actions",
    COMMENT_ACTION: "github-actions",
}
BASELINE = "shakeproof-baseline.jsonl"
CHECKLIST = """\
data: sample
language: en
draws: 500
metrics:
  mine: {python: mine:score}
  words: {word-f1: {}}
checks:
  - check: agreement with people
    expect: {correlation: {coefficient: pearson, at_least: -0.5}}
  - check: capitals do not matter
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 3}}
  - check: agreement that nobody has
    expect: {correlation: {coefficient: pearson, at_least: 0.9}}
"""
METRIC = """\
def score(candidate, reference):
    one, other = set(candidate.lower().split()), set(reference.lower().split())
    return 2 * len(one & other) / max(len(one) + len(other), 1)
"""
WORSE = METRIC.replace(".lower()", "")  # capitals matter now
IDENTITY = ("-c", "user.name=a", "-c", "user.email=a@example.org")
HOSTILE = '$(touch owned) `touch owned` @team <img src="x">'


def read(path):
    return YAML(typ="safe").load(path.read_text(encoding="utf-8"))


def steps_of(path):
    content = read(path)
    if "runs" in content:
        return content["runs"]["steps"]
    return [step for job in content["jobs"].values() for step in job["steps"]]


def commands(path):
    """Return the commands of each step that has some, by its name."""
    return {step["name"]: step["run"] for step in steps_of(path) if "run" in step}


def git(folder, *arguments):
    done = subprocess.run(
        ["git", *IDENTITY, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_workflow_follows_its_published_schema(path):
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    done = subprocess.run(
        [*command, f"vendor.{SCHEMAS[path]}", path], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr


GITHUB = [path for path, schema in SCHEMAS.items() if schema != "gitlab-ci"]


@pytest.mark.parametrize("path", GITHUB, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_actions_are_githubs_own_by_their_major_version_and_commands_have_no_expressions(path):
    actions = [step["uses"] for step in steps_of(path) if "uses" in step]

    assert all(re.fullmatch(r"actions/[a-z/-]+@v\d+", action) for action in actions)
    assert not any("${{" in command for command in commands(path).values())


def test_the_action_and_the_workflow_run_the_same_commands():
    action, workflow = commands(ACTION), commands(WORKFLOW)
    del action["Install shakeproof"], workflow["Install shakeproof"]

    assert action == workflow
    assert commands(COMMENT_ACTION) == commands(COMMENT)


def test_the_workflow_may_only_read_and_the_comment_only_write_comments():
    assert read(WORKFLOW)["permissions"] == {"contents": "read"}
    assert "secrets." not in WORKFLOW.read_text(encoding="utf-8")
    assert read(COMMENT)["permissions"] == {}
    (job,) = read(COMMENT)["jobs"].values()
    assert job["permissions"] == {"actions": "read", "pull-requests": "write"}
    assert not any("checkout" in step.get("uses", "") for step in job["steps"])


def test_caches_are_saved_after_a_failure_too():
    saves = [step for step in steps_of(WORKFLOW) if "cache/save" in step.get("uses", "")]

    assert len(saves) == 2
    assert all(step["if"].startswith("always()") for step in saves)
    assert all(
        cache["when"] == "always" for cache in read(CI / "gitlab.yml")["shakeproof"]["cache"]
    )


def test_the_comment_listens_to_the_workflow_by_its_name():
    assert read(COMMENT)["on"]["workflow_run"]["workflows"] == [read(WORKFLOW)["name"]]


@pytest.fixture(scope="module")
def stand_ins(tmp_path_factory):
    """A folder of commands that note how they were called: pip, uv, and gh with a pull request."""
    folder = tmp_path_factory.mktemp("bin")
    scripts = {
        "pip": 'echo "$@" >> "$CALLS"\n',
        "uv": 'echo "$@" >> "$CALLS"\n',
        "gh": """\
echo "$@" >> "$CALLS"
case "$*" in
  *pulls/7*) echo "$HEAD_OF_7" ;;
  *paginate*) echo "$OLD_COMMENTS" ;;
  *body=@body.md*) cp body.md "$POSTED" ;;
esac
""",
    }
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/bash\n{script}", encoding="utf-8")
        (folder / name).chmod(0o755)
    return folder


def environment(stand_ins, calls):
    path = os.pathsep.join([str(stand_ins), str(Path(sys.executable).parent), os.environ["PATH"]])
    return {"PATH": path, "CALLS": str(calls), "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """A repository: a baseline on main, a worse metric on a branch, and the merge of both."""
    folder = tmp_path_factory.mktemp("repository")
    (folder / "checks").mkdir()
    (folder / "checks" / "own.checklist.yaml").write_text(CHECKLIST)
    (folder / "checks" / "mine.py").write_text(METRIC)
    (folder / "test_of_the_project.py").write_text("raise RuntimeError('not a checklist')\n")
    (folder / ".gitignore").write_text(".shakeproof\n*.json\n__pycache__\n")
    pytest_here = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "checks"]
    subprocess.run([*pytest_here, "--shakeproof-json=run.json"], cwd=folder, check=False)
    run, baseline = str(folder / "run.json"), str(folder / BASELINE)
    assert main(["baseline", "update", run, "-o", baseline]) == 0
    (folder / "run.json").unlink()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "base")
    git(folder, "checkout", "-qb", "worse")
    (folder / "checks" / "mine.py").write_text(WORSE)
    git(folder, "commit", "-qam", "capitals matter")
    git(folder, "checkout", "-q", "-b", "merged", "main")
    git(folder, "merge", "-q", "--no-ff", "-m", "merge", "worse")
    return folder


def pull_request(folder, sha="HEAD"):
    """Return the context of a pull request against main."""
    return {
        "event_name": "pull_request",
        "base_ref": "main",
        "sha": git(folder, "rev-parse", sha),
        "repository": "o/r",
        "event.pull_request.number": "7",
    }


@pytest.fixture(scope="module")
def done(repository, stand_ins, tmp_path_factory):
    """The workflow of a pull request with the planted regression: its job and its steps."""
    temp = tmp_path_factory.mktemp("temp")
    job = Job(
        repository,
        temp,
        pull_request(repository),
        env=environment(stand_ins, temp / "calls"),
    )
    return job, {step.name: step for step in run_file(WORKFLOW, job)}


def test_a_regression_fails_the_run_and_everything_after_it_is_done(done):
    job, steps = done
    outcomes = {name: step.outcome for name, step in steps.items()}

    assert job.failed
    assert [name for name in outcomes if outcomes[name] != "success"] == ["Run the checklists"]
    assert "1 failed, 3 passed, 2 xfailed" in steps["Run the checklists"].output
    files = {path.name for path in (job.temp / "artifacts" / "shakeproof").iterdir()}
    assert files == {"report.html", "run.json", "junit.xml"}


def test_the_comment_names_the_planted_regression_first(done):
    job, _ = done
    folder = job.temp / "artifacts" / "shakeproof-comment"
    comment = (folder / "comment.md").read_text(encoding="utf-8")
    rows = [line for line in comment.splitlines() if line.startswith("| ")][2:]

    assert (folder / "number").read_text() == "7\n"
    assert "Compared with the baseline of main." in comment
    assert rows[0].startswith("| ↘ **regression** | `mine` | capitals do not matter, upper-case")
    assert re.search(r"\| \+\d\.\d+ \\\[\+\d\.\d+, \+\d\.\d+\\\] \|", rows[0])
    assert len(rows) <= 20


def test_the_summary_of_the_job_has_the_run_and_the_comparison(done):
    job, _ = done
    summary = (job.temp / "summary").read_text(encoding="utf-8")

    assert "capitals do not matter" in summary
    assert summary.endswith((job.folder / "shakeproof-comment/comment.md").read_text("utf-8"))


def test_torch_is_installed_as_a_cpu_build(done):
    job, _ = done
    first, second, *_ = (job.temp / "calls").read_text().splitlines()

    assert first == "install uv"
    assert second == "pip install --system --torch-backend cpu torch"


@pytest.fixture
def clone(repository, tmp_path):
    """The branch as a plain checkout of one commit, with the repository as its origin."""
    folder = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth=1", "-b", "worse", repository.as_uri(), str(folder))
    return folder


def run_action(folder, temp, stand_ins, **inputs):
    job = Job(
        folder,
        temp,
        pull_request(folder),
        {"install": "none", **inputs},
        environment(stand_ins, temp / "calls"),
    )
    return job, {step.name: step for step in run_file(ACTION, job)}


@pytest.mark.slow
def test_the_action_fetches_the_baseline_of_the_target_branch(clone, tmp_path, stand_ins):
    job, steps = run_action(clone, tmp_path / "temp", stand_ins)

    assert steps["Install shakeproof"].outcome == "skipped"
    assert "**regression** | `mine`" in (clone / "shakeproof-comment/comment.md").read_text("utf-8")
    assert job.failed


@pytest.mark.slow
def test_the_action_says_how_to_write_a_baseline_where_there_is_none(clone, tmp_path, stand_ins):
    job, _ = run_action(clone, tmp_path / "temp", stand_ins, baseline="other.jsonl")

    comment = (clone / "shakeproof-comment/comment.md").read_text(encoding="utf-8")
    assert comment.startswith("The target branch has no `other.jsonl` yet, ")
    assert "`shakeproof baseline update run.json`" in comment
    assert job.failed  # every failed check fails


def test_without_a_checklist_the_action_fails_and_the_comment_says_so(clone, tmp_path, stand_ins):
    job, steps = run_action(clone, tmp_path / "temp", stand_ins, checklists="no.checklist.yaml")

    assert "::error::git knows no file like no.checklist.yaml" in steps["Run the checklists"].output
    comment = (clone / "shakeproof-comment/comment.md").read_text(encoding="utf-8")
    assert comment.startswith("The checklists ended without a result")
    assert job.failed


@pytest.mark.slow
def test_the_commands_for_gitlab_compare_with_the_target_branch(clone, tmp_path, stand_ins):
    job = read(CI / "gitlab.yml")["shakeproof"]
    variables = {"CI_PROJECT_DIR": str(clone), "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"}
    own = {name: value for name, value in job["variables"].items() if "$" not in value}
    env = {**os.environ, **environment(stand_ins, tmp_path / "calls"), **variables, **own}
    codes = []
    for part in ("before_script", "script", "after_script"):
        script = "set -eo pipefail\n" + "\n".join(job[part])
        codes.append(subprocess.run(["bash", "-c", script], cwd=clone, env=env).returncode)

    assert codes == [0, 1, 0]
    assert "**regression** | `mine`" in (clone / "comparison.md").read_text(encoding="utf-8")
    assert all((clone / name).exists() for name in ("report.html", "run.json", "junit.xml"))


@pytest.fixture
def post(tmp_path, stand_ins):
    """Post a comment from an artifact; return the step, the calls of gh, and what was posted."""

    def post(number="7\n", comment=f"{HOSTILE}\n", *, head="abc", old="", link=None):
        temp = tmp_path / "temp"
        artifact = temp / "artifacts" / "shakeproof-comment"
        artifact.mkdir(parents=True)
        (artifact / "number").write_text(number)
        if link:
            (artifact / "comment.md").symlink_to(link)
        else:
            (artifact / "comment.md").write_text(comment)
        posted, calls = temp / "posted", temp / "calls"
        env = environment(stand_ins, calls)
        env |= {"HEAD_OF_7": head, "OLD_COMMENTS": old, "POSTED": str(posted)}
        github = {
            "repository": "o/r",
            "event.workflow_run.event": "pull_request",
            "event.workflow_run.head_sha": "abc",
        }
        (_, step) = run_file(COMMENT, Job(tmp_path, temp, github, env=env))
        body = posted.read_text(encoding="utf-8") if posted.exists() else None
        return step, calls.read_text().splitlines() if calls.exists() else [], body

    return post


def test_a_comment_is_posted_as_a_text_that_notifies_nobody(post, tmp_path):
    step, calls, body = post()

    assert step.outcome == "success"
    assert calls[-1] == ("api --silent --method POST repos/o/r/issues/7/comments -F body=@body.md")
    marker, text, *_, last = body.splitlines()
    assert marker == "<!-- shakeproof -->"
    assert text == HOSTILE.replace("@", "@\u200b")
    assert last == "*Computed by the code of this pull request.*"
    assert not list(tmp_path.rglob("owned"))


def test_an_earlier_comment_is_updated_instead(post):
    step, calls, body = post(old="41\n42")

    assert step.outcome == "success"
    assert calls[-1] == "api --silent --method PATCH repos/o/r/issues/comments/41 -F body=@body.md"
    assert body


@pytest.mark.parametrize(
    ("artifact", "message"),
    [
        pytest.param({"number": "7; rm -rf ."}, "names no pull request", id="not a number"),
        pytest.param({"number": "7\n8\n"}, "names no pull request", id="two numbers"),
        pytest.param({"number": "7" * 20}, "names no pull request", id="too large a number"),
        pytest.param({"comment": "x" * 60_001}, "the comment is too long", id="too long"),
        pytest.param({"link": "/etc/passwd"}, "has no file comment.md", id="a link"),
        pytest.param({"head": "def"}, "has other commits by now", id="another pull request"),
    ],
)
def test_an_artifact_that_may_be_hostile_is_not_posted(post, artifact, message):
    step, calls, body = post(**artifact)

    assert message in step.output
    assert "nothing was posted" in step.output
    assert body is None
    assert not any("body" in call for call in calls)
