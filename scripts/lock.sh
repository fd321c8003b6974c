#!/usr/bin/env bash
# Write constraints.txt: every package for every platform and Python, by version and content. Versions that are
# pinned there stay; `--upgrade` raises all of them, `--upgrade-package NAME` one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

uv=${UV:-.venv-tools/bin/uv}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A build that happens to lie on this machine must not shape what others install.
unset UV_FIND_LINKS UV_INDEX UV_DEFAULT_INDEX UV_INDEX_URL UV_EXTRA_INDEX_URL

# What the file pins that it writes, uv keeps; hashes are asked for anew, since wheels for another Python may have come.
compile() {
    sed -nE 's/^([a-z0-9][^\\]*==[^\\]*[^ \\]).*/\1/p' constraints.txt >"$1"
    "$uv" --no-config pip compile --quiet --universal --python-version 3.10 --generate-hashes \
        --no-emit-index-url --no-annotate --no-header --output-file "$@" >/dev/null
}
compile "$work/all" --all-extras --group setup --group tools "$@" pyproject.toml
compile "$work/weights" --no-deps --group weights "$@"
{
    echo "# Every package as it was tested, by version and by content: what has the name but is not this is refused."
    echo "# \`make lock\` writes this file from pyproject.toml. The one exception: requirements/torch-cpu.txt."
    cat "$work/all" "$work/weights"
} >"$work/lock"
cp "$work/lock" constraints.txt
