"""From YAML to a checklist, every mistake with its line and column."""
