"""Write docs/licences.md: what is installed in this environment, under which licence, and what for.

Exits with 1 where a licence is none of those allowed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_PAGE = Path(__file__).resolve().parents[1] / "docs" / "licences.md"
_EXTRAS = (
    "",
    "dask",
    "llm",
    "mcp",
    "milvus",
    "ops",
    "slack",
)  # users'; the other extras are a developer's

#: Permissive ones, and the MPL: it binds changes to its own files, and none is changed here.
ALLOWED = {
    *(
        "0BSD",
        "Apache-2.0",
        "BSD",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "BSL-1.0",
        "CC0-1.0",
        "CNRI-Python",
        "ISC",
    ),
    *("MIT", "MIT-0", "MIT-CMU", "MPL-1.1", "MPL-2.0", "PSF-2.0", "Unlicense", "Zlib"),
}
#: As older packages write them.
_SPDX = {
    "3-clause bsd license": "BSD-3-Clause",
    "apache": "Apache-2.0",
    "apache 2.0": "Apache-2.0",
    "apache license": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "apache 2.0 license": "Apache-2.0",
    "bsd license": "BSD",  # with two clauses or three
    "isc license": "ISC",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "osi approved :: apache software license": "Apache-2.0",
    "python software foundation license": "PSF-2.0",
    "the bsd 2-clause license": "BSD-2-Clause",
    "the unlicense (unlicense)": "Unlicense",
}
#: Where a package's metadata does not tell, what the files in it do.
_READ = {"axe-playwright-python": "MIT"}
_HEAD = """\
# Licences of what is installed

`make licences` writes this page, from what the packages say of themselves, and fails where a licence is none
of those that `scripts/licences.py` allows. Of several builds and versions of a package it lists the one that
is installed where the page was written: Linux on x86-64, with the build of torch for the processor alone.

torch's public build for Linux brings NVIDIA's CUDA libraries (`nvidia-*`, `cuda-*`), which are under NVIDIA's
own terms and not free software, and triton (MIT). Nothing here needs them: the build for the processor alone
does without.

"""


@dataclass(frozen=True, slots=True)
class Licensed:
    """A package and its licence, as an SPDX expression where it is known."""

    name: str
    version: str
    licence: str

    @property
    def allowed(self) -> bool:
        """Of the licences to choose from, one is allowed; of those that all apply, every one."""
        # Where both stand without brackets, this asks for more than the expression does.
        plain = re.sub(r"[()]| WITH \S+", "", self.licence)
        return all(ALLOWED.intersection(part.split(" OR ")) for part in plain.split(" AND "))


def licensed(package: Distribution) -> Licensed:
    """Return a package's licence: of the expression, the short text and the classifiers, the first it has."""
    about = package.metadata
    name = canonicalize_name(about["Name"])
    short = next((text for text in about.get_all("License") or () if len(text) < 60), None)
    classes = [line.split(" :: ")[-1] for line in about.get_all("Classifier") or () if "License ::" in line]
    told = [_SPDX.get(each.lower(), each) for each in (short, " AND ".join(dict.fromkeys(classes))) if each]
    # Not by []: where the package importlib_metadata was imported, what is not there raises KeyError.
    expression = next(iter(about.get_all("License-Expression") or ()), None)
    known = expression or _READ.get(name) or next(iter(told), "unknown")
    return Licensed(name, package.version, known)


def used(names: tuple[str, ...] = _EXTRAS) -> set[str]:
    """Return the names of what torchnotes needs with those extras, and of what that needs in turn."""
    found: set[str] = set()
    waiting = [("torchnotes", names)]
    while waiting:
        name, extras = waiting.pop()
        for line in distribution(name).requires or ():
            wanted = Requirement(line)
            needed = canonicalize_name(wanted.name)
            applies = not wanted.marker or any(wanted.marker.evaluate({"extra": extra}) for extra in extras)
            if applies and needed not in found:
                found.add(needed)
                waiting.append((needed, ("", *wanted.extras)))
    return found


def page(packages: list[Licensed], runtime: set[str]) -> Iterator[str]:
    """Yield the page's lines."""
    yield _HEAD
    for title, rows in (
        ("What torchnotes needs when it runs", [each for each in packages if each.name in runtime]),
        ("What only its development needs", [each for each in packages if each.name not in runtime]),
    ):
        yield f"## {title}\n\n| package | version | licence |\n|---|---|---|\n"
        yield from (f"| {each.name} | {each.version} | {each.licence} |\n" for each in rows)
        yield "\n" if title.startswith("What torchnotes") else ""


def main() -> int:
    """Write the page; 1 where a licence is not allowed."""
    packages = sorted((licensed(each) for each in distributions()), key=lambda each: each.name)
    packages = [each for each in packages if each.name not in ("torchnotes", "pip")]
    _PAGE.write_text("".join(page(packages, used())), encoding="utf-8")
    refused = [each for each in packages if not each.allowed]
    sys.stderr.writelines(f"{each.name} {each.version}: {each.licence} is not allowed\n" for each in refused)
    return int(bool(refused))


if __name__ == "__main__":
    sys.exit(main())
