"""Install a wheel in a clean environment, far from the repository, and run a checklist with it."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
CHECKLIST = ROOT / ".ci" / "wheel.checklist.yaml"


def run(*command: str | Path, folder: Path) -> None:
    """Run a command in `folder`; end the program if it fails."""
    if code := subprocess.run(command, cwd=folder, check=False).returncode:
        sys.exit(f"the wheel is broken: exit code {code} from {' '.join(map(str, command))}")


def main(wheel: Path) -> None:
    """Install `wheel` with its core dependencies, run its command and its pytest plugin."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = folder / "environment"
        programs = environment / "bin"
        run(sys.executable, "-m", "venv", environment, folder=folder)
        install = (programs / "python", "-m", "pip", "install", "-q", wheel.resolve())
        run(*install, "-c", ROOT / "constraints.txt", folder=folder)
        run(programs / "shakeproof", "list", "expectations", folder=folder)
        (folder / CHECKLIST.name).write_bytes(CHECKLIST.read_bytes())
        outputs = ("--shakeproof-report=report.html", "--shakeproof-json=run.json")
        run(programs / "pytest", *outputs, folder=folder)
        results = json.loads((folder / "run.json").read_text(encoding="utf-8"))["results"]
        if [result["outcome"] for result in results] != ["passed"]:
            sys.exit(f"the wheel is broken: {CHECKLIST.name} did not pass")
        if "<html" not in (folder / "report.html").read_text(encoding="utf-8"):
            sys.exit("the wheel is broken: report.html is not a page")
    print(f"{wheel.name} works in a clean environment.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
