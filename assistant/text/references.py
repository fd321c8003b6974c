"""Sentences that make no sense without the one before them, and those that only say whom a change hits."""

from __future__ import annotations

import re

_BEFORE = (
    r"(?:it|its|they|their|this|that|these|those|such|so|then|thus|hence|therefore|otherwise|both"
    r"|the (?:former|latter|same|other)|after that|before that|one (?:stance|option|way) is)\b"
    r"|它|其(?!他|余)|这|该|此(?!外)|那|因此|所以|于是|两者|二者|前者|后者|上述|否则|随后|然后|失败的原因"
)
_BESIDE = (
    r"(?:also|however|but|and|or|there|instead|in addition|besides|for example|for instance)\b"
    r"|但|不过|而|也|还|此外|另外|同时|例如|比如|同样|并且|反之"
)
_OPENS_BEFORE = re.compile(rf"[-*\s]*(?:{_BEFORE})", re.I)
_OPENS = re.compile(rf"[-*\s]*(?:{_BEFORE}|{_BESIDE})", re.I)
_WITHIN = re.compile(
    r"\b(?:therefore|on (?:these|those|such) \w+|such (?:a|an|fusion)|(?:of|in|for|with) (?:that|those|these)"
    r" (?:array|cases?|cards?|builds?|releases?))\b|下面的|如下|上面的",
    re.I,
)
_PAST = re.compile(
    r"[-*\s]*(?:(?:before|until|up to) (?:PyTorch )?\d|(?:在 ?)?PyTorch \d[\d.]* ?(?:以前|之前)"
    r"|以前|此前|过去)",
    re.I,
)
_CONCERNS = re.compile(r"[-*\s]*(?:this (?:also )?affects you|受影响的情况|受影响的(?:代码|用户))", re.I)


def refers_back(text: str) -> bool:
    """Check whether a sentence goes on from the one before it, so that it does not open an answer well.

    Args:
        text: a sentence.
    """
    return (_OPENS.match(text) or _WITHIN.search(text)) is not None and not says_whom(text)


def needs_antecedent(text: str) -> bool:
    """Check whether a sentence cannot be understood without the one before it, such as "Therefore ...".

    Args:
        text: a sentence.
    """
    return (_OPENS_BEFORE.match(text) or _WITHIN.search(text)) is not None and not says_whom(text)


def says_whom(text: str) -> bool:
    """Check whether a sentence says whom a change hits, by its symptoms.

    Args:
        text: a sentence.
    """
    return _CONCERNS.match(text) is not None


def tells_past(text: str) -> bool:
    """Check whether a sentence tells how something was before a release.

    Args:
        text: a sentence.
    """
    return _PAST.match(text) is not None
