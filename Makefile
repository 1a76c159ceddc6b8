# Each target sets up what it needs in .venv; nothing outside this folder is touched.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help serve workshop export test test-all test-lowest test-newest check bench soak stills clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 13

serve: .venv/runtime ## open the labs at http://localhost:5006
	$(BIN)/guess-ahead serve $(ARGS)

workshop: .venv/runtime ## serve a class: the labs as files for everybody, live sessions for who presents
	$(BIN)/guess-ahead serve --workshop $(ARGS)

export: .venv/runtime ## write the labs as files that need no server, into dist/ (ARGS=FOLDER)
	$(BIN)/guess-ahead export $(ARGS)

test: .venv/dev ## run every test, the browser's included (ARGS="-k burst" to choose)
	$(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

test-all: .venv/dev ## run the whole sweeps too, of which `make test` takes a part
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "" $(ARGS)

test-lowest: .venv/dev ## export and test with the lowest versions that pyproject.toml allows
	$(BIN)/python tests/versions.py lowest

test-newest: .venv/dev ## the same with the newest, on the newest Python at hand
	$(BIN)/python tests/versions.py newest

check: .venv/dev ## lint, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/dev ## print the speed of the model and of the pages, as ratios taken in one run
	$(BIN)/python tests/bench $(ARGS)

soak: .venv/dev ## ten minutes of a class, with the server's memory printed (ARGS=SECONDS)
	$(BIN)/python tests/bench/soak.py $(ARGS)

stills: .venv/dev ## redraw the pictures that stand in for plots where no script runs
	$(BIN)/python tests/stills.py

clean: ## remove all that was made
	rm -rf .venv dist build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

.venv/runtime: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'Python 3.11 or later with its venv module is needed (on Debian: apt install python3-venv)'; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --constraint constraints.txt --editable .
	@touch $@

.venv/dev: .venv/runtime
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@command -v chromium chromium-browser google-chrome >/dev/null || $(BIN)/playwright install chromium || \
		{ echo 'The browser tests need Chromium (on Debian: apt install chromium)'; exit 1; }
	@touch $@
