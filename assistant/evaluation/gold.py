"""Questions whose right answers are known: what is asked, and what a right answer holds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ingest.document import Language
from ingest.errors import SourceError
from ingest.release import Release

#: Kinds of questions that the notes do not answer: the right answer is to decline.
TO_DECLINE = ("unanswerable", "offtopic")

Alternatives = tuple[str, ...]  # one of them is enough


@dataclass(frozen=True, slots=True)
class GoldEvidence:
    """What proves the answer: a passage of the release that holds one of each of `keys`."""

    release: Release
    keys: tuple[Alternatives, ...]


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question with what a right answer to it holds.

    Attributes:
        id: its name, the only one in a run.
        language: of the question, and so of the answer.
        kind: what it is of, for the tables; those of `TO_DECLINE` have no evidence and no facts.
        text: the question.
        history: earlier questions, oldest first.
        evidence: passages to be found, and one of them cited.
        facts: what the answer must say.
        forbidden: what it must not say.
        place: file and line.
    """

    id: str
    language: Language
    kind: str
    text: str
    history: tuple[str, ...]
    evidence: tuple[GoldEvidence, ...]
    facts: tuple[Alternatives, ...]
    forbidden: tuple[str, ...]
    place: str

    @property
    def answerable(self) -> bool:
        """Whether the notes tell."""
        return self.kind not in TO_DECLINE


def check_releases(
    questions: Sequence[GoldQuestion], held: Collection[Release], official: Collection[Release]
) -> dict[Release, int]:
    """Releases that no document of the index is about, with how many questions have evidence in them.

    Args:
        questions: to be asked.
        held: releases that the index has documents of.
        official: releases that there are; evidence in one that is not held can be had, and counts as missed.

    Raises:
        SourceError: a release is neither held nor official: a slip.
    """
    lacking: dict[Release, int] = {}
    for question in questions:
        for release in dict.fromkeys(e.release for e in question.evidence if e.release not in held):
            if release not in official:
                known = ", ".join(map(str, sorted({*held, *official})))
                raise SourceError(
                    question.place,
                    f"release {release} is unknown; there are {known}; correct it, or type "
                    "`torchnotes add PATH` with a document about it",
                )
            lacking[release] = lacking.get(release, 0) + 1
    return dict(sorted(lacking.items()))
