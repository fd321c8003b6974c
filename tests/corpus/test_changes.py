"""The breaking changes as data: each has its section, and says of torch what torch shows."""

from __future__ import annotations

import importlib
import re
import warnings
from functools import cache
from pathlib import Path

from assistant.factory import shipped_documents
from corpus.changes import CHANGE_KINDS, CHANGES, FILE_KINDS, Change, load_changes
from ingest.document import Document
from ingest.release import Release
from ingest.section import parse_sections
from tests.rows import each_row

#: Releases whose breaking sections all stand in the data.
WITH_CHANGES = sorted(path.stem for path in CHANGES.glob("*.toml"))
DOTTED = re.compile(r"torch(?:\.\w+)+")

changes = each_row("change", load_changes(), ids=lambda c: f"{c.release}-{c.section}")


@cache
def documents() -> dict[tuple[str, str], Document]:
    """The digests by release and language."""
    return {(document.version, document.language): document for document in shipped_documents()}


@cache
def statuses(release: str, language: str) -> dict[str, str]:
    """Status of each section of a digest that has an id, by that id."""
    return {
        section.id: section.status for section in parse_sections(documents()[release, language]) if section.id
    }


@changes
def test_a_change_is_well_formed(change: Change) -> None:
    assert change.kind in CHANGE_KINDS and change.files in FILE_KINDS
    since, release = Release.parse(change.since), Release.parse(change.release)
    assert since <= release
    if change.removed_in:
        assert since <= Release.parse(change.removed_in)
    if change.kind == "removed":
        assert change.removed_in and Release.parse(change.removed_in) <= release
    assert change.summary_en.endswith(".") and change.summary_zh.endswith("。")
    assert len({*change.names}) == len(change.names)
    assert {*change.cases} <= {*change.names}
    assert not {name for name in change.names if "(" not in name} & {*change.replacement}
    assert not change.pairs or len(change.names) == len(change.replacement)


@changes
def test_a_change_has_its_section_in_both_languages(change: Change) -> None:
    for language in ("en", "zh"):
        assert change.section in statuses(change.release, language)


@each_row("release", WITH_CHANGES)
def test_every_breaking_section_is_a_change(release: str) -> None:
    told = {change.section for change in load_changes() if change.release == release}
    groups = {"breaking", "deprecations", "changes", "deprecated", "earlier-announcements"}
    found = {name for name, status in statuses(release, "en").items() if status in ("breaking", "deprecated")}
    assert found - told - groups == set()


@each_row("name", sorted({name for c in load_changes() for name in c.names if DOTTED.fullmatch(name)}))
def test_torch_agrees(name: str) -> None:
    """What is removed is not in the torch that is installed, and what is only deprecated still is."""
    torch = importlib.import_module("torch")
    installed = Release.parse(".".join(str(torch.__version__).split(".")[:2]))
    of_name = [change for change in load_changes() if name in change.names]
    removed = [c for c in of_name if c.removed_in and Release.parse(c.removed_in) <= installed]
    if any(change.kind == "removed" for change in removed):
        assert not has(name), f"{name} is in torch {torch.__version__}"
    elif not removed and all(Release.parse(change.since) <= installed for change in of_name):
        assert has(name), f"{name} is not in torch {torch.__version__}"


def has(name: str) -> bool:
    """Whether the torch that is installed has a name."""
    found: object = importlib.import_module("torch")
    path = "torch"
    for part in name.split(".")[1:]:
        path = f"{path}.{part}"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a name that is deprecated says so
                found = getattr(found, part)
        except AttributeError:
            try:
                found = importlib.import_module(path)
            except ImportError:
                return False
    return True


def test_the_order_is_that_of_the_releases() -> None:
    releases = [Release.parse(change.release) for change in load_changes()]
    assert releases == sorted(releases) and Path(CHANGES).is_dir()
