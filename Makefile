# Every target sets up what it needs: a machine with python3 and pip is enough.
VENV := .venv
PYTHON := $(VENV)/bin/python
CHROMIUM := /usr/bin/chromium
FIREFOX := /usr/bin/firefox-esr
AXE := $(VENV)/axe-4.14.0.js
PIP := $(PYTHON) -m pip --disable-pip-version-check -q
COMPILER := $(or $(shell command -v cc),/usr/bin/cc)
APT := as_root=$$(test "$$(id -u)" = 0 || echo sudo); $$as_root apt-get update -qq && \
	$$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends

# Tests start some hundreds of Python processes: each would compile debox's bytecode anew if it may not be kept.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help test quick lint docs format bench law torture golden paper clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

test: docs $(CHROMIUM) $(FIREFOX) $(AXE) ## set up, then run all tests (some 5 minutes on 2 cores)
	$(PYTHON) -m pytest

quick: $(VENV)/.core ## run the quick tests: the inner loop while writing code
	$(PYTHON) -m pytest --ignore=tests/slow --ignore=tests/browser --ignore=tests/torture

lint: $(VENV)/.core ## check format, lint and types
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .
	$(PYTHON) -m mypy

docs: $(VENV)/.docs ## write the site of the documentation into site/; a warning, or more than 120 s, is an error
	rm -rf site
	$(PYTHON) -m sphinx -q -W --keep-going -j 2 -d build/doctrees docs site

format: $(VENV)/.core ## format the code, fill the pages of the docs
	$(PYTHON) -m reproduction pages
	$(PYTHON) -m ruff format .
	$(PYTHON) -m ruff check --fix .

bench: $(VENV)/.bench $(CHROMIUM) ## measure speed, against SciPy, pygmo, minionpy and fcmaes
	$(PYTHON) -m benchmarks $(SECTIONS)

law: $(VENV)/.core ## tests/law, the core under sanitizers, the engines compared at length, write docs/law.md
	$(PYTHON) -m pytest tests/law
	$(PYTHON) -m benchmarks.sanitize
	$(PYTHON) -m benchmarks.law

torture: $(VENV)/.core ## kill, interrupt and damage debox for 5 minutes, write the counts to docs/reliability.md
	$(PYTHON) -m benchmarks.torture

golden: $(VENV)/.core ## draw the pictures anew that the tests compare figures with; look at them before you commit them
	PYTHONPATH=tests/helpers $(PYTHON) tests/slow/figures/test_golden.py

paper: $(VENV)/.core ## the paper's study, or what is left of it, in out/paper; its figures; out/report.html; out/explorer.html
	$(PYTHON) -m debox run paper --store out/paper
	$(PYTHON) -m debox figures out/paper --out out/figures
	$(PYTHON) -m debox report out/paper -o out/report.html
	$(PYTHON) -m debox explore out/paper -o out/explorer.html

clean: ## remove the virtual environment
	rm -rf $(VENV)

# --without-pip, then pip from outside: works also where Python comes without ensurepip.
$(VENV)/bin/pip:
	python3 -m venv --without-pip $(VENV)
	python3 -m pip --disable-pip-version-check -q --python $(PYTHON) install --upgrade pip

$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/bin/pip $(COMPILER)
	DEBOX_CORE=required $(PIP) install -c constraints.txt --group dev -e '.[dask,figures]'
	touch $@

# The C core, built anew when its sources change; its digest says whether it is that of the tree.
$(VENV)/.core: setup.py $(wildcard src/debox/core/*) $(VENV)/.dev
	DEBOX_CORE=required $(PYTHON) setup.py -q build_ext --inplace --force
	touch $@

/usr/bin/cc:
	$(APT) gcc libc6-dev python3-dev

# The browsers that tests/browser looks at pages with, and what looks for barriers in them.
$(CHROMIUM) $(FIREFOX):
	$(APT) $(notdir $@)

$(AXE): | $(VENV)/.dev
	$(PYTHON) tests/helpers/axe.py $@

$(VENV)/.docs: pyproject.toml constraints.txt $(VENV)/.core
	$(PIP) install -c constraints.txt --group docs
	touch $@

$(VENV)/.bench: $(VENV)/.core
	$(PIP) install -c constraints.txt -e '.[bench]'
	touch $@
