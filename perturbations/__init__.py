"""Ways to damage a text."""

from shakeproof.perturbations.family import Context, Edit, Family, Perturbation, Rule
from shakeproof.perturbations.registry import PERTURBATIONS

__all__ = ["PERTURBATIONS", "Context", "Edit", "Family", "Perturbation", "Rule"]
