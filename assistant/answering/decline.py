"""Composes the texts that say what the notes do not tell: a declined question, a name, a release."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.answer import Citation
from assistant.answering.compose import title
from assistant.answering.unmentioned import UnmentionedEntity
from assistant.query.question import Question
from assistant.retrieval.pick import sums_up
from assistant.text.messages import (
    DECLINED,
    NEAREST,
    NO_WORDS,
    NOTHING,
    UNDATED,
    UNHEARD,
    UNHEARD_UNDATED,
    UNKNOWN_RELEASE,
    UNMENTIONED,
)
from index.search.passage import Passage
from ingest.release import Release

NEAREST_SHOWN = 2  # passages listed when declining
_LOOKED_AT = 4  # passages of which those that sum up a release are not listed
_FEWEST_OF_A_RUN = 4  # consecutive releases that are abbreviated to the first and the last


def decline(
    question: Question,
    passages: Sequence[Passage],
    known: Sequence[Release],
    silent: Sequence[UnmentionedEntity] = (),
    *,
    documents: bool = False,
) -> tuple[str, tuple[Citation, ...]]:
    """Compose the text that declines to answer, with the releases searched and the nearest passages.

    Args:
        question: parsed question.
        passages: search results, best first. The first ones are listed as the nearest.
        known: releases that documents are about.
        silent: names that the releases asked for do not mention.
        documents: whether the index contains any document.

    Returns:
        The text, and the citations of the nearest passages, numbered in order of appearance.
    """
    language = question.language
    if not question.has_words:
        return NO_WORDS[language], ()
    searched = [r for r in question.releases if r in known] or list(known)
    others = (UNDATED if documents or passages else NOTHING)[language]
    lines = [DECLINED[language].format(searched=_releases(searched, known) or others)]
    if silent:
        lines = [unmentioned(question, silent, known)]
    if question.scope.unknown:
        lines.insert(0, unheld(question))
    citations: list[Citation] = []
    telling = [passage for passage in passages[:_LOOKED_AT] if not sums_up(passage)]
    for passage in (telling or passages)[:NEAREST_SHOWN]:
        spans = [s.span for s in passage.sentences]
        span = next((span for span in spans if span.kind != "heading"), spans[0] if spans else None)
        if span is not None:
            citations.append(Citation(len(citations) + 1, passage, span.start, span.end))
    if citations:
        lines += ["", NEAREST[language]]
        lines += [f"- {title(c.passage, language)} [{c.number}]" for c in citations]
    return "\n".join(lines), tuple(citations)


def unheld(question: Question) -> str:
    """Return the sentence that no document is about the releases asked for.

    Args:
        question: question with unknown releases in its scope.
    """
    unknown = ", ".join(map(str, question.scope.unknown))
    return UNKNOWN_RELEASE[question.language].format(unknown=unknown)


def unmentioned(question: Question, silent: Sequence[UnmentionedEntity], known: Sequence[Release]) -> str:
    """Return one sentence per name that is not mentioned, with the releases that do mention it.

    Args:
        question: question that contains the names.
        silent: names that are not mentioned.
        known: releases that documents are about; empty if no document names a release.
    """
    language = question.language
    asked = _releases([release for release in question.releases if release in known], known)
    unheard = UNHEARD[language].replace("{latest}", str(max(known))) if known else UNHEARD_UNDATED[language]
    lines = [
        UNMENTIONED[language].format(asked=asked, name=each.name, told=_releases(each.told, known))
        if each.told
        else unheard.format(name=each.name)
        for each in silent
    ]
    return ("" if language == "zh" else " ").join(lines)


def _releases(releases: Sequence[Release], known: Sequence[Release]) -> str:
    """List releases, abbreviating long runs without gaps to the first and the last."""
    place = {release: number for number, release in enumerate(sorted(known))}
    runs: list[list[Release]] = []
    for release in sorted(releases):
        if runs and place[release] == place[runs[-1][-1]] + 1:
            runs[-1].append(release)
        else:
            runs.append([release])
    told = ([f"{run[0]} – {run[-1]}"] if len(run) >= _FEWEST_OF_A_RUN else map(str, run) for run in runs)
    return ", ".join(f"PyTorch {name}" for names in told for name in names)
