"""Correction of misspelled words."""

from __future__ import annotations

from collections.abc import Iterable

_SHORTEST = 4  # characters; a shorter word is within one edit of too many others
MOST_SLIPS = 2
_LONG = 11  # characters from which two edits are allowed


def resembling(word: str, names: Iterable[str]) -> str:
    """Return the name that a misspelled word most likely stands for.

    The distance is the number of inserted, missing, wrong or swapped adjacent characters (Damerau 1964, "A
    technique for computer detection and correction of spelling errors"). One edit is allowed, two for words
    of eleven or more characters. The first character must match.

    Args:
        word: the word as typed.
        names: candidate names.

    Returns:
        The name with the fewest edits, of equal ones the one closest in length; "" if none is close enough.
    """
    if len(word) < _SHORTEST:
        return ""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extractOne

    slips = MOST_SLIPS if len(word) >= _LONG else 1
    near = [name for name in names if name[:1] == word[0] and abs(len(name) - len(word)) <= slips]
    near.sort(key=lambda name: (abs(len(name) - len(word)), name))
    found = extractOne(word, near, scorer=OSA.distance, score_cutoff=slips)
    return str(found[0]) if found else ""
