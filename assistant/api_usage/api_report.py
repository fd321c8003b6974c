"""Reports on API names: whether this torch has them, whether they are deprecated, what the notes say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from assistant.api_usage.deprecation import is_subject
from assistant.api_usage.lookup import Deprecation, FoundName, look_up
from assistant.api_usage.mention import Mentions
from assistant.api_usage.mentions import mentions_of
from assistant.api_usage.names import ApiName
from assistant.api_usage.snippet_run import SnippetRun
from assistant.sandbox.isolation import Isolation
from corpus.glossary import Glossary
from index.search.retriever import Retriever
from ingest.document import Language
from ingest.release import Release


@dataclass(frozen=True, slots=True)
class NameReport:
    """What is known about a name.

    Attributes:
        found: result of the lookup in this machine's torch.
        notes: mentions in the notes.
    """

    found: FoundName
    notes: Mentions

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary."""
        told = {key: value for key, value in self.notes.to_dict().items() if key != "name"}
        own = self.found.to_dict()
        return {**own.pop("name"), **own, **told}


@dataclass(frozen=True, slots=True)
class ApiReport:
    """Reports on several names.

    Attributes:
        torch: version of torch, "" if there were no names to look up.
        releases: releases of the index, oldest first.
        names: reports in the order given.
    """

    torch: str
    releases: tuple[Release, ...]
    names: tuple[NameReport, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """Names that do not exist in this torch, or that were removed and only raise."""
        gone = (each.found for each in self.names if each.found.exists is False or each.found.removed)
        return tuple(found.name.name for found in gone)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-serialisable dictionary."""
        return {
            "torch": self.torch,
            "releases": [str(release) for release in self.releases],
            "names": [each.to_dict() for each in self.names],
        }


def report_on(
    names: Sequence[ApiName],
    retriever: Retriever,
    glossary: Glossary,
    *,
    language: Language = "en",
    isolation: Isolation | None = None,
    ran: SnippetRun | None = None,
) -> ApiReport:
    """Look up names in torch and in the notes.

    Only a program of torchnotes runs, so no consent is needed.

    Args:
        names: names from `names_in` or `names_in_answer`.
        retriever: retriever of the index to search; an `Assistant` has one.
        glossary: glossary of the index; an `Assistant` has one.
        language: preferred language of quotes.
        isolation: sandbox backend; None: the best one available.
        ran: run of the program that the names are from; its warnings count as evidence.

    Raises:
        TorchnotesError: torch cannot be imported here.
    """
    lookup = look_up(names, isolation=isolation)
    told = (mentions_of(each.name, retriever, glossary, language) for each in names)
    found = (_with_run(each, ran) if ran else each for each in lookup.names)
    reports = tuple(NameReport(each, notes) for each, notes in zip(found, told, strict=True))
    return ApiReport(lookup.torch, retriever.releases, reports)


def _with_run(found: FoundName, ran: SnippetRun) -> FoundName:
    """Add the deprecation warnings of a run that are about the name."""
    seen = [
        Deprecation("run", " ".join(each.message.split()), each.line)
        for each in ran.deprecations
        if is_subject(found.name.name, each.message)
    ]
    said = {each.words for each in seen}
    kept = [each for each in found.deprecated if each.words not in said]
    return replace(found, deprecated=(*seen, *kept))
