"""What holds for every run of pytest in this repository."""

# The shipped checklists run when they are named, not with the tests.
collect_ignore_glob = ["build/*", "checklist/samples/*", "checklist/studies/*", "tools/*"]

pytest_plugins = ["pytester"]
