"""Negation: whether a sentence says the opposite of its quotes.

The quote "does not run on Windows" contradicts "runs on Windows": one negates what the other affirms.
Antonyms count too: "slower" contradicts quotes that contain only "faster".
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
_CLAUSE = re.compile(r"[^,;，。；]+")
_VALUE = re.compile(r"(?<![\w.])(?:True|False|None)(?![\w.]\w)")
_FIXED = re.compile(r"\bfix(?:es|ed|ing)?\b|修复|修正|修好|解决|纠正", re.I)
_PREFIXED = re.compile(r"\b(?:in(?=valid|correct|compatib)|un(?=support|safe|able|availab|known))(\w+)", re.I)
_OPPOSITES: tuple[tuple[str, str], ...] = (
    (r"\bfaster\b|\bquicker\b|\bspeeds? up\b|更快|加快|加速", r"\bslower\b|\bslows? down\b|更慢|变慢|减慢"),
    (
        r"\bincreas\w+|\bhigher\b|\bgrow\w*|\brais\w+|增加|提高|升高|增大|上升|增长",
        r"\bdecreas\w+|\breduc\w+|\blower\b|\bshrink\w*|减少|降低|减小|下降|缩短",
    ),
    (r"\bmore memory\b|更多(?:的)?(?:内存|显存)", r"\bless memory\b|更少(?:的)?(?:内存|显存)"),
    (
        r"\benabl(?:es?|ed|ing)\b|\bturn(?:s|ed)? on\b|启用|开启|打开",
        r"\bdisabl\w+|\bturn(?:s|ed)? off\b|禁用|关闭|关掉",
    ),
    (r"\bstill\b|仍然?|继续|依旧", r"\bno longer\b|\bnot\b.{0,20}\bany ?more\b|不再"),
    (r"\boutperform\w*|\bbeats?\b|优于|好于|胜过", r"\bworse\b|\bfalls? behind\b|不如|差于|逊于"),
    (r"\bat least\b|至少", r"\bat most\b|至多"),
    (r"\blarger\b|\bbigger\b|更大|变大", r"\bsmaller\b|更小|变小"),
    (r"\bnewer\b|更新的", r"\bolder\b|更旧|更老"),
    (r"\blonger\b|更长", r"\bshorter\b|更短"),
    (r"\bminimum\b|最低|最小", r"\bmaximum\b|最高|最大"),
    (r"\binvalid\b|无效", r"\bvalid\b|有效"),
    (
        r"(?<!drops )(?<!dropped )\bsupports?\b|\bsupported\b",
        r"\bunsupported\b|\bdrops? support\b|\bdropped support\b",
    ),
)
_PAIRS = tuple((re.compile(a, re.I), re.compile(b, re.I)) for a, b in _OPPOSITES)


def opposed(text: str, quotes: Sequence[str]) -> str:
    """Find the word by which a sentence contradicts its quotes.

    If both negate the same, or one calls something unnecessary and the other negates, nothing is reported,
    because paraphrases move negations about; nor where one tells of a fix, because "no longer crashes" is
    "fixed a crash". Antonyms are compared only if neither negates anything.

    Args:
        text: the sentence.
        quotes: plain text of its quotes, taken together.

    Returns:
        The word in the sentence, or the stem of the negated word; "" if there is no contradiction.
    """
    told = " ".join(quotes)
    text = _ANSWER.sub("", text)
    own, theirs_negated = negated(text), negated(told)
    needless = bool(_NEEDLESS.search(text)), bool(_NEEDLESS.search(told))
    both = (own or needless[0]) and (theirs_negated or needless[1])
    if own & theirs_negated or (both and any(needless)):
        return ""
    for one, other in _PAIRS if not own and not theirs_negated else ():
        for mine, theirs in ((one, other), (other, one)):
            found = mine.search(text)
            if found and not theirs.search(text) and theirs.search(told) and not mine.search(told):
                return found[0]
    if _FIXED.search(text) or _FIXED.search(told):
        return ""
    for word in own:
        if _says(word, _affirmed(told)) and not _says(word, _NEGATED.sub(" ", text)):
            return word
    for word in theirs_negated:
        if _says(word, _affirmed(text)) and not _says(word, _NEGATED.sub(" ", told)):
            return word
    return ""


def other_value(text: str, quotes: Sequence[str]) -> str:
    """Return the value True, False or None of a sentence that the nearest quote gives otherwise, or "".

    Args:
        text: the sentence.
        quotes: plain text of its quotes, nearest first.
    """
    own, told = set(_VALUE.findall(text)), set(_VALUE.findall(quotes[0])) if quotes else set()
    return next(iter(sorted(own - told)), "") if told and not own & told else ""


def negated(text: str) -> set[str]:
    """Return the words that a text negates, English words as stems.

    Args:
        text: Chinese or English text.
    """
    text = _NO_NEGATION.sub("　", text)
    found = {match["zh"] or stem(match["word"].casefold()) for match in _NEGATED.finditer(text)}
    return found | {stem(word.casefold()) for word in _PREFIXED.findall(text)}


def _affirmed(text: str) -> str:
    """Return a text without what follows a negation in its clause: "not tied to Python" affirms no Python."""
    text = _NO_NEGATION.sub("　", text)
    return _CLAUSE.sub(lambda clause: _NEGATED.split(clause[0], maxsplit=1)[0], text)


def _says(word: str, text: str) -> bool:
    """Check whether a text contains a word, in any inflected form if English."""
    if not word.isascii():
        return text.count(word) > 0
    return any(stem(w) == word for w in re.findall(r"[a-z]\w*(?:\.\w+)*", text.casefold()))
