"""Which name a misspelled word most likely means."""

from __future__ import annotations

from collections.abc import Iterable

_SHORTEST = 4  # letters; any shorter word is one slip away from many others
MOST_SLIPS = 2
_LONG = 11  # letters that leave room for two slips


def resembling(word: str, names: Iterable[str]) -> str:
    """The name at the fewest slips from a word, of equal ones the nearest in length; "" if none is near.

    A slip is one letter too many, missing, wrong or swapped with its neighbour (Damerau 1964, "A technique
    for computer detection and correction of spelling errors"); the first letter is right. One is allowed, in
    words of eleven letters and more two.
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
