# Two commands are enough: `make play` and `make test`. Each sets up its own environment first.
PYTHON ?= python3
PLAY := .venv-play
TEST := .venv-test
BIN := $(TEST)/bin
CATALOGUE := game/app/locale/zh/LC_MESSAGES/xiangshe

.PHONY: play test lint format types contract check dist golden messages picture clean

play: $(PLAY)/.ready
	$(PLAY)/bin/xiangshe

test: $(TEST)/.ready
	$(BIN)/python -m pytest

$(PLAY)/.ready: pyproject.toml $(shell find game data -type f -not -name '*.pyc' | sed 's/ /\\ /g')
	$(PYTHON) -m venv $(PLAY)
	$(PLAY)/bin/python -m pip install --quiet --disable-pip-version-check .
	touch $@

$(TEST)/.ready: pyproject.toml requirements-dev.lock
	$(PYTHON) -m venv $(TEST)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements-dev.lock --editable '.[dev]'
	touch $@

lint: $(TEST)/.ready
	$(BIN)/ruff check game tests benchmarks data
	$(BIN)/ruff format --check game tests benchmarks data

format: $(TEST)/.ready
	$(BIN)/ruff check --fix game tests benchmarks data
	$(BIN)/ruff format game tests benchmarks data

types: $(TEST)/.ready
	$(BIN)/mypy

contract: $(TEST)/.ready
	$(BIN)/lint-imports

check: $(TEST)/.ready
	$(BIN)/xiangshe check

golden: $(TEST)/.ready
	$(BIN)/python -m tests.playthroughs.regenerate

messages: $(TEST)/.ready
	$(BIN)/pybabel -q extract --keywords mark --no-location --sort-output --project xiangshe --output $(CATALOGUE).pot game/app
	$(BIN)/pybabel -q update --no-fuzzy-matching --ignore-pot-creation-date --previous --input-file $(CATALOGUE).pot --output-file $(CATALOGUE).po --locale zh
	$(BIN)/pybabel -q compile --input-file $(CATALOGUE).po --output-file $(CATALOGUE).mo --locale zh
	rm $(CATALOGUE).pot

picture: $(TEST)/.ready
	$(BIN)/python docs/picture.py

dist: $(TEST)/.ready
	rm -rf dist
	$(BIN)/python -m build

clean:
	rm -rf $(PLAY) $(TEST) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
