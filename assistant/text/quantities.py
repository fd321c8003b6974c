"""Extracts amounts, numbers with their units, so that 两倍, 2x and twofold compare equal.

A number in a sentence is supported by the same number in a quote, however each is written: in digits or
words, with per cent or ％, million or 百万. A bare decimal is kept as written, because 2.10 and 2.1 are
different versions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple


class Amount(NamedTuple):
    """A number and its unit.

    Attributes:
        value: the number in decimal without redundant zeros; a bare decimal as written.
        unit: "x", "%", "GB", "ms", "bit", "month" and so on; "" for a bare number.
        start: offset of the first character in the text.
        end: offset after the last character, including the unit.
    """

    value: str
    unit: str
    start: int
    end: int


_UNITS: tuple[tuple[str, str], ...] = (  # the first pattern that matches wins
    ("pp", r"percentage points?|个?百分点"),
    ("%", r"%|％|per ?cents?\b|percent\w*"),
    ("x", r"[xX×](?![A-Za-z])|times\b|[- ]?fold\b|倍"),
    ("bit", r"-?\s?bits?\b|位(?![置于移数贡开用作工成维研专读参同]|志愿)|比特"),
    ("KB", r"Ki?B\b"),
    ("MB", r"Mi?B\b"),
    ("GB", r"Gi?B\b|G(?=内存|显存)"),
    ("TB", r"Ti?B\b"),
    ("ms", r"ms\b|milliseconds?\b|毫秒"),
    ("us", r"[uµμ]s\b|microseconds?\b|微秒"),
    ("s", r"s\b|secs?\b|seconds?\b|秒"),
    ("min", r"mins?\b|minutes?\b|分钟"),
    ("h", r"h\b|hours?\b|个?小时"),
    ("core", r"cores?\b|核(?!心)"),
    ("gpu", r"GPUs?\b|[张块](?:显?卡|GPU)"),
    ("month", r"月(?!份?度)"),
    ("year", r"年"),
    ("day", r"[日号](?!志)"),
)
_SCALES: tuple[tuple[str, int], ...] = (
    (r"hundred\b", 2),
    (r"thousand\b|[Kk](?![A-Za-z])|千", 3),
    (r"百万", 6),
    (r"千万", 7),
    (r"十亿", 9),
    (r"million\b|M(?![A-Za-z])", 6),
    (r"billion\b|B(?![A-Za-z])", 9),
    (r"trillion\b|T(?![A-Za-z])", 12),
    (r"百亿", 10),
    (r"千亿", 11),
    (r"万亿", 12),
    (r"万", 4),
    (r"亿", 8),
)
_TO_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen twenty"
)
_WORDS = {word: number for number, word in enumerate(_TO_TWENTY.split())}
_TENS = {word: 10 * n for n, word in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), 3)}
_WORDS |= _TENS
_WORDS |= {
    f"{ten}{dash}{word}": tens + _WORDS[word]
    for ten, tens in {"twenty": 20, **_TENS}.items()
    for word in "one two three four five six seven eight nine".split()
    for dash in "- "
}
_MULTIPLES = {"twice": "2", "double": "2", "doubles": "2", "doubled": "2", "triple": "3", "tripled": "3"}
_MONTHS = "january february march april may june july august september october november december".split()
_HAN_DIGITS = {"〇": 0, "两": 2} | {digit: value for value, digit in enumerate("零一二三四五六七八九")}
_HAN_PLACES = {"十": 10, "百": 100, "千": 1000}
_HAN_NUMBER = r"(?:[零〇一二两三四五六七八九十百千]{1,12}(?:点[零〇一二三四五六七八九]{1,8})?)"
#: Measure words required after a Chinese number; without one, it is part of another word (一些, 三维, 统一).
_MEASURES = (
    r"(?=\s*(?:倍|个|种|项|类|条|处|位|款|家|名|层|张|块|台|次|核|组|步|代|成|版|行|套|份|门|对|路|档|月|年|日|天"
    r"|小时|分钟|秒|大|者|万(?![一别不记])|亿))"
)
_DIGITS = (
    r"(?:(?<![\w.])(?<![A-Za-z]-)|(?<=\bv)|(?<=\bpre-))(?:\d{1,3}(?:[,，]\d{3})+"
    r"|\d+)(?:\.\d+)*(?![\w.]*[A-Za-z_]\w*\()"
)
_TOKEN = re.compile(
    rf"百分之\s*(?P<hundredth>{_HAN_NUMBER}|\d+(?:\.\d+)?)"
    rf"|(?P<date>(?<!\d)(?:19|20)\d\d(?P<dash>[-/.])\d\d?(?P=dash)\d\d?)(?!\d)"
    rf"|(?P<tenth>[一二两三四五六七八九]|(?<![\d.])[1-9]) ?成(?![为功员果立熟本分就])"
    rf"|(?P<fraction>(?<![\d/.])1/2(?![\d/]))"
    rf"|(?P<digits>{_DIGITS})"
    rf"|(?P<han>{_HAN_NUMBER}){_MEASURES}"
    rf"|(?P<month>\b(?:{'|'.join(_MONTHS)}|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov"
    rf"|dec)\b\.?)(?=\s+\d)|(?<=\d )(?:{'|'.join(_MONTHS)})\b)"
    rf"|\b(?P<multiple>{'|'.join(_MULTIPLES)})\b"
    rf"|\b(?P<word>{'|'.join(sorted(_WORDS, key=len, reverse=True))})(?P<fold>fold)?\b"
    rf"|(?P<half>一半|\bhalf\b(?!-)|\bhalves\b|减半)",
    re.I | re.ASCII,  # ASCII: a Chinese character next to a number is not part of its word
)
_TRIVIAL = frozenset("01")  # as in "one of" or 一个, which count nothing
_UNIT = re.compile("|".join(f"(?P<u{n}>{pattern})" for n, (_, pattern) in enumerate(_UNITS)), re.ASCII)
_SCALE = re.compile("|".join(f"(?P<s{n}>{pattern})" for n, (pattern, _) in enumerate(_SCALES)), re.ASCII)
_NARROW = str.maketrans("０１２３４５６７８９．", "0123456789.")


@lru_cache(maxsize=8192)
def amounts(text: str) -> tuple[Amount, ...]:
    """Extract the amounts of a text, in order. Digits in names (H100, int8, x86) are skipped.

    Args:
        text: Chinese or English text.

    >>> [(a.value, a.unit) for a in amounts("up to 1.80x, 百分之三十 and two million rows of 2.10")]
    [('1.8', 'x'), ('30', '%'), ('2000000', ''), ('2.10', '')]
    """
    return tuple(_amounts(text.translate(_NARROW)))


def _amounts(text: str) -> Iterator[Amount]:
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if match["date"]:
            year, month, day = match["date"].split(match["dash"])
            yield Amount(year, "year", start, end)
            yield Amount(str(int(month)), "month", start, end)
            yield Amount(str(int(day)), "day", start, end)
        elif match["hundredth"]:
            value = match["hundredth"]
            yield Amount(_plain(value if value[0].isdigit() else _han(value)), "%", start, end)
        elif match["tenth"]:
            tenth = match["tenth"]
            yield Amount(str(10 * (int(tenth) if tenth.isdigit() else _HAN_DIGITS[tenth])), "%", start, end)
        elif match["month"]:
            key = match["month"].lower().rstrip(".")[:3]
            yield Amount(str([name[:3] for name in _MONTHS].index(key) + 1), "month", start, end)
        elif match["multiple"]:
            yield Amount(_MULTIPLES[match["multiple"].lower()], "x", start, end)
        elif match["half"] or match["fraction"]:
            yield Amount("50", "%", start, end)
        elif match["fold"]:
            yield Amount(str(_WORDS[match["word"].lower()]), "x", start, end)
        else:
            digits = match["digits"]
            word = match["word"]
            value = digits.replace(",", "").replace("，", "") if digits else ""
            value = value or (str(_WORDS[word.lower()]) if word else _han(match["han"]))
            yield from _measured(text, value, start, end, written=bool(digits))


def _measured(text: str, value: str, start: int, end: int, *, written: bool) -> Iterator[Amount]:
    """Yield the amount of a number, applying the scale and the unit that follow it."""
    scale = _SCALE.match(text, end + (text[end : end + 1] in (" ", "\t")))
    if scale and scale.lastgroup:
        value = _shifted(value, _SCALES[int(scale.lastgroup[1:])][1])
        end = scale.end()
    unit = _UNIT.match(text, end) or _UNIT.match(text, end + 1 if text[end : end + 1] == " " else end)
    if unit and unit.lastgroup:
        yield Amount(_plain(value), _UNITS[int(unit.lastgroup[1:])][0], start, unit.end())
    elif scale or "." not in value:
        if written or value not in _TRIVIAL:
            yield Amount(_plain(value), "", start, end)
    else:
        yield Amount(value, "", start, end)  # a version or a bare decimal


def _plain(value: str) -> str:
    """Remove redundant zeros from a number."""
    if value.count(".") > 1:
        return value
    whole, _, rest = value.partition(".")
    rest = rest.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{rest}" if rest else "")


def _shifted(value: str, places: int) -> str:
    """Multiply a number by a power of ten."""
    whole, _, rest = value.partition(".")
    rest = rest.ljust(places, "0")
    return f"{whole}{rest[:places]}" + (f".{rest[places:]}" if rest[places:] else "")


def _han(number: str) -> str:
    """Convert a Chinese number below ten thousand to digits.

    >>> _han("十二"), _han("二十"), _han("一百零五"), _han("两"), _han("一点五")
    ('12', '20', '105', '2', '1.5')
    """
    whole, _, rest = number.partition("点")
    total = 0
    digit = 0
    for sign in whole:
        if sign in _HAN_PLACES:
            total += (digit or 1) * _HAN_PLACES[sign]
            digit = 0
        else:
            digit = _HAN_DIGITS[sign]
    fraction = "".join(str(_HAN_DIGITS[sign]) for sign in rest)
    return f"{total + digit}.{fraction}" if rest else str(total + digit)
