"""Files to import, and the segments that `shakeproof import` makes of them."""

from pathlib import Path

from shakeproof.cli.main import main
from shakeproof.data.loading import load_data


def write_files(folder, **files):
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")


def import_data(*arguments):
    code = main(["import", *arguments, "-o", "out.jsonl"])
    return code, (load_data("out.jsonl", folder=Path()).segments if code == 0 else ())
