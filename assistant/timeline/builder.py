"""Construction of feature histories: the release in which a feature appeared, and its later statuses.

Built from the sections of an index whose headings name a feature and a status. Each step refers to its
section; nothing is written by hand.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from assistant.text.platforms import is_platform
from assistant.text.prompt_injection import trusted_chunk
from assistant.timeline.heading_parser import Aspect, HeadingSubject, is_item, name_in, subjects, untermed
from assistant.timeline.model import FeatureHistory, Histories, Source, TimelineStep
from corpus.glossary import Glossary
from ingest.chunk import Chunk
from ingest.document import Document, Kind, Language
from ingest.release import Release
from ingest.status import MATURITIES, Status, status_of

#: Statuses that a step can have; lists of improvements and fixes are none.
STEPS: tuple[Status, ...] = (*(*MATURITIES, "new", "platform", "deprecated", "breaking"),)
_RANK: Mapping[str, int] = {"prototype": 1, "unstable": 1, "beta": 2, "stable": 3}
_LONGEST_NAME = 48  # characters of a heading that may serve as a name
_TRUSTED: tuple[Kind, ...] = ("digest", "release-notes", "blog", "user")  # by priority


@dataclass(frozen=True, slots=True)
class _Entry:
    """What one section says about one feature."""

    release: Release
    status: Status
    subject: HeadingSubject
    source: Source
    titles: tuple[str, str]  # in English and in Chinese

    @property
    def aspect(self) -> Aspect:
        return self.subject.aspect

    @property
    def kind(self) -> Kind:
        return self.source.document.kind


def histories(documents: Mapping[str, Document], chunks: Iterable[Chunk], glossary: Glossary) -> Histories:
    """Build the histories of all features.

    Args:
        documents: documents of the chunks, by id.
        chunks: chunks, in order within each document.
        glossary: decides which headings name the same feature.

    Returns:
        The histories by feature id.
    """
    sections = list(_sections(documents, chunks))
    titles = _paired_titles(sections)
    digested = {s.document.release for s in sections if s.document.kind == "digest"}
    dates: dict[Release, date] = {}
    for document in documents.values():
        if document.release and document.date:
            dates[document.release] = min(document.date, dates.get(document.release, document.date))
    read = lru_cache(maxsize=None)(lambda title: subjects(title, glossary))
    entries: dict[str, list[_Entry]] = defaultdict(list)
    for source in sections:
        release, status = source.document.release, source.chunk.status
        both = titles[source.chunk.id]
        named = read(both[0])
        if not any(subject.founds for subject in named) and status not in ("breaking", "deprecated"):
            named = [*named, *untermed(*both)]
        if release:
            for subject in named:
                entries[subject.id].append(_Entry(release, status, subject, source, both))
    found: dict[str, FeatureHistory] = {}
    for id_, mine in sorted(entries.items()):
        kept = _trusted(mine, digested)
        steps = tuple(_steps(kept, dates))
        if any(entry.subject.founds for entry in kept) and ("+" not in id_ or len(steps) > 1):
            found[id_] = FeatureHistory(id_, _names(kept, steps), _alone(kept), steps)
    return found


def _paired_titles(sections: Sequence[Source]) -> dict[str, tuple[str, str]]:
    """Return the English and the Chinese heading of each section by chunk id.

    Sections of digests are paired by their ids; other sections have their own heading for both.
    """
    paired = {
        (s.document.language, s.document.release, s.chunk.section_id): s.chunk.headings[-1]
        for s in sections
        if s.document.kind == "digest" and s.chunk.section_id
    }

    def title(source: Source, language: Language) -> str:
        place = (language, source.document.release, source.chunk.section_id)
        own = source.chunk.headings[-1]
        return paired.get(place, own) if source.document.kind == "digest" else own

    return {s.chunk.id: (title(s, "en"), title(s, "zh")) for s in sections}


def _names(entries: Sequence[_Entry], steps: Sequence[TimelineStep]) -> dict[Language, str]:
    """Return the names of a feature: those of its glossary term, or its first heading if no heading has them.

    A term may be found by a name that belongs to only a part of it.
    """
    subject = entries[0].subject
    own = {step.sources[0].chunk.id for step in steps if step.whole}
    titles = [e.titles for e in entries if e.source.chunk.id in own]
    said = " ".join(title for both in titles for title in both).casefold()
    if not titles or is_platform(subject.id) or any(n.casefold() in said for n in (subject.name, subject.zh)):
        return {"en": subject.name, "zh": subject.zh}
    en, zh = (re.split(r"\s*[:：]", name_in(title))[0] for title in titles[0])
    return {"en": en, "zh": zh} if len(en) <= _LONGEST_NAME else {"en": subject.name, "zh": subject.zh}


def _alone(entries: Iterable[_Entry]) -> tuple[str, ...]:
    """Return the headings that are about the feature alone, without their statuses."""
    whole = (e.source.chunk.headings[-1] for e in entries if e.aspect == "whole")
    return tuple(dict.fromkeys(name_in(title) for title in whole))


def _sections(documents: Mapping[str, Document], chunks: Iterable[Chunk]) -> Iterator[Source]:
    """Yield trusted sections about a single thing with a release and a status."""
    seen: set[tuple[str, int]] = set()
    for chunk in chunks:
        place = (chunk.document_id, chunk.section)
        if place in seen or chunk.status not in STEPS or not chunk.headings:
            continue
        seen.add(place)
        document = documents[chunk.document_id]
        # "New features" has lists by component; the heading of a feature says itself that it is new.
        listed = chunk.status == "new" and status_of(chunk.headings[-1]) != "new"
        alone = not listed and not any(map(is_item, chunk.headings[:-1]))
        if document.release and alone and trusted_chunk(chunk, document):
            yield Source(chunk, document)


def _trusted(entries: Iterable[_Entry], digested: set[Release | None]) -> list[_Entry]:
    """Return the entries without those that repeat a digest; if another document disagrees, both are kept."""
    entries = list(entries)
    told = {e.release for e in entries if e.kind == "digest"}
    return [
        e
        for e in entries
        if e.kind in ("digest", "user")
        or e.release not in digested
        or (e.release in told and e.aspect == "whole" and e.status in _RANK)
    ]


def _steps(entries: Sequence[_Entry], dates: Mapping[Release, date]) -> Iterator[TimelineStep]:
    groups: dict[tuple[Release, int], list[_Entry]] = defaultdict(list)
    for entry in entries:
        groups[entry.release, STEPS.index(entry.status)].append(entry)
    reached = 0
    before: Status = ""
    steps: list[TimelineStep] = []
    for (release, place), group in sorted(groups.items(), key=lambda item: item[0]):
        status = STEPS[place]
        best = min(_TRUSTED.index(e.kind) for e in group)
        group = [e for e in group if e.kind == _TRUSTED[best]]
        aspects = {e.aspect for e in group}
        opens = _RANK[status] > reached if status in _RANK else status in ("new", "platform") and not steps
        whole = "whole" in aspects or ("phrase" in aspects and opens)
        if status == "new" and any(step.whole for step in steps):
            whole = False  # a feature is new only once; later "new" entries are about parts of it
        order: tuple[Aspect, ...] = ("whole", "phrase", "part")
        sources = tuple(e.source for e in sorted(group, key=lambda e: order.index(e.aspect)))
        was: Status = before if whole and before != status and not is_platform(group[0].subject.id) else ""
        steps.append(TimelineStep(release, dates.get(release), status, whole, was, sources))
        if whole:
            reached, before = max(reached, _RANK.get(status, 0)), status
    first = next((number for number, step in enumerate(steps) if step.whole), 0)
    for number, step in enumerate(steps):
        # Earlier steps of parts belong to the feature only if their status is a lower one.
        if number >= first or _RANK.get(step.status, 9) < _RANK.get(steps[first].status, 0):
            yield step
