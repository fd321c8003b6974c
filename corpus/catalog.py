"""The catalogue: the official release documents, with where they stand."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CATALOG = Path(__file__).with_name("catalog.toml")


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """An official release document.

    Attributes:
        id: lower-case name of the entry.
        release: the release it is about, as text.
        kind: "blog" or "release-notes".
        language: "en" or "zh".
        date: of publication, None where no source gives it.
        title: as published.
        url: where it stands.
        licence: what may be done with it.
    """

    id: str
    release: str
    kind: str
    language: str
    date: date | None
    title: str
    url: str
    licence: str


@lru_cache(maxsize=1)
def load_catalog(path: Path = CATALOG) -> tuple[CatalogEntry, ...]:
    """All entries.

    Args:
        path: TOML file.
    """
    with path.open("rb") as file:
        tables = tomllib.load(file)["document"]
    return tuple(
        CatalogEntry(
            id=t["id"],
            release=t["release"],
            kind=t["kind"],
            language=t["language"],
            date=t.get("date"),
            title=t["title"],
            url=t["url"],
            licence=t["licence"],
        )
        for t in tables
    )


def find_original(release: str, kind: str, language: str) -> CatalogEntry | None:
    """The official document of a release, None where there is none or more than one.

    Args:
        release: release, such as "2.4".
        kind: kind of document, such as "blog".
        language: language of the document.
    """
    found = [e for e in load_catalog() if (e.release, e.kind, e.language) == (release, kind, language)]
    return found[0] if len(found) == 1 else None
