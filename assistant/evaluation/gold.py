"""Gold questions: a question, the evidence for its answer, and the facts that a right answer states."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ingest.document import Language
from ingest.errors import SourceError
from ingest.release import Release

#: Kinds of questions that the notes do not answer, so that the assistant should decline.
TO_DECLINE = ("unanswerable", "offtopic")

Alternatives = tuple[str, ...]  # satisfied by any one of the texts


@dataclass(frozen=True, slots=True)
class GoldEvidence:
    """Criteria for a passage that proves an answer.

    Attributes:
        release: release of the passage's document.
        keys: groups of alternatives; the passage contains at least one text of each group.
    """

    release: Release
    keys: tuple[Alternatives, ...]


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question and the criteria for a right answer.

    Attributes:
        id: identifier, unique within a run.
        language: language of the question, and expected language of the answer.
        kind: category in the reports. Questions of the kinds `TO_DECLINE` have no evidence and no facts.
        text: the question.
        history: earlier questions of the conversation, oldest first.
        evidence: passages to retrieve, at least one of which must be cited.
        facts: facts that the answer must state, each as alternative wordings.
        forbidden: texts that the answer must not contain.
        place: `file:line` of the question, for error messages.
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
        """Whether the notes answer the question."""
        return self.kind not in TO_DECLINE


def check_releases(
    questions: Sequence[GoldQuestion], held: Collection[Release], official: Collection[Release]
) -> dict[Release, int]:
    """Count the questions whose evidence is in releases that the index lacks.

    Args:
        questions: the questions of the run.
        held: releases of the indexed documents.
        official: releases that have published notes. Evidence in one of these that is not held is allowed,
            and scores as missed.

    Returns:
        Number of questions by missing release, in release order.

    Raises:
        SourceError: a release is neither held nor official, probably a typing error.
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
