"""How numbers, names, texts and verdicts are written in every kind of report."""
