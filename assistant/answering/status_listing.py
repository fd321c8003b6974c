"""Lists all sections with a status, for questions that ask for all of them.

"What is still prototype in 2.5?" and "what breaks when I go from 2.6 to 2.8?" ask for a complete list, which
is selected by the status of the sections rather than by similarity to the question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.answering.selection import distinct
from assistant.query.entities import entities
from assistant.query.question import Question
from assistant.query.topic_words import specific_words
from assistant.retrieval.pick import Pick
from assistant.text.messages import EFFECTS
from corpus.changes import Change, load_changes
from index.search.passage import Passage
from index.search.retriever import Retriever
from ingest.document import Document, Language
from ingest.release import Release
from ingest.status import MATURITIES, SAID, names_status_only

#: More than the breaking changes of ten releases, since a truncated list would be misleading.
MAX_SECTIONS = 120
_FEWEST = 2
_MOST_SPECIFIC = 1
#: A name in a question that is only a word for a status.
_STATUS_NAME = re.compile(
    rf"{'|'.join(SAID.values())}|breaking changes?|release status|不兼容变更", re.I | re.ASCII
)


def gather(question: Question, retriever: Retriever) -> list[Pick]:
    """Find all sections with the statuses and releases that a question asks for.

    Args:
        question: parsed question.
        retriever: provides the sections.

    Returns:
        One pick per section, breaking changes by whom they hit, others with the oldest release first; empty
        if the question does not ask for a list.
    """
    releases = question.releases
    if not question.statuses or not releases or question.intent in ("compare", "since", "number"):
        return []
    if len(releases) > 1:  # an upgrade does not include the changes of the release it starts from
        releases = tuple(release for release in releases if release != question.scope.left)
    names = [spellings for spellings in entities(question) if not any(map(_STATUS_NAME.fullmatch, spellings))]
    spelled = (name for spellings in names for name in spellings)
    if len(specific_words(question.standalone, retriever.segmenter, spelled)) > _MOST_SPECIFIC:
        return []  # asks about one thing and merely mentions its status
    picks = [pick for release in releases for pick in _of_release(question, retriever, release, names)]
    lists = any(sentence.span.kind != "heading" for pick in picks for sentence in pick.sentences)
    if len(picks) < _FEWEST and not lists:
        return []
    return (by_effect(picks, question.language) if question.statuses == ("breaking",) else picks)[
        :MAX_SECTIONS
    ]


def by_effect(picks: Sequence[Pick], language: Language) -> list[Pick]:
    """Sort breaking changes by whom they hit: platforms, changed defaults, Python code, then C++ and builds.

    Args:
        picks: headings of sections, oldest release first.
        language: of the lines above the groups.

    Returns:
        The oldest release first in each group, each line with its release if there are several; `picks` as
        they are where the effect of most is not known, as for notes that did not ship.
    """
    known = {(change.release, change.section): change for change in load_changes()}
    changes = [known.get((pick.passage.version, pick.passage.chunk.section_id or "")) for pick in picks]
    if 2 * sum(change is not None for change in changes) < len(picks):
        return list(picks)
    releases = {pick.passage.version for pick in picks}
    groups: list[list[Pick]] = [[] for _ in EFFECTS[language]]
    for pick, change in zip(picks, changes, strict=True):
        effect = _effect(change)
        version, above = pick.passage.version, EFFECTS[language][effect]
        several = len(releases) > 1
        above = above if several else f"PyTorch {version} · {above}"
        groups[effect].append(replace(pick, above=above, label=f"{version}: " if several else ""))
    return [pick for group in groups for pick in group]


def _effect(change: Change | None) -> int:
    """Return the number of a change's group."""
    if change is None:
        return 4
    if change.kind == "platform":
        return 0
    if change.files in ("cpp", "build"):
        return 3
    return 1 if change.kind == "default" else 2


def _of_release(
    question: Question, retriever: Retriever, release: Release, names: Sequence[tuple[str, ...]]
) -> list[Pick]:
    """Return the sentence that lists the features, or the sections of the most suitable document."""
    lines = _lines(question, retriever, release) if not names else []
    if lines:
        return lines
    by_document: dict[str, list[Pick]] = {}
    documents: dict[str, Document] = {}
    for passage in retriever.sections(release, question.statuses):
        heading = next((s for s in passage.sentences if s.span.kind == "heading"), None)
        if (
            heading is not None
            and not names_status_only(passage.chunk.headings[-1])
            and _speaks_of(passage, names)
        ):
            documents[passage.document.id] = passage.document
            by_document.setdefault(passage.document.id, []).append(Pick(passage, (heading,)))

    def rank(document_id: str) -> tuple[bool, bool, int]:
        document = documents[document_id]
        return (
            document.language == question.language,
            document.kind == "digest",
            len(by_document[document_id]),
        )

    return by_document[max(by_document, key=rank)] if by_document else []


def _lines(question: Question, retriever: Retriever, release: Release) -> list[Pick]:
    """The sentences that list all features of the statuses ("Beta: this; that"), of one document."""
    if len(question.statuses) != 1 or question.statuses[0] not in MATURITIES:
        return []
    lists = re.compile(
        rf"^[^:：。;；]{{0,40}}(?:{SAID[question.statuses[0]]})[^:：。;；]{{0,30}}[:：][^\n]+[,;，；、]",
        re.I | re.ASCII,
    )
    found: dict[str, list[Pick]] = {}
    for passage in retriever.openings(release):
        text = passage.document.text
        prose = [s for s in passage.sentences if s.span.kind == "prose"]
        lines = tuple(s for s in prose if lists.match(text[s.span.start : s.span.end]))
        if lines:
            found.setdefault(passage.document.id, []).append(Pick(passage, lines))

    def rank(picks: Sequence[Pick]) -> tuple[bool, bool]:
        document = picks[0].passage.document
        return document.language == question.language, document.kind == "digest"

    return distinct(max(found.values(), key=rank)) if found else []


def _speaks_of(passage: Passage, names: Sequence[tuple[str, ...]]) -> bool:
    path = " ".join(passage.chunk.headings).casefold()
    return all(any(name in path for name in spellings) for spellings in names)
