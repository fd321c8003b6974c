"""Statements made false: one word is exchanged for its opposite, or two names change places.

A statement that keeps every word and changes what they say of each other is what a proof misses most. Rows
written by hand are too few to teach it, so each true statement is also read with one thing turned round.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

#: Words that say the opposite, exchanged both ways: else a word alone would tell false from true.
_OPPOSITES = (
    ("increases", "decreases"),
    ("increased", "decreased"),
    ("raises", "lowers"),
    ("higher", "lower"),
    ("faster", "slower"),
    ("more", "less"),
    ("larger", "smaller"),
    ("longer than", "shorter than"),
    ("before", "after"),
    ("first", "last"),
    ("with", "without"),
    ("enables", "disables"),
    ("enabled", "disabled"),
    ("on by default", "off by default"),
    ("adds", "removes"),
    ("added", "removed"),
    ("starts", "stops"),
    ("accepts", "rejects"),
    ("allows", "forbids"),
    ("since", "until"),
    ("at least", "at most"),
    ("all", "some"),
    ("every", "only one"),
    ("only", "also"),
    ("always", "sometimes"),
    ("must", "need not"),
    ("required", "optional"),
    ("forward", "backward"),
    ("input", "output"),
    ("inside", "outside"),
    ("minimum", "maximum"),
    ("succeeds", "fails"),
    ("still", "no longer"),
    ("now", "no longer"),
    ("explicit", "implicit"),
    ("static", "dynamic"),
    ("True", "False"),
    ("增加", "减少"),
    ("提高", "降低"),
    ("更快", "更慢"),
    ("更多", "更少"),
    ("更高", "更低"),
    ("更大", "更小"),
    ("之前", "之后"),
    ("以前", "以后"),
    ("启用", "禁用"),
    ("默认开启", "默认关闭"),
    ("打开", "关闭"),
    ("新增", "移除"),
    ("支持", "不支持"),
    ("需要", "无需"),
    ("必须", "不必"),
    ("可以", "不可以"),
    ("能", "不能"),
    ("会", "不会"),
    ("允许", "禁止"),
    ("接受", "拒绝"),
    ("仍", "不再"),
    ("至少", "至多"),
    ("所有", "部分"),
    ("全部", "少数"),
    ("只", "也"),
    ("前向", "反向"),
    ("输入", "输出"),
    ("静态", "动态"),
    ("显式", "隐式"),
    ("成功", "失败"),
    ("最低", "最高"),
    ("优于", "不如"),
    ("有", "没有"),
    ("是", "不是"),
)
_PARTNERS = dict(_OPPOSITES) | {b: a for a, b in _OPPOSITES}
_WORDS = re.compile(
    "|".join(
        rf"(?<![A-Za-z_.`]){re.escape(word)}(?![A-Za-z_(=])" if word.isascii() else f"(?<!不){word}"
        for word in sorted(_PARTNERS, key=len, reverse=True)
    )
)
#: Chinese words that hold one of the above and are no judgement.
_FIXED_WORDS = re.compile(
    r"是否|不是|没有|还是|或是|但是|只有|还有|具有|所有|有[关些的]|现有|原有|已有|可能|性能|功能|只是|不会|不能"
)
_AFFIRMED = re.compile(r"\b(is|are|was|were|can|could|will|would|should|has been|have been) (?!not\b|no\b)")
_NEGATED = re.compile(
    r"\b(is|are|was|were|does|do|did|can|could|will|would|should|has|have)(?: not|n't) |\bcan(not) "
)
_NAME = re.compile(
    r"`[^`]+`|[A-Za-z_][\w]*(?:[._][\w]+)+(?:\(\))?|\b[A-Z][A-Za-z]*[A-Z0-9][A-Za-z0-9]*\b"
    r"|(?<=[a-z,] )[A-Z][a-z]+(?: \d+(?:\.\d+)*)?|\d+(?:\.\d+)*%?"
)
_SIDE_BY_SIDE = re.compile(r"(?:[\s,、，/和与及或+&]|and\b|or\b|as well as\b)*")
_TRIES = 4


def corrupted(text: str, generator: random.Random) -> str | None:
    """Return a statement that is false where the given one is true; None where no word of it can be turned.

    Args:
        text: a true statement.
        generator: draws what is turned.
    """
    ways: list[Callable[[str, random.Random], str | None]] = [_opposite, _opposite, _negated, _exchanged]
    generator.shuffle(ways)
    return next((false for way in ways if (false := way(text, generator)) and false != text), None)


def _opposite(text: str, generator: random.Random) -> str | None:
    fixed = [found.span() for found in _FIXED_WORDS.finditer(text)]
    places = [
        found
        for found in _WORDS.finditer(text)
        if not any(start <= found.start() < end and end - start > len(found[0]) for start, end in fixed)
    ]
    if not places:
        return None
    found = generator.choice(places)
    return text[: found.start()] + _PARTNERS[found[0]] + text[found.end() :]


def _negated(text: str, generator: random.Random) -> str | None:
    if negated := list(_NEGATED.finditer(text)):
        found = generator.choice(negated)
        return f"{text[: found.start()]}{found[1] or 'can'} {text[found.end() :]}"
    if affirmed := list(_AFFIRMED.finditer(text)):
        found = generator.choice(affirmed)
        word = found[1]
        told = f"{word.split()[0]} not been" if " " in word else "cannot" if word == "can" else f"{word} not"
        return f"{text[: found.start()]}{told} {text[found.end() :]}"
    return None


def _exchanged(text: str, generator: random.Random) -> str | None:
    names = list(_NAME.finditer(text))
    for _ in range(_TRIES if len(names) > 1 else 0):
        one, other = sorted(generator.sample(names, 2), key=lambda found: found.start())
        numbers = [found[0][0].isdigit() for found in (one, other)]
        between = text[one.end() : other.start()]
        if one[0] == other[0] or numbers[0] != numbers[1]:
            continue
        if _SIDE_BY_SIDE.fullmatch(_NAME.sub("", between)):  # the order of a list says nothing
            continue
        return text[: one.start()] + other[0] + between + one[0] + text[other.end() :]
    return None
