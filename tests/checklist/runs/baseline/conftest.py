"""A metric run alone, or against a stored run."""

import pytest
from baseline_runs import CHECKLIST, GOOD

import shakeproof


@pytest.fixture
def run(tmp_path):
    def run(metric=GOOD, text=CHECKLIST, *, baseline=None, **options):
        folder = tmp_path / str(abs(hash((metric, text))))
        folder.mkdir(exist_ok=True)
        (folder / "mine.py").write_text(metric)
        path = folder / "b.checklist.yaml"
        path.write_text(text.replace("VERSION", str(abs(hash(metric)))))
        stored = None
        if baseline is not None:
            stored = tmp_path / "stored.json"
            stored.write_text(baseline.model_dump_json())
        return shakeproof.run(path, baseline=stored, **options)

    return run
