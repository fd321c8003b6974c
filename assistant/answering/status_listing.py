"""Lists all sections of a status, or all that name a thing, for questions that ask for a whole list.

"What is still prototype in 2.5?" and "list everything about AOTInductor in 2.6" ask for a complete list, which
is selected by status and names rather than by similarity to the question. The line above a list counts it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.answering.breaking_changes import effect_of
from assistant.answering.broad_answer import BroadAnswer, BroadSources, highlights_only
from assistant.answering.release_sections import ReleaseNotes, ReleaseSection
from assistant.answering.remedy import known_changes
from assistant.query.broad_kind import listed_statuses, topic_names
from assistant.query.question import Question
from assistant.retrieval.pick import Pick
from assistant.text.broad_messages import COUNTED, LIST_LEAD, LIST_LEAD_SEVERAL, NAME_LEAD
from assistant.text.messages import EFFECTS, STATUS_NAMES
from index.search.passage import ScoredSentence
from ingest.document import Language
from ingest.status import MATURITIES, Status

_FEWEST = 2  # sections that name a thing; fewer are no list
_WORD = re.compile(r"[a-z]{4,}")
#: Statuses of sections that list many things, one an item.
_GROUPS: tuple[Status, ...] = ("new", "improvement", "bug-fix", "performance", "documentation", "developers")
_JOINED = re.compile(r"[,，、/]|\band\b|[和与及]")
_SUMMARIES = ("overview", "status")  # ids of the sections that repeat what the others tell


def status_listing(question: Question, sources: BroadSources) -> BroadAnswer | None:
    """List the sections that a question asks for.

    Args:
        question: question with releases and a status, or with one release and a name.
        sources: what to answer from.

    Returns:
        The list, breaking changes by whom they hit, others with the oldest release first; None if the notes
        have nothing to list.
    """
    # An upgrade does not include the changes of the release it starts from.
    releases = [r for r in question.releases if r != question.scope.left or len(question.releases) == 1]
    notes = sources.notes(releases, question.language)
    statuses = listed_statuses(question)
    if not statuses:
        return _naming(question, notes)
    names = topic_names(question)
    if statuses == ("breaking",):
        return _by_effect(notes, names, question.language)
    picks = [
        pick
        for each in notes
        for status in statuses
        for pick in _of_status(each, status, names, question.language)
    ]
    return BroadAnswer(picks) if len(picks) >= (_FEWEST if names else 1) else None


def _of_status(
    notes: ReleaseNotes, status: Status, names: Sequence[tuple[str, ...]], language: Language
) -> list[Pick]:
    """Quote the headings of a release that have a status, after their summary, under a line that counts."""
    sections = [section for section in notes.of_status(status) if _is_headed(section, names)]
    above = LIST_LEAD[language].format(
        release=notes.release, count=len(sections), what=_what(status, len(sections), language)
    )
    headings = [pick for section in sections if (pick := section.heading_pick(above))]
    summary = notes.summary(sections, above) if status in MATURITIES else None
    return [summary, *headings] if summary else headings


def _by_effect(
    notes: Sequence[ReleaseNotes], names: Sequence[tuple[str, ...]], language: Language
) -> BroadAnswer | None:
    """List breaking changes by whom they hit, the oldest release first in each group.

    Without groups if the effect of most is not known, as for notes that did not ship.
    """
    found = [
        (section, known_changes().get((str(each.release), section.id)))
        for each in notes
        for section in each.of_status("breaking")
        if _is_headed(section, names)
    ]
    releases = sorted({section.release for section, _ in found})
    if len(found) < (_FEWEST if names else 1):
        return None
    what = _what("breaking", len(found), language)
    lead = LIST_LEAD if len(releases) == 1 else LIST_LEAD_SEVERAL
    opening = lead[language].format(
        release=releases[0], first=releases[0], last=releases[-1], count=len(found), what=what
    )
    grouped = 2 * sum(change is not None for _, change in found) >= len(found)
    groups: list[list[Pick]] = [[] for _ in EFFECTS[language]]
    for section, change in found:
        effect = effect_of(change) if grouped else 0
        label = f"{section.release}: " if len(releases) > 1 else ""
        pick = section.heading_pick(EFFECTS[language][effect] if grouped else opening, label)
        groups[effect] += [pick] if pick else []
    picks = [pick for group in groups for pick in group]
    return BroadAnswer(picks, opening if grouped else "", notice=highlights_only(notes, language))


def _naming(question: Question, notes: Sequence[ReleaseNotes]) -> BroadAnswer | None:
    """List the sections that name a thing, with what they say of it, by their status."""
    names, language = [_related(spellings) for spellings in topic_names(question)], question.language
    found = [(s, told) for each in notes for s in each.sections if (told := _told_of(s, names))]
    if len(found) < _FEWEST:
        return None
    lead = NAME_LEAD[language].format(
        release=notes[0].release, count=len(found), name=_as_asked(question, names[0])
    )
    by_status: dict[str, list[Pick]] = {}
    for section, told in found:
        above = STATUS_NAMES[language][section.status]
        by_status.setdefault(above, []).append(Pick(section.passage, told, above=above))
    return BroadAnswer([pick for picks in by_status.values() for pick in picks], lead)


def _told_of(section: ReleaseSection, names: Sequence[tuple[str, ...]]) -> tuple[ScoredSentence, ...]:
    """Return the sentences of a section that tell of what the names name; none if it is about other things.

    They are the heading and what stands below it if the heading has the names, else each sentence that has
    them. Below a heading with other names too, only what has these; the sentence that introduces a list never.
    """
    heading = section.heading
    if heading is None or section.id in _SUMMARIES or not section.is_single:
        return ()
    items = tuple(sentence for sentence in section.told if sentence.span.kind == "item")
    naming = tuple(s for s in items or section.told if _has_names(section.text(s), names))
    if not _has_names(section.title, names):
        return naming
    if section.status in _GROUPS:
        return (heading, *(naming if _JOINED.search(section.title) else items))
    return (heading, section.saying) if section.saying else (heading,)


def _related(spellings: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out identifiers without a word of the name, such as an option that other things have too."""
    words = {word for name in spellings if "_" not in name for word in _WORD.findall(name)}
    return tuple(name for name in spellings if "_" not in name or words & {*_WORD.findall(name)})


def _as_asked(question: Question, spellings: Sequence[str]) -> str:
    """Return a name as the question spells it."""
    asked = question.standalone
    folded = asked.casefold()
    name = max(spellings, key=lambda spelling: (spelling in folded, len(spelling)))
    start = folded.find(name)
    return asked[start : start + len(name)] if start >= 0 else name


def _is_headed(section: ReleaseSection, names: Sequence[tuple[str, ...]]) -> bool:
    """Check whether the headings of a section have all names."""
    return _has_names(" ".join(section.passage.chunk.headings), names)


def _has_names(text: str, names: Sequence[tuple[str, ...]]) -> bool:
    """Check whether a text has all names, each not within a longer Latin word ("DTensor" in "ShardedTensor")."""
    folded = text.casefold()
    return all(
        any(re.search(rf"(?<![a-z\d]){re.escape(name)}", folded) for name in spellings) for spellings in names
    )


def _what(status: Status, count: int, language: Language) -> str:
    return COUNTED[language][status][count > 1]
