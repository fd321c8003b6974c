"""Write the requirements of the project to standard output: `python scripts/wanted.py EXTRA...`.

pip checks content only of packages, not of a folder: so it is given what the folder asks for.
"""

from __future__ import annotations

import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"


def wanted(extras: list[str]) -> list[str]:
    """Return what pyproject.toml asks for.

    Args:
        extras: of the optional dependencies, those wanted besides.

    Raises:
        KeyError: there is no such extra.
    """
    project = tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    return [*project["dependencies"], *(line for extra in extras for line in optional[extra])]


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in wanted(sys.argv[1:]))
