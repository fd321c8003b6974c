"""What the builders of answers to broad questions share: what they read from, and what they return."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assistant.answering.release_sections import ReleaseNotes, ReleaseSection, read_release
from assistant.query.question import Question
from assistant.retrieval.pick import Pick
from assistant.text.broad_messages import (
    ALL_OF_STATUS,
    ALL_SHOWN,
    ASK_NEXT,
    HIGHLIGHTS_ONLY,
    NEXT_QUESTIONS,
    SOME_SHOWN,
)
from assistant.text.markdown import one_line_title, shown_length
from assistant.text.messages import STATUS_NAMES
from assistant.timeline.model import Histories
from index.search.retriever import Retriever
from ingest.document import Language
from ingest.release import Release

_LONGEST_LINE: dict[Language, int] = {"en": 150, "zh": 56}  # characters of a line on a feature
_MOST_OF_SEVERAL = 7  # features of several releases
_AROUND = 8  # characters of a line besides its sentence: list mark and citation mark


@dataclass(frozen=True, slots=True)
class BroadAnswer:
    """An answer to a broad question.

    Attributes:
        picks: sentences to quote, in order.
        opening: our words before them, "" for none. What follows proves them.
        closing: our words after them, "" for none.
        notice: what to know about how complete the answer is, "" for nothing.
    """

    picks: Sequence[Pick]
    opening: str = ""
    closing: str = ""
    notice: str = ""


@dataclass(frozen=True, slots=True)
class BroadSources:
    """What broad questions are answered from.

    Attributes:
        retriever: provides the passages.
        histories: returns the histories of features; called only if they are needed.
    """

    retriever: Retriever
    histories: Callable[[], Histories]

    @property
    def newest(self) -> Release | None:
        """The newest release that the notes describe."""
        return self.retriever.newest_told

    def notes(self, releases: Sequence[Release], language: Language) -> list[ReleaseNotes]:
        """Return the notes of releases, leaving out those that no document is about.

        Args:
            releases: the releases.
            language: preferred language of the notes.
        """
        found = (read_release(self.retriever, release, language) for release in releases)
        return [notes for notes in found if notes]

    def between(self, older: Release, newer: Release) -> list[Release]:
        """Return the releases of the index after one release, up to another.

        Args:
            older: the release before the first one.
            newer: the last release.
        """
        return [release for release in self.retriever.releases if older < release <= newer]


#: Builds the answer to a broad question, or returns None if the notes do not tell enough for one.
Builder = Callable[[Question, BroadSources], BroadAnswer | None]


def gain_picks(
    notes: Sequence[ReleaseNotes],
    head: str,
    language: Language,
    *,
    room: int,
    without: Sequence[ReleaseSection] = (),
) -> list[Pick]:
    """Quote what headline features do, one line each, under a heading that counts them.

    Args:
        notes: notes of one release, or of several, of which the first features of each are taken.
        head: heading.
        language: language of heading and statuses.
        room: most characters of all lines.
        without: features to leave out.
    """
    ranked = [(rank, section) for each in reversed(notes) for rank, section in enumerate(each.gains)]
    gains = [section for _, section in sorted(ranked, key=lambda each: each[0]) if section not in without]
    several, colon = len(notes) > 1, "：" if language == "zh" else ": "
    one = gains[0].status if len({section.status for section in gains}) == 1 and not several else ""
    lines: list[tuple[ReleaseSection, str]] = []
    for section in gains:
        status = "" if one else STATUS_NAMES[language][section.status]
        label = " · ".join(filter(None, (str(section.release) if several else "", status)))
        label = f"{label}{colon}" if label else ""
        room -= len(label) + _line_length(section, language)
        if (room < 0 and lines) or (several and len(lines) == _MOST_OF_SEVERAL):
            break
        lines.append((section, label))
    head += ALL_OF_STATUS[language].format(status=STATUS_NAMES[language][one]) if one else ""
    head = counted(head, len(lines), len(gains), language)
    lines.sort(key=lambda line: line[0].release, reverse=True)
    picks: list[Pick | None] = []
    for section, label in lines:
        pick = section.saying_pick if _is_brief(section, language) else section.heading_pick
        picks.append(pick(head, label))
    return [pick for pick in picks if pick]


def counted(head: str, shown: int, total: int, language: Language) -> str:
    """Add to a heading how many things there are, and how many of them are shown.

    Args:
        head: heading.
        shown: how many are shown.
        total: how many there are.
        language: language of the heading.
    """
    return head + (ALL_SHOWN if shown >= total else SOME_SHOWN)[language].format(shown=shown, count=total)


def highlights_only(notes: Sequence[ReleaseNotes], language: Language) -> str:
    """Return the notice that the notes of some releases only tell of highlights, "" if all tell everything.

    Args:
        notes: notes that breaking changes are listed from.
        language: language of the notice.
    """
    brief = [str(each.release) for each in notes if not each.is_whole]
    releases = ("、" if language == "zh" else ", ").join(brief)
    return HIGHLIGHTS_ONLY[language].format(releases=releases) if brief else ""


def ask_next(language: Language, *questions: tuple[str, dict[str, Release]]) -> str:
    """Return the line that proposes further questions.

    Args:
        language: language of the questions.
        questions: kind of each question, and the releases in it.
    """
    templates = NEXT_QUESTIONS[language]
    asked = [templates[kind].format(**releases) for kind, releases in questions]
    return ASK_NEXT[language].format(questions=("、" if language == "zh" else ", ").join(asked))


def line_length(text: str) -> int:
    """Return how much room a line takes.

    Args:
        text: sentence of the line, in Markdown.
    """
    return len(one_line_title(text)) + _AROUND


def _line_length(section: ReleaseSection, language: Language) -> int:
    saying = section.saying
    return line_length(section.text(saying) if saying and _is_brief(section, language) else section.title)


def _is_brief(section: ReleaseSection, language: Language) -> bool:
    """Check whether the first sentence of a section is fit for one line; else its heading is shown.

    In a digest it tells what the feature does; other notes may open with the state before.
    """
    saying = section.saying
    if saying is None or section.passage.document.kind != "digest":
        return False
    return shown_length(section.text(saying)) <= _LONGEST_LINE[language]
