"""Answers what a release runs on, and which release was the first or last one, by the compatibility table.

The table (corpus/compatibility.toml) decides; sentences of the notes that say the same prove it. What no
sentence proves is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assistant.answering.broad_answer import BroadAnswer, BroadSources
from assistant.answering.platform_proof import Claim, is_platform, proofs
from assistant.answering.platform_subject import PlatformSubject, platform_subject
from assistant.answering.release_sections import ReleaseSection
from assistant.answering.verdict import Polarity, verdict_word
from assistant.query.question import Question
from assistant.query.yes_no import is_yes_no
from assistant.text.platform_messages import (
    BUILDS,
    CLAIMS,
    EXPERIMENTAL,
    IT,
    NEWEST,
    ONLY_BUILD,
    RANGE,
    VERDICT,
)
from assistant.verification.negation import negated
from corpus.compatibility import Compatibility, load_compatibility, releases_with_python
from index.search.passage import Passage
from ingest.document import Language
from ingest.language import HAN
from ingest.release import Release

_BETWEEN_HAN = re.compile(rf"(?<=[{HAN}（）]) (?=[{HAN}（）])")
_OTHERS = ("howto", "compare")  # intents of questions that ask for more than whether and which


def platform_support(
    question: Question, passages: Sequence[Passage], sources: BroadSources
) -> BroadAnswer | None:
    """Answer which release runs on a Python version, a CUDA version or a graphics card.

    Args:
        question: parsed question.
        passages: what was found, best first: the question is on platforms if the first passage is.
        sources: what to answer from.

    Returns:
        The answer; None if the question asks for something else, or if the notes do not prove the table.
    """
    asks = not question.statuses and question.intent not in _OTHERS and len(question.scope.named) <= 1
    asks = asks and not question.scope.unknown
    if not (asks and passages and is_platform(ReleaseSection(passages[0], introduces=False))):
        return None
    rows = [row for row in load_compatibility() if Release.parse(row.release) in sources.retriever.releases]
    subject = platform_subject(question)
    fitting = [row for row in rows if subject and _has(row, subject)]
    if subject is None or not fitting:
        return None
    named = [row for row in rows if row.release in map(str, question.scope.named)]
    asked = named[0] if named else rows[-1]
    if question.scope.named and not named:
        return None
    claims = list(_claims(question, subject, asked, rows, fitting))
    found = [(claim, proofs(claim, [claim.row.release], sources, question.language)) for claim in claims]
    told = [(claim, picks[0]) for claim, picks in found if picks]
    if not told or (told[0][0] is not claims[0] and claims[0].kind != "lacks"):
        return None
    picks = [pick for _, pick in told]
    if asked is rows[-1] and asked in fitting:  # what is announced of it
        later = [
            str(release) for release in sources.retriever.releases if release > Release.parse(asked.release)
        ]
        picks += proofs(Claim("last", subject, asked), later, sources, question.language)[:1]
    distinct = {(pick.passage.chunk.id, pick.sentences[0].row): pick for pick in picks}
    opening = _opening(question, [claim for claim, _ in told], newest=rows[-1])
    if is_yes_no(question.clean) and not negated(question.clean):
        polarity: Polarity = "yes" if asked in fitting else "no"
        opening = VERDICT[question.language].format(verdict=verdict_word(question, polarity), told=opening)
    return BroadAnswer(list(distinct.values()), opening=opening)


def _claims(
    question: Question,
    subject: PlatformSubject,
    asked: Compatibility,
    rows: Sequence[Compatibility],
    fitting: Sequence[Compatibility],
) -> Iterator[Claim]:
    """Yield what to say of the release asked about, and of the first or the last that fits.

    Where the question names no release, the first or the last one comes first.
    """
    here = Claim("has" if asked in fitting else "lacks", subject, asked)
    ends: list[Claim] = []
    if fitting[-1] not in (rows[-1], asked):
        ends.append(Claim("last", subject, fitting[-1]))
    elif fitting[0] not in (rows[0], asked):
        ends.append(Claim("first", subject, fitting[0]))
    named = bool(question.scope.named) or question.scope.latest
    yield from [here, *ends] if named else [*ends, here]


def _opening(question: Question, claims: Sequence[Claim], newest: Compatibility) -> str:
    """Return what the claims say, the subject named once."""
    language = question.language
    said: list[str] = []
    for claim in claims:
        subject, row = claim.subject, claim.row
        is_newest = row is newest and not question.scope.named
        said.append(
            CLAIMS[language][claim.kind, subject.kind].format(
                release=NEWEST[language].format(release=row.release) if is_newest else row.release,
                name=IT[language] if said and subject.kind == "device" else subject.name,
                has=_told_of(row, subject, language),
            )
        )
    return _BETWEEN_HAN.sub("", "".join(said)) if language == "zh" else " ".join(said)


def _has(row: Compatibility, subject: PlatformSubject) -> bool:
    """Check whether a release has what a question is about."""
    if subject.kind == "device":
        return bool(row.cuda_for(subject.version))
    if subject.kind == "cuda":
        return subject.version in row.cuda
    return row.release in releases_with_python(subject.version)


def _told_of(row: Compatibility, subject: PlatformSubject, language: Language) -> str:
    """Return what a release has of a kind: its Python versions, its CUDA builds, or those that fit a card."""
    if subject.kind == "python":
        told = RANGE[language].format(first=row.python[0], last=row.python[1])
        tried = subject.version in row.python_experimental
        return EXPERIMENTAL[language].format(range=told, name=subject.version) if tried else told
    builds = row.cuda if subject.kind == "cuda" else row.cuda_for(subject.version)
    told = ("、" if language == "zh" else ", ").join(builds)
    if subject.kind == "cuda":
        return told
    return (ONLY_BUILD if len(builds) == 1 < len(row.cuda) else BUILDS)[language].format(has=told)
