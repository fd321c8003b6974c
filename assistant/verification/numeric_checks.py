"""Whether the figures of a sentence are those of its quotes, each of the same thing.

A quote that says "426 contributors made 3393 commits" holds both numbers of "3393 contributors made 426
commits"; one that says "HuggingFace +18%, TorchBench +19%" those of the two exchanged. So an amount must
count what it counts in the quote, and stand in a part with the same name.
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
_BOUNDED = ("x", "%", "GB", "MB", "ms", "s")
_BOUND = re.compile(
    r"\bup to\b|\bas much as\b|\bas many as\b|\bat most\b|\bmaxim\w+|\bno more than\b|\bceiling\b|\bpeaks?\b"
    r"|最多|最高|最大|高达|多达|可达|至多|上限|顶多|不超过|以内|峰值",
    re.I,
)
_BOUND_REACH = 24  # characters before an amount in which its bound stands
_MOST_LISTED = 12


def miscounted(text: str, quotes: Sequence[str], stem: Callable[[str], str]) -> str:
    """The amount of a sentence that counts something else in the quotes, "" where none does."""
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
    """The amount that a sentence gives to one name and its quotes to another, "" where none."""
    parts = [part for quote in quotes for part in _parts(quote)]
    for part in _parts(text):
        names = names_of(part)
        for amount in amounts(part):
            if not names or not amount.unit or _RESPECTIVELY.search(text):
                continue
            of_names = [p for p in parts if all(holds(name, p.casefold()) for name in names)]
            figures = [a for p in of_names for a in amounts(p) if a.unit == amount.unit]
            elsewhere = any(_same(amount, a) for p in parts if p not in of_names for a in amounts(p))
            if figures and elsewhere and not any(_same(amount, a) for a in figures):
                return f"{amount.value} {amount.unit}"
    return ""


def mismatched(text: str, quotes: Sequence[str], stem: Callable[[str], str]) -> str:
    """An amount that a part of a sentence puts beside another than its quotes do, "" where none.

    "1 thread 376 us, 4 threads 99 us" proves no "4 threads take 376 us".
    """
    parts = [_measures(part, stem) for quote in quotes for part in _parts(quote)]
    for part in _parts(text):
        measures = _measures(part, stem)
        for one in sorted(measures):
            beside = [told for told in parts if one in told]
            for value, unit in sorted(measures - {one}):
                own = {one[0]} if one[1] == unit else set()
                others = {v for told in beside for v, u in told if u == unit} - own
                elsewhere = any((value, unit) in told for told in parts)
                if others and value not in others and elsewhere:
                    return f"{value} {unit}"
    return ""


def unbounded(text: str, quotes: Sequence[str]) -> str:
    """The amount that is a bound in the quotes ("up to 75%") and none in the sentence, "" where none.

    Where a quote has it without a bound too, it needs none.
    """
    for amount in amounts(text):
        if amount.unit not in _BOUNDED or _BOUND.search(text):
            continue
        told = [
            _BOUND.search(q[max(0, a.start - _BOUND_REACH) : a.start])
            for q in quotes
            for a in amounts(q)
            if _same(amount, a)
        ]
        if told and all(told):
            return f"{amount.value} {amount.unit}"
    return ""


def counted(text: str, stem: Callable[[str], str]) -> set[tuple[str, str]]:
    """The bare numbers of a text, each with what it counts."""
    return {(amount.value, noun) for amount, noun in _counted(text, stem)}


def listed(count: Amount, texts: Sequence[str]) -> bool:
    """Whether a small number is that of the things which a text lists: "2 of them: A and B"."""
    if count.unit or not count.value.isdigit() or not 2 <= int(count.value) <= _MOST_LISTED:
        return False
    return any(int(count.value) in set(_lists(text)) for text in texts)


def _lists(text: str) -> Iterator[int]:
    """The lengths of the lists in a text: items with separators between, and no full stop."""
    for stretch in re.split(r"[。.;；:：](?:\s|$)|[（()）]", text):
        separators = len(_SEPARATOR.findall(stretch))
        yield from range(2, separators + 2)


def _parts(text: str) -> list[str]:
    return [part for part in _PART.split(text) if part.strip()]


def _counted(text: str, stem: Callable[[str], str]) -> Iterator[tuple[Amount, str]]:
    """Amounts without a unit, and what they count."""
    for amount in amounts(text):
        noun = _COUNTED.match(text, amount.end)
        if (
            noun
            and not amount.unit
            and amount.value.isdigit()
            and noun["noun"].casefold() not in ENGLISH_STOPWORDS
        ):
            yield amount, stem(noun["noun"].casefold())


def _measures(part: str, stem: Callable[[str], str]) -> set[tuple[str, str]]:
    """The amounts of a part with their units, or with what they count."""
    return {(a.value, a.unit) for a in amounts(part) if a.unit} | counted(part, stem)


def _same(one: Amount, other: Amount) -> bool:
    return one.value == other.value and (one.unit == other.unit or not one.unit or not other.unit)
