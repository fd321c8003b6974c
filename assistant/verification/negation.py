"""Negation: whether a sentence tells plainly what its quotes negate.

The quote "does not run on Windows" contradicts "runs on Windows".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ingest.segment import stem

_ANSWER = re.compile(
    r"^\W*(?:no|yes|nope|yeah|不能|不会|不是|不行|不用|没有|不|是的|是|能|可以|会|有)\s*[,，:：。]\s*", re.I
)
_NEGATED = re.compile(
    r"(?:\b(?:not|no longer|never|cannot|can't|without|neither|nor|no|lacks?|fails? to|refuses? to"
    r"|unable to|stop(?:s|ped)?)\b|n['’]t\b)"
    r"(?P<en>(?:\s+(?:be|been|being|a|an|the|any|yet|to|it|its|this|that|more|have|has|longer|even|fully|also|necessarily|needed|only|you|yourself)\b)*"
    r"\s+`?(?P<word>[A-Za-z]\w*(?:\.\w+)*))"
    r"|(?:不再|不会|不能|不可|不得|不必|不用|没有|尚未|还未|无法|无需|无须|停止|拒绝|不|未|没|无)"
    r"(?:再|会|能|可|被|有|需要?|要|必)*(?P<zh>[\u4e00-\u9fff]{2})"
)
#: Words that contain a negation but negate no fact: 不同, "do not have to", 有没有.
_NO_NEGATION = re.compile(
    r"不(?:同|断|仅|只|过|管|论|但|妨|少|到|如|久|止|错|便)|未(?:来|知)|无(?:论|关|穷)|不可或缺|不得不"
    r"|(?P<verb>[有能会是])[没不](?P=verb)|是否"
    r"|不必|无需|无须|不需要|不要求|不用|\b(?:do|does|did)(?: not|n['’]t) (?:have|need) to\b"
    r"|\bneed(?: not|n['’]t)\b"
    r"|\bno (?:need|matter)\b|\bnot only\b",
    re.I,
)
_NEEDLESS = re.compile(
    r"不必|无需|无须|不需要|不要求|不用|(?:\bnot|n['’]t) (?:have|need) to\b|\bno need\b|\bor not\b", re.I
)
_PREFIXED = re.compile(r"\b(?:in(?=valid|correct|compatib)|un(?=support|safe|able|availab|known))(\w+)", re.I)


def opposed(text: str, quotes: Sequence[str]) -> str:
    """Find the word that quotes negate and a sentence tells plainly.

    If both negate something or call it unnecessary, nothing is reported, because paraphrases move negations
    about. A sentence that negates what its quotes tell plainly is left to the reader: most are paraphrases,
    as "no longer crashes" of "fixed a crash".

    Args:
        text: the sentence.
        quotes: plain text of its quotes, taken together.

    Returns:
        The stem of the word, or "" if there is none.
    """
    told = " ".join(quotes)
    text = _ANSWER.sub("", text)
    if (negated(text) or _NEEDLESS.search(text)) and (negated(told) or _NEEDLESS.search(told)):
        return ""
    plain = _NEGATED.sub(" ", told)
    return next((word for word in sorted(negated(told)) if _says(word, text) and not _says(word, plain)), "")


def negated(text: str) -> set[str]:
    """Return the words that a text negates, English words as stems.

    Args:
        text: Chinese or English text.
    """
    text = _NO_NEGATION.sub("　", text)
    found = {match["zh"] or stem(match["word"].casefold()) for match in _NEGATED.finditer(text)}
    return found | {stem(word.casefold()) for word in _PREFIXED.findall(text)}


def _says(word: str, text: str) -> bool:
    """Check whether a text contains a word, in any inflected form if English."""
    if not word.isascii():
        return text.count(word) > 0
    return any(stem(w) == word for w in re.findall(r"[a-z]\w*(?:\.\w+)*", text.casefold()))
