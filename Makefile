# Everything here works on a machine with only Python 3.11+ and make. `make help` lists the rest.
# Settings from the environment: HOST, PORT, DATA_DIR, DEMO=0, DATABASE_URL, REDIS_URL, PUBLIC_URL.

# The first Python that is new enough; PYTHON=… chooses another.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	2>/dev/null && echo $$p && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
TEMPLATES = $(shell find templates -name '*.html' 2>/dev/null)
CODE = engine scoring tournaments config
# Tests choose their own database and cache; what the shell points at must not be touched.
PLAIN = env -u DATABASE_URL -u REDIS_URL -u DATA_DIR -u HOST -u PUBLIC_URL -u LIVE_PORT -u LIVE_URL -u SECRET_KEY -u DEBUG -u PYTHONDONTWRITEBYTECODE
# The cores of a small machine; one more where tests wait for most of their time.
WORKERS ?= 2
# One process makes what a module's tests share: a browser, a festival.
SHARED = --dist loadscope --no-loadscope-reorder
SECONDS ?= 60

export VENV

.DEFAULT_GOAL := help
.PHONY: help run setup setup-dev test lint types pytest test-services test-pages test-slow test-races planted mutants fuzz package bench bench-all format lock soak test-hosts \
	pictures look director docs setup-docs texts openapi clean python

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 24

run: setup ## start the program (first run: environment, database, demo festival)
	@exec $(BIN)/python manage.py serve

setup: python ## make the environment in .venv
	@$(PYTHON) tools/environment.py

setup-dev: python
	@$(PYTHON) tools/environment.py --dev

setup-docs: python
	@$(PYTHON) tools/environment.py --docs

python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and none was found on the PATH." >&2; exit 1; }

director: setup ## create an account for a tournament director
	@$(BIN)/python manage.py create_director

test: lint types pytest ## style, types, and the tests that need no running program

lint: setup-dev ## style, layers, scripts and templates
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/oxlint --deny-warnings static
	$(if $(TEMPLATES),$(BIN)/djade --check --target-version 5.2 $(TEMPLATES))
	@! LC_ALL=C.UTF-8 grep -nE '.{141}' $(TEMPLATES) || { echo 'Lines of templates have at most 140 characters.'; exit 1; }
	$(PLAIN) DATA_DIR=build/check $(BIN)/python manage.py makemigrations --check --dry-run
	$(PLAIN) DATA_DIR=build/check $(BIN)/python manage.py check --fail-level WARNING

types: setup-dev ## mypy: strict on the engine, django-stubs on the rest
	$(PLAIN) DATA_DIR=build/check $(BIN)/mypy $(CODE)

pytest: setup-dev ## the tests alone, on SQLite
	$(PLAIN) $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

test-services: setup-dev ## database and concurrency tests on DATABASE_URL and REDIS_URL
	@test -n "$$DATABASE_URL" || { echo "Set DATABASE_URL (and REDIS_URL) first." >&2; exit 1; }
	env -u DATA_DIR -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -n $$(($(WORKERS) + 1)) $(SHARED) tests/scoring tests/tournaments tests/config $(ARGS)

test-pages: setup-dev ## the running program: its servers, its demo, walks over every page, the browser
	$(PLAIN) $(BIN)/python -m pytest -n $$(($(WORKERS) + 1)) $(SHARED) -m pages tests/browser tests/config tests/tournaments $(ARGS)

test-slow: setup-dev ## the tests that are too long for make test
	$(PLAIN) $(BIN)/python -m pytest -n $(WORKERS) -m slow --timeout 3600 $(ARGS)

test-races: setup-dev ## ten thousand raced posts, a hundred killed processes, on DATABASE_URL and REDIS_URL
	@test -n "$$DATABASE_URL" || { echo "Set DATABASE_URL and REDIS_URL first." >&2; exit 1; }
	env -u DATA_DIR -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -m "slow and services" tests/config/test_races.py tests/config/test_killing.py $(ARGS)

planted: setup-dev ## plant faults and see that tests notice each (ARGS="cash-void")
	$(PLAIN) $(BIN)/python -m tests.planted --workers $(WORKERS) $(ARGS)

mutants: setup-dev ## change the engine's code line by line and see that tests notice
	rm -rf mutants
	$(PLAIN) $(BIN)/python -m mutmut run --max-children $(WORKERS) $(ARGS)
	$(PLAIN) $(BIN)/python -m mutmut results

fuzz: setup-dev ## damaged records chosen by what code they reach (Linux; SECONDS=60)
	$(PLAIN) $(BIN)/python -m tests.fuzz.records $(SECONDS)

test-hosts: setup-dev ## two hosts with pages, two workers, a stream, a proxy: each dies; a full disk (Linux, root)
	$(PLAIN) $(BIN)/python -m pytest -m hosts tests/hosts $(ARGS)

soak: setup-dev ## short festivals with everything going wrong, until stopped (ARGS="--seconds 60")
	env -u DATA_DIR -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m tests.simulation $(ARGS)

package: setup-dev ## build the engine's package, install it elsewhere and try it
	$(PLAIN) $(BIN)/python tools/check_package.py

bench: setup-dev ## speed of the engine; ARGS=pdf, table, pages, growth, season, rehearsal, hall or hosts: of that
	$(if $(filter hall,$(ARGS)),env -u DATA_DIR -u HOST -u PORT -u PUBLIC_URL,$(PLAIN)) $(BIN)/python -m benchmarks $(ARGS)

bench-all: setup-dev ## one table of all that is measured, one turn each (ARGS="--before FOLDER": beside an earlier checkout)
	$(PLAIN) $(BIN)/python -m benchmarks all $(ARGS)

format: setup-dev ## put the code into its style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(if $(TEMPLATES),-$(BIN)/djade --target-version 5.2 $(TEMPLATES))

texts: setup-dev ## list texts that a language has no translation of
	@$(BIN)/python -m config.texts || true

docs: setup-docs ## build the guides as a site, which the program then serves (ARGS=--outside: other hosts' links, too)
	build/docs-venv/bin/python -m tools.guides $(ARGS)

pictures: setup-dev ## make the pictures of README and guides with the program itself
	$(PLAIN) $(BIN)/python -m tests.browser.pictures

look: setup-dev ## pictures of every page under build/look, wide and narrow, light and dark, in each language (ARGS="desk")
	$(PLAIN) $(BIN)/python -m tests.browser.look $(ARGS)

openapi: setup-dev ## write the description of the interface for other programs
	$(PLAIN) DATA_DIR=build/check $(BIN)/python manage.py spectacular --file docs/formats/openapi.yaml --validate --fail-on-warn

lock: setup-dev setup-docs ## write the lock files from the environments
	$(BIN)/python tools/lock.py
	build/docs-venv/bin/python tools/lock.py --docs

clean: ## remove what was built; data/ stays
	rm -rf build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -not -path './.venv*' -prune -exec rm -rf {} +
