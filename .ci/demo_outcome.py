"""Say how the demo ended: a failed check is a finding, anything else a broken set-up."""

import json
import sys
from collections import Counter
from pathlib import Path

RAN = (0, 1)  # pytest: all passed, some failed


def finding(failed: int) -> str:
    """Put the number of failed checks into words."""
    if failed == 0:
        return "no check failed"
    checks = "1 check" if failed == 1 else f"{failed} checks"
    return f"{checks} failed, that is a finding, not a broken set-up"


def main(code: int, run: Path, report: Path) -> None:
    """Exit with 0 once every check was carried out, whatever the verdicts."""
    if code not in RAN or not run.is_file() or not report.is_file():
        sys.exit(f"The demo is broken: pytest ended with exit code {code}")
    results = json.loads(run.read_text(encoding="utf-8"))["results"]
    outcomes = Counter(result["outcome"] for result in results)
    if outcomes["error"] or not results:
        errors = f"{outcomes['error']} of {len(results)} checks ended in an error"
        sys.exit(f"The demo is broken: {errors}")
    failed = outcomes["failed"] + outcomes["unexpected pass"]
    print(f"The checklist ran: {finding(failed)}.")
    print(f"Open {report} to read it; {run} holds the same run for programs.")


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
