"""Hypothesis strategies that users import."""

import subprocess
import sys

from hypothesis import given

from shakeproof.perturbations.strategies import perturbed, texts


@given(pair=perturbed("upper-case"))
def test_perturbed_draws_a_text_and_the_text_perturbed(pair):
    before, after = pair

    assert after == before.upper()


@given(text=texts())
def test_texts_are_texts(text):
    assert text.encode("utf-8").decode("utf-8") == text


def test_the_package_does_not_import_hypothesis():
    code = "import sys, shakeproof.perturbations; sys.exit('hypothesis' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
