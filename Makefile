# make run [FILE=draft.md]   open the editor (without a display: print the analysis)
# make test                  run every test and check
# make translations          bring the catalogues up to what the program says now
# make pictures              draw the pictures of the window for the guide and the README (minutes, without a display)
# make package               build the packages of this system in dist (Linux: .deb and .tar.zst; see installer/README.md)
# make examine DEB=FILE      as root: install a package in a clean root and use it there; WHEELS=FOLDER to train in it
# make bench [QUICK=1]       measure beside peers; make bench-peers fetches the peers first
# They make .venv (package: build/venv, without torch) on their first run and are quick after it.

VENV := .venv
PYTHON := $(VENV)/bin/python
PIP := $(PYTHON) -m pip --quiet --disable-pip-version-check install
FILE ?= resources/samples/sample.md
DEB ?= $(or $(lastword $(sort $(wildcard dist/*.deb))),dist/evenhand.deb)
OUT ?= build/examine
export FILE

QT_LIBRARIES := libegl1 libgl1 libglib2.0-0 libxkbcommon0 libfontconfig1 libdbus-1-3 libxcb-cursor0 \
	libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxkbcommon-x11-0

TRANSLATIONS := resources/translations
BABEL := $(PYTHON) -m babel.messages.frontend --quiet

.PHONY: run test dev qt qt-libraries translations pictures package package-env examine

define make_venv
@unset lacking; for python in python3.13 python3.12 python3.11 python3 python; do \
		"$$python" -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null || continue; \
		"$$python" -c "import ensurepip, venv" 2>/dev/null || { lacking=$${lacking:-$$python}; continue; }; \
		echo "Making $(1) with $$python ..."; \
		"$$python" -m venv $(1) && touch $(1)/.made && exit 0 || exit 1; \
	done; \
	if [ -n "$$lacking" ]; then \
		version=$$("$$lacking" -c "import sys; print('%d.%d' % sys.version_info[:2])"); \
		echo "$$lacking cannot make a virtual environment. Install what it needs with:" >&2; \
		echo "  sudo apt-get install -y python$$version-venv" >&2; \
	else \
		echo "Evenhand needs Python 3.11 or newer, and there is none here." >&2; \
		echo "Install it from python.org or with your system's packages, then run make again." >&2; \
	fi; exit 1
endef

run: $(VENV)/.app
	@$(PYTHON) -m app.entry -- "$$FILE"

test: $(VENV)/.dev qt
	@$(PYTHON) -m pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder --max-worker-restart 0
	@$(PYTHON) -m ruff check .
	@$(PYTHON) -m ruff format --check .
	@$(PYTHON) -m mypy --strict core training app

dev: $(VENV)/.dev

qt: $(VENV)/.dev
	@$(PYTHON) -c "import PySide6.QtWidgets" || { \
		echo "Qt needs system libraries that are missing here. Install them with:" >&2; \
		echo "  sudo apt-get install -y $(QT_LIBRARIES)" >&2; exit 1; }

examine: $(VENV)/.dev
	@$(PYTHON) -m installer.examine "$(DEB)" --out "$(OUT)" $(if $(WHEELS),--wheels "$(WHEELS)")

translations: $(VENV)/.dev
	@$(BABEL) extract -F $(TRANSLATIONS)/babel.cfg --no-default-keywords -k tr -k ntr:1,2 --no-location \
		--sort-output --no-wrap -o $(TRANSLATIONS)/evenhand.pot .
	@$(BABEL) update -i $(TRANSLATIONS)/evenhand.pot -d $(TRANSLATIONS) -D evenhand --no-fuzzy-matching \
		--ignore-obsolete --no-wrap --ignore-pot-creation-date
	@$(BABEL) compile -d $(TRANSLATIONS) -D evenhand
	@rm $(TRANSLATIONS)/evenhand.pot

pictures: $(VENV)/.dev qt
	@$(PYTHON) -m installer.pictures

qt-libraries:
	@echo $(QT_LIBRARIES)

$(VENV)/.app: pyproject.toml $(VENV)/.made
	@echo "Installing what Evenhand needs into $(VENV) (the first time takes a minute) ..."
	@$(PIP) -e .
	@touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/.made
	@echo "Installing what the tests need into $(VENV), with torch (the first time takes a few minutes) ..."
	@$(PIP) -e ".[dev]"
	@touch $@ $(VENV)/.app

$(VENV)/.made:
	$(call make_venv,$(VENV))

# What is packed is what is installed here, so there is nothing here that is not to be packed.
PACKAGE_VENV := build/venv

package: package-env
	@$(PACKAGE_VENV)/bin/python -m installer.build

package-env: $(PACKAGE_VENV)/.package

$(PACKAGE_VENV)/.package: pyproject.toml $(PACKAGE_VENV)/.made
	@echo "Installing what packages are made of into $(PACKAGE_VENV) (the first time takes a minute) ..."
	@$(PACKAGE_VENV)/bin/python -m pip --quiet --disable-pip-version-check install -e ".[package]"
	@touch $@

$(PACKAGE_VENV)/.made:
	$(call make_venv,$(PACKAGE_VENV))

BENCH_PEERS := build/peers
BENCH_LOCKED := tests/benchmarks/peers

.PHONY: bench bench-peers

bench: $(VENV)/.dev qt
	@$(PYTHON) -m tests.benchmarks.bench $(if $(QUICK),--quick,--out .github)

bench-peers: $(VENV)/.dev
	@command -v npm >/dev/null || { \
		echo "npm is missing, which fetches the checkers in JavaScript. Install Node.js 20 or newer." >&2; exit 1; }
	@$(PIP) --no-deps --require-hashes --only-binary=:all: --upgrade --target $(BENCH_PEERS)/python \
		-r $(BENCH_LOCKED)/requirements.txt
	@cp $(BENCH_LOCKED)/package.json $(BENCH_LOCKED)/package-lock.json $(BENCH_PEERS)
	@npm ci --prefix $(BENCH_PEERS) --ignore-scripts --no-audit --no-fund
