"""Orders that a kind of question asks for: the release that tells, or where a thing was introduced."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.query.entities import entities
from assistant.query.question import Question
from assistant.text.platforms import versions
from index.search.passage import Passage
from ingest.release import Release
from ingest.status import MATURITIES

_VERSION = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])")
_SILENT = 3  # passages of a release that must not speak of a name
_CLOSE = 0.6  # of the best passage's score


def told_elsewhere(
    asked: Question, passages: Sequence[Passage], everywhere: Sequence[Passage]
) -> list[Passage]:
    """For "can I still": where the release asked for is silent on what is named, the release that tells.

    Support ends in the notes of one release and begins in those of another; those between say nothing.

    Args:
        asked: the question.
        passages: of the release asked for first.
        everywhere: found without regard to releases.
    """
    names = [*entities(asked), *((number,) for number in _other_versions(asked))]
    families = {family for family, _ in versions(asked.clean)}

    def speaks(passage: Passage) -> bool:
        text = passage.text.casefold()
        return bool(names) and all(any(name in text for name in spellings) for spellings in names)

    def lists(passage: Passage) -> bool:
        """Whether it lists the versions of a platform: one that is not among them is not supported."""
        return passage.status == "platform" and bool(
            families & {family for family, _ in versions(passage.text)}
        )

    if any(speaks(p) or lists(p) for p in passages[:_SILENT] if p.release in asked.releases):
        return list(passages)
    telling = [p for p in everywhere if speaks(p)][:1]
    known = {p.chunk.id for p in telling}
    return [*telling, *(p for p in passages if p.chunk.id not in known)]


def _other_versions(asked: Question) -> list[str]:
    """Versions in a question that are no release of PyTorch's: those of Python, CUDA and the like."""
    named = {str(release) for release in asked.scope.named}
    return [version for version in _VERSION.findall(asked.clean) if version not in named]


def introductions_first(asked: Question, passages: Sequence[Passage]) -> list[Passage]:
    """For "what is" and "since when": sections that introduce what is asked, the earliest release first.

    Args:
        asked: the question.
        passages: best first.
    """
    names = entities(asked)

    def introduces(passage: Passage) -> bool:
        heading = (passage.chunk.headings or ("",))[-1].casefold()
        named = bool(names) and all(any(name in heading for name in spellings) for spellings in names)
        close = passage.score >= _CLOSE * passages[0].score
        return named and close and passage.status in (*MATURITIES, "new")

    first = sorted(
        (p for p in passages if introduces(p) and p.release), key=lambda p: p.release or Release(0, 0)
    )
    return [*first, *(p for p in passages if p not in first)]
