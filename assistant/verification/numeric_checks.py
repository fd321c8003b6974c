"""Numeric checks: whether each figure of a sentence refers to the same thing as in its quotes.

Finding the same number in a quote is not enough. "426 contributors made 3393 commits" contains both numbers
of "3393 contributors made 426 commits", and "HuggingFace +18%, TorchBench +19%" those of the two exchanged.
So an amount must count what it counts in the quote, and occur in a part with the same name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence

from assistant.text.quantities import Amount, amounts
from ingest.segment import ENGLISH_STOPWORDS

_PART = re.compile(r"[,，;；、（()）]|\band\b|\bwhile\b|\bwhereas\b|和|而|以及")
_COUNTED = re.compile(
    r"\W{0,3}(?:多|余)?\s{0,9}(?:个|位|名|次|项|种|条|款|类|张|块|台|核|of|the|different|more|new)?\s{0,9}(?:的)?(?P<noun>[A-Za-z]{3,}|[\u4e00-\u9fff]{2})"
)
_SEPARATOR = re.compile(r"、|,\s(?:and |or )?|，(?:和|以及|或)?|\s(?:and|or)\s|和|与|及|或")
_RESPECTIVELY = re.compile(r"分别|依次|\brespectively\b", re.I)
_MOST_LISTED = 12  # largest number that may count the items of a list


def miscounted(text: str, quotes: Sequence[str], stem: Callable[[str], str]) -> str:
    """Find a bare number that counts something else in the quotes.

    Args:
        text: the sentence.
        quotes: plain text of its quotes.
        stem: stemmer for the nouns counted.

    Returns:
        The number, or "" if there is none.
    """
    told: dict[str, set[str]] = {}
    for quote in quotes:
        for amount, noun in _counted(quote, stem):
            told.setdefault(noun, set()).add(amount.value)
    counting = {value for values in told.values() for value in values}
    for amount, noun in _counted(text, stem):
        others = told.get(noun)
        if others and amount.value not in others and amount.value in counting:
            return amount.value
    return ""


def misattributed(
    text: str,
    quotes: Sequence[str],
    names_of: Callable[[str], Collection[str]],
    holds: Callable[[str, str], bool],
) -> str:
    """Find an amount that the sentence gives to one name and the quotes to another.

    Args:
        text: the sentence.
        quotes: plain text of its quotes.
        names_of: returns the names in a text, in lower case.
        holds: checks whether a name (first argument) occurs in a case-folded text (second argument).

    Returns:
        The amount with its unit, or "" if there is none.
    """
    parts = [part for quote in quotes for part in _parts(quote, names_of)]
    for part in _parts(text, names_of):
        names = names_of(part)
        for amount in amounts(part):
            if not names or not amount.unit:
                continue
            of_names = [p for p in parts if all(holds(name, p.casefold()) for name in names)]
            figures = [a for p in of_names for a in amounts(p) if a.unit == amount.unit]
            elsewhere = any(_same(amount, a) for p in parts if p not in of_names for a in amounts(p))
            if figures and elsewhere and not any(_same(amount, a) for a in figures):
                return f"{amount.value} {amount.unit}"
    return ""


def counted(text: str, stem: Callable[[str], str]) -> set[tuple[str, str]]:
    """Return the bare integers of a text, each with the noun it counts.

    Args:
        text: Chinese or English text.
        stem: stemmer for the nouns.

    Returns:
        Pairs of number and stemmed noun.
    """
    return {(amount.value, noun) for amount, noun in _counted(text, stem)}


def listed(count: Amount, texts: Sequence[str]) -> bool:
    """Check whether a number counts the items of a list: "2 of them: A and B".

    Args:
        count: the number. Only integers from 2 to 12 without a unit qualify.
        texts: texts that may contain the list.
    """
    if count.unit or not count.value.isdigit() or not 2 <= int(count.value) <= _MOST_LISTED:
        return False
    return any(int(count.value) in set(_lists(text)) for text in texts)


def _lists(text: str) -> Iterator[int]:
    """Yield the possible numbers of items in the lists of a text."""
    for stretch in re.split(r"[。.;；:：](?:\s|$)|[（()）]", text):
        separators = len(_SEPARATOR.findall(stretch))
        yield from range(2, separators + 2)


def _parts(text: str, names_of: Callable[[str], Collection[str]]) -> list[str]:
    """Split a text into parts with a name and a figure each; "respectively" pairs them by their order."""
    if not _RESPECTIVELY.search(text):
        return [part for part in _PART.split(text) if part.strip()]
    folded = text.casefold()
    names = sorted((name for name in names_of(text) if name in folded), key=folded.index)
    figures = [amount for amount in amounts(text) if amount.unit]
    if len(names) != len(figures):
        return []
    written = [text[folded.index(name) :][: len(name)] for name in names]
    return [f"的 {name} {text[a.start : a.end]}" for name, a in zip(written, figures, strict=True)]


def _counted(text: str, stem: Callable[[str], str]) -> Iterator[tuple[Amount, str]]:
    """Yield the integers without a unit, each with the stemmed noun it counts."""
    for amount in amounts(text):
        noun = _COUNTED.match(text, amount.end)
        if (
            noun
            and not amount.unit
            and amount.value.isdigit()
            and noun["noun"].casefold() not in ENGLISH_STOPWORDS
        ):
            yield amount, stem(noun["noun"].casefold())


def _same(one: Amount, other: Amount) -> bool:
    return one.value == other.value and (one.unit == other.unit or not one.unit or not other.unit)
