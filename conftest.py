"""Settings for every run of pytest in this repository."""

# The checklists of the package run only when they are named, not with the tests.
collect_ignore_glob = ["build/*", "checklist/samples/*", "checklist/studies/*", "tools/*"]

pytest_plugins = ["pytester"]
