"""What is new and useful for code that does something by hand, and statuses of features, as data."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NEWS = Path(__file__).with_name("news.toml")
STATUSES = Path(__file__).with_name("statuses.toml")


@dataclass(frozen=True, slots=True, eq=False)
class News:
    """Something new that does what code before it had to do by hand.

    Attributes:
        release: release since which it is there, and whose digest tells of it.
        section: id of the section in that digest.
        names: what is new: API names, keyword arguments as `f(argument=)`.
        known: names whose use in a file shows that its author knows; those of `names` count anyway.
        templates: Python whose form the code has, see `assistant.upgrade.templates`.
        beside: templates of which one must be found in the same function; empty if none is needed.
        where: templates of named wildcards; the other named ones are the same name wherever they stand.
        apart: templates that these names must not have.
        unless: arguments; a call that passes one of them is no case of it.
        tells: word of the sentence that tells best of it, in both languages; "" if it is a name.
        seen_en, seen_zh: what the code is seen to do, as a short phrase.
    """

    release: str
    section: str
    names: tuple[str, ...]
    known: tuple[str, ...]
    templates: tuple[str, ...]
    beside: tuple[str, ...]
    where: Mapping[str, tuple[str, ...]]
    apart: tuple[str, ...]
    unless: tuple[str, ...]
    seen_en: str
    seen_zh: str
    tells: str = ""


@dataclass(frozen=True, slots=True)
class StatusStep:
    """The status of a feature since a release.

    Attributes:
        release: the release.
        status: status of the section, as `ingest.status` names it; or "public" for an API that had to be
            imported from a private module before.
        section: id of the section in the digest of the release.
    """

    release: str
    status: str
    section: str


@dataclass(frozen=True, slots=True)
class FeatureStatus:
    """A feature whose status changed.

    Attributes:
        names: API names that stand for it, with all that is in them.
        steps: its statuses, the oldest first.
        public: module that has it since it is public, "" if it always was.
    """

    names: tuple[str, ...]
    steps: tuple[StatusStep, ...]
    public: str


@lru_cache(maxsize=1)
def load_news(path: Path = NEWS) -> tuple[News, ...]:
    """Return what is new and useful, the oldest release first.

    Args:
        path: TOML file.
    """
    with path.open("rb") as file:
        tables = tomllib.load(file)["news"]
    return tuple(
        News(
            release=table["release"],
            section=table["section"],
            names=tuple(table["names"]),
            known=tuple(table.get("known", ())),
            templates=tuple(table["templates"]),
            beside=tuple(table.get("beside", ())),
            where={name: tuple(each) for name, each in table.get("where", {}).items()},
            apart=tuple(table.get("apart", ())),
            unless=tuple(table.get("unless", ())),
            seen_en=table["seen_en"],
            seen_zh=table["seen_zh"],
            tells=table.get("tells", ""),
        )
        for table in tables
    )


@lru_cache(maxsize=1)
def load_statuses(path: Path = STATUSES) -> tuple[FeatureStatus, ...]:
    """Return the features whose status changed.

    Args:
        path: TOML file.
    """
    with path.open("rb") as file:
        tables = tomllib.load(file)["feature"]
    return tuple(
        FeatureStatus(
            tuple(table["names"]),
            tuple(StatusStep(**step) for step in table["steps"]),
            table.get("public", ""),
        )
        for table in tables
    )
