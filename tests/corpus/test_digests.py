"""The shipped digests: ours in wording, exact in figures, paired in the two languages."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache
from pathlib import Path

import pytest

from corpus.compatibility import Compatibility, find_compatibility, load_compatibility
from tests.corpus.copying import LINK, Sources
from tests.rows import each_row

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
DIGESTS = ROOT / "corpus" / "digests"
CHANGES = ROOT / "corpus" / "changes"
SHARED = ROOT.parent / "shared" / "corpus"
#: What is known of the releases that the documents above do not reach, a folder for each.
SOURCES = ROOT.parent / "shared" / "sources"
HEADING = re.compile(r"^(#{1,4}) (.+?)(?: \{#([a-z0-9-]+)\})?$", re.M)
SOURCE = re.compile(r"^(?:Source|来源)[:：] ?<(https://\S+)>$", re.M)
#: Figures that stand in a source which is not there to be read, by release, each with where that is.
OWN_NUMBERS = tomllib.loads(Path(__file__).with_name("own_numbers.toml").read_text(encoding="utf-8"))

needs_sources = pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"the source documents are not at {SHARED.parent.name}/{SHARED.name}"
)
digests = each_row("path", sorted(DIGESTS.glob("*/*.md")), ids=lambda p: f"{p.parent.name}-{p.stem}")


@cache
def sources() -> Sources:
    return Sources(SHARED, SOURCES)


@cache
def source_numbers(release: str) -> set[str]:
    """Every number of the documents of a release (the scraped posts are told by their content)."""
    found: set[str] = set()
    for path in SHARED.rglob("*"):
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            if f"pytorch-{release}" in path.name or (
                path.parent.name == "seeds" and f"PyTorch {release}" in text
            ):
                found |= numbers(text)
    for path in [*(SOURCES / release).glob("*.md"), SOURCES / "README.md"]:
        if path.exists() and (SOURCES / release).is_dir():
            found |= numbers(path.read_text(encoding="utf-8"))
    return found | platform_numbers(release)


def platform_numbers(release: str) -> set[str]:
    """Every number that the compatibility table has for a release and for the one before it."""
    rows = load_compatibility()
    at = [row.release for row in rows].index(release) if find_compatibility(release) else -1
    return {number for row in rows[max(at - 1, 0) : at + 1] for number in _numbers_of(row)}


def _numbers_of(row: Compatibility) -> set[str]:
    values = [
        *(row.release, f"{row.release}.0", row.cpp, row.torchvision, row.triton or ""),
        *(*row.python, *row.cuda, *row.rocm, *row.cudnn.values(), *row.nccl.values()),
        *(version.removesuffix("t") for version in row.python_experimental),
        *(capability for built in row.sm.values() for capability in built),
    ]
    return numbers(" ".join(values))


#: English sources name them by words, Chinese digests by numbers.
MONTHS = {str(month) for month in range(1, 13)}
#: Packages in which it was looked whether a name is there.
TRIED = {"2.9.0", "2.9.1", "2.10.0", "2.11.0", "2.12.0", "2.12.1", "2.13.0", "2.14.1"}


def numbers(text: str) -> set[str]:
    text = unicodedata.normalize("NFKC", text)
    return {n.replace(",", "") for n in re.findall(r"(?<![A-Za-z0-9_.#])\d[\d,]*(?:\.\d+)*", text)}


def sections(text: str) -> dict[str, str]:
    """Section id -> its text, heading line included."""
    marks = list(HEADING.finditer(text))
    ends = [m.start() for m in marks[1:]] + [len(text)]
    return {m[3]: text[m.start() : end] for m, end in zip(marks, ends, strict=True) if m[3]}


@needs_sources
@digests
def test_no_sentence_is_copied(path: Path) -> None:
    assert sources().shared_runs(path.read_text(encoding="utf-8")) == []


@needs_sources
@digests
def test_every_number_stands_in_a_source(path: Path) -> None:
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    body = text.split("\n---\n", 1)[1]
    prose = re.sub(rf"{LINK}|\{{#[a-z0-9-]+\}}", " ", body)
    head = text.split("\n---\n", 1)[0]
    dates = re.findall(r"^date: (\d+)-(\d+)-(\d+)$", head, re.M)
    dated = {part.lstrip("0") for date in dates for part in date}
    releases = {document.stem for document in DIGESTS.rglob("*.md")} | MONTHS | TRIED
    unknown = (
        numbers(prose) - source_numbers(path.stem) - dated - releases - {*OWN_NUMBERS.get(path.stem, {})}
    )
    assert unknown == set()


@digests
def test_every_section_has_a_source(path: Path) -> None:
    for name, text in sections(path.read_text(encoding="utf-8")).items():
        assert SOURCE.search(text), f"section {name} has no source line"


def test_the_two_languages_are_paired() -> None:
    english = {p.stem: p for p in (DIGESTS / "en").glob("*.md")}
    chinese = {p.stem: p for p in (DIGESTS / "zh").glob("*.md")}
    assert english.keys() == chinese.keys()
    for release, path in english.items():
        left = list(sections(path.read_text(encoding="utf-8")))
        right = list(sections(chinese[release].read_text(encoding="utf-8")))
        assert left == right, f"{release}: the sections of the two languages differ"
