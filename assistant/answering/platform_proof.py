"""Finds the sentences of the notes that prove what the compatibility table says of a release."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.answering.broad_answer import BroadSources
from assistant.answering.platform_subject import PlatformSubject
from assistant.answering.release_sections import ReleaseSection
from assistant.retrieval.pick import Pick
from assistant.text.markdown import shown_length
from assistant.text.platform_messages import ClaimKind
from corpus.compatibility import Compatibility
from ingest.document import Language
from ingest.release import Release

_LONG = 400  # characters of a sentence that proves
_SPAN = re.compile(r"(?:capability|计算能力)\D{0,8}(\d+\.\d)\D{1,6}(\d+\.\d)")
_ELSEWHERE = re.compile(r"aarch64|arm64|jetson", re.I)  # the table is of x86-64
_PLATFORM = "platform"  # what the ids of sections on platforms begin with


@dataclass(frozen=True, slots=True)
class Claim:
    """What the table says of one release.

    Attributes:
        kind: whether the release has the thing, lacks it, or is the first or last one with it.
        subject: the thing.
        row: what the table has on the release.
    """

    kind: ClaimKind
    subject: PlatformSubject
    row: Compatibility

    def matched(self, text: str) -> int:
        """Return how many of the claim's versions a sentence on the thing names, 0 for other sentences.

        Args:
            text: a sentence.
        """
        if self.subject.kind == "device":
            builds = self.row.cuda_for(self.subject.version) or self.row.cuda
            return sum(_holds(text, build) for build in builds) if self._names_card(text) else 0
        if self.subject.kind not in text.casefold():
            return 0
        if self.subject.kind == "cuda":
            told, all_of_it = self.row.cuda_stable, self.kind in ("has", "lacks")
        else:
            told, all_of_it = self.row.python, self.kind == "lacks"
        if not all(_holds(text, version) for version in (told if all_of_it else (self.subject.version,))):
            between = self.subject.kind == "python" and self.kind == "has"
            return len(told) if between and all(_holds(text, version) for version in told) else 0
        return 1 + sum(_holds(text, version) for version in told)

    def _names_card(self, text: str) -> bool:
        """Check whether a sentence names the card's generation, its code, or a span with its capability."""
        if any(re.search(rf"(?<![A-Za-z\d]){word}(?!\d)", text, re.I) for word in self.subject.words):
            return True
        span = _SPAN.search(text)
        return span is not None and _number(span[1]) <= _number(self.subject.version) <= _number(span[2])


def proofs(claim: Claim, releases: Sequence[str], sources: BroadSources, language: Language) -> list[Pick]:
    """Return the sentences of releases' notes that prove a claim, best first.

    Those of sections on platforms come before others, then those on x86-64, those that name their release,
    those that name most versions, and the short ones.

    Args:
        claim: to prove.
        releases: in whose notes to look.
        sources: provides the notes.
        language: preferred language of the notes.
    """
    found = []
    for notes in sources.notes([Release.parse(release) for release in releases], language):
        for section in notes.sections:
            for sentence in section.told:
                text = section.text(sentence)
                matched = claim.matched(text) if len(text) <= _LONG else 0
                if matched:
                    away = bool(_ELSEWHERE.search(text)), str(notes.release) not in text
                    rank = (not is_platform(section), *away, -matched, shown_length(text))
                    found.append((rank, Pick(section.passage, (sentence,))))
    return [pick for _, pick in sorted(found, key=lambda each: each[0])]


def is_platform(section: ReleaseSection) -> bool:
    """Check whether a section is on what its release runs on.

    Args:
        section: a section of the notes.
    """
    return section.status == "platform" or section.id.startswith(_PLATFORM)


def _holds(text: str, number: str) -> bool:
    """Check whether a text has a version number that is no part of a longer one."""
    return re.search(rf"(?<![\d.]){re.escape(number)}(?![\d]|\.\d)", text) is not None


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
