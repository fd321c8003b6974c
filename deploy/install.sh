#!/usr/bin/env bash
# Install torchnotes into an environment of its own, every package by the hash in constraints.txt:
#   deploy/install.sh /opt/torchnotes packages ops llm mcp slack   what it needs, with these extras
#   deploy/install.sh /opt/torchnotes project                      torchnotes itself
# PYTHON names another Python than python3. With --print as first argument the commands are told, not run.
set -euo pipefail

run() { "$@"; }
if [ "${1:-}" = --print ]; then
    run() { printf '%q ' "$@"; echo; }
    shift
fi
target=${1:?say where: deploy/install.sh /opt/torchnotes packages ops}
step=${2:?say what: packages EXTRA... or project}
shift 2
cd "$(dirname "${BASH_SOURCE[0]}")/.."
pip=("$target/bin/python" -m pip --disable-pip-version-check --no-cache-dir install --quiet)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case $step in
packages)
    [ -x "$target/bin/python" ] || run "${PYTHON:-python3}" -m venv "$target"
    # An older pip takes no hashes from constraints; what comes as source is built with what is installed.
    sed -nE '/^(pip|setuptools|tomli)==/,/[^\\]$/p' constraints.txt >"$work/setup.txt"
    run "${pip[@]}" --require-hashes --no-deps --requirement "$work/setup.txt"
    # A build of torch for the processor alone, if one lies where PIP_FIND_LINKS says; else the public one comes.
    run "${pip[@]}" --require-hashes --no-deps --no-index --requirement requirements/torch-cpu.txt 2>/dev/null ||
        echo "no build of torch for the processor alone lies here: the public one comes" >&2
    "${PYTHON:-python3}" scripts/wanted.py "$@" >"$work/wanted.txt"
    run "${pip[@]}" --require-hashes --no-build-isolation --constraint constraints.txt --requirement "$work/wanted.txt"
    ;;
project)
    run "${pip[@]}" --no-deps --no-build-isolation .
    ;;
*)
    echo "deploy/install.sh: $step is no step; there are packages and project" >&2
    exit 2
    ;;
esac
