"""Sections that announce changes in a range of releases, without repetitions.

The same change is described in several documents: in digests and official notes, in Chinese and English. For
each release and status, the most trusted kind of document is used; sections of other kinds are added only if
they are about something else.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from assistant.text.markdown import STATED, points_elsewhere, shown_length
from assistant.text.prompt_injection import trusted_chunk
from assistant.timeline.heading_parser import bare, is_item
from assistant.timeline.model import Source
from index.storage.interface import Index
from ingest.chunk import Chunk
from ingest.document import LANGUAGES, Kind, Language
from ingest.release import Release
from ingest.status import STATUSES, Status, names_status_only, status_of

Sources = tuple[Source, ...]

_OFFICIAL: tuple[Kind, ...] = ("digest", "release-notes", "blog")  # the most trusted first
_HAN, _LATIN = re.compile(r"[\u3400-\u9fff]"), re.compile(r"[A-Za-z0-9]{2}")
_SHORT, _LONG = 12, 300  # characters of a sentence that is told
_SPLIT = 2000  # characters of a stretch that is looked through for its sentences
_LABEL = re.compile(r"\W*(?:version|pytorch|版本)?\s*v?\d+(?:\.\w+)*\W*", re.I)  # above code: "Version 2.7.0"
_STOP = re.compile(r"(?:(?<=[\w)\]`\"”’%]\.)(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)(?<!etc\.)\s+|(?<=[。！？]))(?=`)")
_COMPONENT = 32  # characters of a heading that names a component and tells nothing
_ITEM = re.compile(r" ?(?:[-*+•]|\d+[.)])\s")
_PULL_REQUEST = re.compile(r"#\d{3,}")
_WORD = re.compile(r"\w+(?:[.:]+\w+)*")
#: Common words of titles, ignored when two changes are compared.
_PLAIN = frozenset(
    "a an and by change changed changes default deprecated for from has have in is it its longer new no now "
    "of on or removed support the to was with".split()
)
_ALIKE = 0.6  # common share of the words of the shorter title


def announcements(
    generation: Index, statuses: Collection[Status], releases: Collection[Release]
) -> list[Sources]:
    """Return the changes announced by sections with a status, oldest release first, then in document order.

    Args:
        generation: the index.
        statuses: statuses of the sections.
        releases: releases of the documents.

    Returns:
        For each change its sections, at most one per document, the most trusted first.
    """
    found: dict[tuple[Release, Status], dict[str, list[Source]]] = defaultdict(lambda: defaultdict(list))
    for source in _sections(generation, statuses, releases):
        if source.document.release:
            of_release = found[source.document.release, source.chunk.status]
            of_release[source.document.id].append(source)
    order = sorted(found, key=lambda place: (place[0], STATUSES.index(place[1])))
    return [change for place in order for change in _merged(list(found[place].values()))]


def saying(source: Source) -> str:
    """Return the first sentence of a section that makes sense on its own, preferably a short one; "" if none.

    Args:
        source: the section.
    """
    first_long = ""
    for number, part in enumerate(_parts(source)):
        # The first sentence says what the thing is, even if it states its status as well.
        if (
            shown_length(part) < _SHORT
            or (len(part) <= _LONG and _LABEL.fullmatch(part))
            or points_elsewhere(part if number else STATED.sub("", part))
        ):
            continue
        if len(part) <= _LONG:
            return part
        first_long = first_long or part
    return first_long


def _parts(source: Source) -> Iterator[str]:
    """Yield the sentences at the beginning of a section.

    Code next to a full stop can mislead the index: one of its sentences may be two ("It is new. `f` is a
    function."), and two may be one ("Override any `torch.*` operation").
    """
    text = source.document.text
    spans = [s for s in source.chunk.sentences if s.kind in ("prose", "item")]
    start = 0
    for place, span in enumerate(spans):
        start = start or span.start
        following = text[span.end : spans[place + 1].start] if place + 1 < len(spans) else "\n"
        if text[span.end - 1] == "`" and "\n" not in following and span.kind == "prose":
            continue
        said, start = text[start : span.end], 0
        first = 0
        for stop in _STOP.finditer(said) if len(said) <= _SPLIT else ():
            part = said[first : stop.start()]
            if part.count("`") % 2 == 0 and part.count("(") == part.count(")"):
                yield part
                first = stop.end()
        yield said[first:]


def _sections(
    generation: Index, statuses: Collection[Status], releases: Collection[Release]
) -> Iterator[Source]:
    """Yield the trusted sections that are a single change; lists are split into their items."""
    sections: dict[tuple[str, int], list[Chunk]] = {}
    for chunk in generation.chunks:
        document = generation.documents[chunk.document_id]
        wanted = chunk.status in statuses and document.release in releases and chunk.headings
        if wanted and trusted_chunk(chunk, document):
            sections.setdefault((chunk.document_id, chunk.section), []).append(chunk)
    for chunks in sections.values():
        source = Source(chunks[0], generation.documents[chunks[0].document_id])
        title = source.chunk.headings[-1]
        if any(map(is_item, source.chunk.headings[:-1])):
            continue  # part of another change
        if source.chunk.status == "new" and status_of(title) != "new":
            continue  # "New features" has lists by component; features with own headings are found there
        listed = list(_listed(source, chunks))
        if listed:
            yield from listed
        elif not _is_group(source):
            yield source


def _is_group(source: Source) -> bool:
    """Return whether a heading only names a status, unlike "弃用 CUDA 11.6", which has an object."""
    title = source.chunk.headings[-1]
    if not names_status_only(title):
        return False
    release = rf"v?{re.escape(source.document.version)}(?:\.0)?"
    named = re.sub(rf"pytorch|bc[- ]breaking|breaking|deprecat\w*|{release}", "", title, flags=re.I)
    gone = status_of(title) in ("breaking", "deprecated")
    return not (gone and _HAN.search(named) and _LATIN.search(named))


def _listed(source: Source, chunks: Sequence[Chunk]) -> Iterator[Source]:
    """Yield the items of a list below a general heading, such as "Deprecations" or "Python frontend"."""
    title = source.chunk.headings[-1]
    group = _is_group(source)
    component = len(title) <= _COMPONENT and not _PULL_REQUEST.search(title) and not is_item(title)
    if source.document.kind == "digest" or source.chunk.status == "new" or not (group or component):
        return
    sentences = [(chunk, s) for chunk in chunks for s in chunk.sentences if s.kind != "heading"]
    if any(s.kind != "item" for _, s in sentences):
        return
    for chunk, sentence in sentences:
        item = Source(replace(chunk, sentences=(sentence,)), source.document)
        # Nested items belong to the item above; a long item has several sentences.
        if _ITEM.match(source.text(sentence)) and saying(item):
            yield item


def _merged(documents: Sequence[Sequence[Source]]) -> Iterator[Sources]:
    """Yield the changes in the documents of one release without repetitions."""
    official = [d for d in documents if d[0].document.kind in _OFFICIAL]
    by_kind = [[d for d in official if d[0].document.kind == kind] for kind in _OFFICIAL]
    tiers = [_paired(of_kind) for of_kind in by_kind if of_kind]
    told = tiers[0] if tiers else []
    for tier in tiers[1:]:
        # Documents with no more changes than the first only repeat it in other words.
        if len(tier) > len(told) and tier[0][0].document.kind == "release-notes":
            told = [*told, *(change for change in tier if not any(_alike(change, other) for other in told))]
    own: dict[str, Sources] = {}
    for source in chain.from_iterable(d for d in documents if d[0].document.kind == "user"):
        key = source.chunk.section_id or _key(source)
        if not any(_key(source) == _key(other) for change in told for other in change):
            own[key] = (*own.get(key, ()), source)
    yield from (*told, *own.values())


def _paired(documents: Sequence[Sequence[Source]]) -> list[Sources]:
    """Return the changes in documents of one kind: the longest of each language, translations paired."""
    best: dict[Language, Sequence[Source]] = {
        language: max(mine, key=len)
        for language in LANGUAGES
        if (mine := [d for d in documents if d[0].document.language == language])
    }
    first, *others = sorted(best.values(), key=len, reverse=True)
    if not others:
        return [(source,) for source in first]
    ids = {source.chunk.section_id: source for source in others[0] if source.chunk.section_id}
    if all(source.chunk.section_id for source in first) and ids:
        pairs = [(s, ids.pop(s.chunk.section_id)) if s.chunk.section_id in ids else (s,) for s in first]
        return [*pairs, *((source,) for source in ids.values())]
    # Translations keep the order, but if something is left out, they cannot be paired.
    same = len(first) == len(others[0])
    return list(zip(first, others[0], strict=True)) if same else [(source,) for source in first]


def _key(source: Source) -> str:
    """Return a key shared by copies of a change: its title and, for a list item, its text."""
    alone = len(source.chunk.sentences) == 1
    return f"{source.title} {source.text(source.sentence) if alone else ''}".casefold()


def _alike(change: Sources, other: Sources) -> bool:
    """Return whether two changes have similar titles in a common language."""
    for one in change:
        for two in other:
            if one.document.language == two.document.language:
                words, more = sorted((_words(one), _words(two)), key=len)
                if words and len(words & more) >= _ALIKE * len(words):
                    return True
    return False


def _words(source: Source) -> frozenset[str]:
    title = bare(source.chunk.headings[-1]).casefold()
    return frozenset(_WORD.findall(title)) - _PLAIN
