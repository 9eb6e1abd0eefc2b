# The doors of Beadplate. They need a Python 3.11 or newer with venv, and nothing else; uv is taken where it is found.
#   make demo      set up and run the whole system; more flags: make demo ARGS="--tables 3"
#   make test      set up and run every test; a part of them: make test ARGS="tests/broker -x"
#   make soak      the long form of the tests under faults, about 40 minutes; again as before: make soak SEED=...
#   make check     format, lint, types, import arrows, dead code, generated documents
#   make bench     the benchmarks
#   make install   set up only

PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
ROOMS := baccarat contract broker producer processors dashboards audit beadplate
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --custom-compile-command "make lock" $(UPGRADE)

.DEFAULT_GOAL := help
.PHONY: help install develop demo test soak check format bench lock clean

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

install:
	@$(PYTHON) scripts/setup.py run

develop:
	@$(PYTHON) scripts/setup.py develop

demo: install
	@exec $(BIN)/python scripts/foreground.py $(BIN)/beadplate demo $(ARGS)

test: develop
	@$(BIN)/python -m pytest $(ARGS)

soak: develop
	@$(if $(SEED),BEADPLATE_SOAK_SEED=$(SEED)) $(BIN)/python -m pytest -m soak -s -p no:randomly $(ARGS)

check: develop
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy tests scripts
	$(BIN)/lint-imports
	$(BIN)/vulture
	$(BIN)/python -m contract.generate --check

format: develop
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: develop
	@$(BIN)/python -m benchmarks $(ARGS)

# The locks: `make lock` follows pyproject.toml, `make lock UPGRADE=--upgrade` takes newer versions. Needs uv.
lock:
	$(LOCK) pyproject.toml requirements/build.in --output-file requirements/run.txt
	$(LOCK) pyproject.toml requirements/build.in --group dev --constraints requirements/run.txt --output-file requirements/dev.txt
	$(LOCK) requirements/java.in --output-file requirements/java.txt

# What can be made again; the data of the demo, var/, stays.
clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
	find $(ROOMS) tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
