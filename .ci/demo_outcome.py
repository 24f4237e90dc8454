"""Print how the demo ended: failed checks are findings, everything else is a broken set-up."""

import json
import sys
from collections import Counter
from pathlib import Path

CHECKS_RAN = (0, 1, 10)  # exit codes of pytest: all passed, some failed, some had an error


def failures(failed: int) -> str:
    """Return how many checks failed, in words."""
    if failed == 0:
        return "no check failed"
    checks = "1 check" if failed == 1 else f"{failed} checks"
    return f"{checks} failed, that is a finding, not a broken set-up"


def main(code: int, run: Path, report: Path) -> None:
    """Exit with 0 if every check was evaluated, whatever the verdicts are."""
    if code not in CHECKS_RAN or not run.is_file() or not report.is_file():
        sys.exit(f"The demo is broken: pytest ended with exit code {code}")
    results = json.loads(run.read_text(encoding="utf-8"))["results"]
    outcomes = Counter(result["outcome"] for result in results)
    if outcomes["error"] or not results:
        errors = f"{outcomes['error']} of {len(results)} checks ended in an error"
        sys.exit(f"The demo is broken: {errors}")
    failed = outcomes["failed"] + outcomes["unexpected pass"]
    print(f"The checklists ran: {failures(failed)}.")
    print(f"Open {report} to read it; {run} holds the same run for programs.")


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
