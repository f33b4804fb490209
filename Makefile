# make demo       set up, measure a real vLLM, write reports/demo/report.pdf
# make ladder     the Cline report's changes of settings, tried on this machine's CPU
# make test       set up and run every test, the real-engine ones included
# make test-fast  the same without starting an engine
# make coverage   which lines the tests without an engine run; twice as slow
# make lint       ruff and mypy
# make examples   the committed reports, anew from their scenarios and measurement
# make docs       the documentation site, in site/
# make bench      figures against other load clients in one run (BENCH_OPTIONS=--quick)
# make clean      remove what make made here (the installed engine stays)

PYTHON ?= $(firstword $(foreach p,python3.11 python3.12 python3.13 python3,$(if $(shell command -v $(p) 2>/dev/null),$(p))))
VENV ?= .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# Many tests wait for a server's clock, so three share two cores well; a real engine needs them alone.
PYTEST_FAST := $(BIN)/python -m pytest -m "not engine and not gpu" -n 3 --dist loadfile

.PHONY: demo ladder test test-fast coverage test-tools lint examples docs bench wheel clean
.DELETE_ON_ERROR:

demo: $(VENV)/.ready
	$(BIN)/python demo/demo.py

ladder: $(VENV)/.ready
	$(BIN)/python demo/ladder.py $(LADDER_OPTIONS)

test: $(VENV)/.ready-dev test-tools
	$(PYTEST_FAST)
	$(BIN)/python -m pytest -m engine

test-fast: $(VENV)/.ready-dev test-tools
	$(PYTEST_FAST)

coverage: $(VENV)/.ready-dev test-tools
	$(PYTEST_FAST) --cov --cov-report=term:skip-covered

test-tools:
	tests/install_tools.sh

lint: $(VENV)/.ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

examples: $(VENV)/.ready-dev
	$(BIN)/python reports/examples.py

docs: $(VENV)/.ready-dev
	$(BIN)/python -m mkdocs build --strict --quiet

bench: $(VENV)/.ready-dev
	$(BIN)/python -m benchmarks $(BENCH_OPTIONS)

wheel: $(VENV)/.ready-dev
	$(BIN)/python -m build --wheel

$(VENV)/.made:
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.ready: $(VENV)/.made pyproject.toml constraints.txt
	$(PIP_INSTALL) --editable .
	touch $@

$(VENV)/.ready-dev: $(VENV)/.ready
	$(PIP_INSTALL) --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) .tco build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage site
