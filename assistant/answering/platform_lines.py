"""The sentences on the platforms of a release: those that name what the compatibility table has."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.answering.release_sections import ReleaseNotes, ReleaseSection
from assistant.retrieval.pick import Pick
from assistant.text.markdown import shown_length
from corpus.compatibility import Compatibility, find_compatibility
from index.search.passage import ScoredSentence

_LONG = 330  # characters of a sentence on platforms
_PLATFORM = "platform"  # what the ids of the sections begin with
_NOTES_ON_PLATFORMS = re.compile(r"^platform\b|平台(?:说明|一览|一句话)", re.I)
_Told = tuple[ReleaseSection, ScoredSentence]


def platform_picks(notes: ReleaseNotes, above: str, label: str = "") -> list[Pick]:
    """Quote the Python and CUDA versions that a release runs on, in one sentence if one has both.

    Args:
        notes: notes of the release.
        above: the line above the sentences.
        label: our words before each of them.

    Returns:
        At most two picks; none if the notes do not tell.
    """
    told = [
        (section, sentence)
        for section in sorted(notes.sections, key=lambda section: section is notes.overview)
        if section is notes.overview or section.id.startswith(_PLATFORM)
        for sentence in section.told
        if sentence.span.kind == "prose" and shown_length(section.text(sentence)) <= _LONG
    ]
    row = find_compatibility(str(notes.release))
    chosen = _chosen(told, row) if row else [t for t in told if _NOTES_ON_PLATFORMS.search(_text(t))][:1]
    return [Pick(section.passage, (sentence,), above=above, label=label) for section, sentence in chosen]


def platforms_differ(older: ReleaseNotes, newer: ReleaseNotes) -> bool:
    """Check whether two releases run on other versions of Python or CUDA by the compatibility table.

    Args:
        older: notes of one release.
        newer: notes of the other.
    """
    rows = [find_compatibility(str(notes.release)) for notes in (older, newer)]
    kept = [(row.python, row.cuda_stable, row.default_cuda) for row in rows if row]
    return len(set(kept)) == len(rows)


def _chosen(told: Sequence[_Told], row: Compatibility) -> list[_Told]:
    """Return the shortest sentence with both Python and CUDA versions, else the first with each."""
    python = [t for t in told if "python" in _text(t).casefold() and _holds(t, row.python)]
    cuda = [t for t in told if "cuda" in _text(t).casefold() and _holds(t, row.cuda_stable)]
    both = [t for t in python if t in cuda]
    if both:
        return [min(both, key=lambda t: len(_text(t)))]
    whole = [t for t in cuda if _holds(t, row.cuda_experimental)]
    return [*python[:1], *(whole or cuda)[:1]]


def _holds(told: _Told, numbers: Sequence[str]) -> bool:
    """Check whether a sentence has all of some version numbers."""
    text = _text(told)
    return all(re.search(rf"(?<![\d.]){re.escape(number)}(?![\d]|\.\d)", text) for number in numbers)


def _text(told: _Told) -> str:
    section, sentence = told
    return section.text(sentence)
