# the two commands of the README: make try, make test
PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
STAMP  := $(VENV)/.built

.PHONY: venv try test install unwire lint bench fuzz test-harness

# an interpreter whose base was upgraded away is made anew
venv:
	@test ! -e $(STAMP) || $(PY) -c pass 2>/dev/null || rm -rf $(VENV)
	@$(MAKE) -s --no-print-directory $(STAMP)

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "guards needs python3 of 3.11 or later; this one is $$($(PYTHON) -V 2>&1). try: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { \
	  echo "python3 could not make a venv; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@$(PY) -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(STAMP)

try: venv
	@$(PY) -m guards.reports.trial

test: venv
	@$(PY) -m pytest -q -n 4 -m "not slow and not real"

lint: venv
	@$(PY) -m ruff check guards tests
	@$(PY) -m mypy

install: venv
	@$(VENV)/bin/guards install $(ARGS)

# needs nothing but some python3: it must work when .venv is gone
unwire:
	@$(PYTHON) guards/wiring/unwire.py $(ARGS)

bench: venv
	@$(PY) -m tests.bench

fuzz: venv
	@FUZZ=20 $(PY) -m pytest -q -n 2 -m "slow or generated" --hypothesis-profile=new

test-harness: venv
	@$(PY) -m tests.harness.npm
	@$(PY) -m pytest -q -n 2 -m real tests/harness || { \
	  echo "once more, one at a time, for what failed: a program that starts slowly is no finding" >&2; \
	  $(PY) -m pytest -q -m real --last-failed --last-failed-no-failures none tests/harness; }
