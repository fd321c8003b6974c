"""Questions with several parts: "How do I save a model, and does torch.jit still work?" asks two things.

The rule is plain: a question ends with a question mark or its sentence, and begins anew after a comma and a
conjunction where a word follows that opens a question.
"""

from __future__ import annotations

import re

MOST_PARTS = 3
_ENDS = re.compile(r"(?<=[?？。！!])\s*(?=\S)|(?<=\.)\s+(?=\S)|[;；]\s*")
_OPENS = (
    r"(?:(?:how|what|which|when|where|why|who|does|do|did|is|are|was|were|can|could|should|will|would|has|have)\b"
    r"|since when\b)"
)
_JOINED = re.compile(
    rf"[,，]?\s+(?:and|but|or)(?:\s+(?:also|then))?\s+(?={_OPENS})"
    r"|[,，]\s*(?:另外|还有|以及|同时|并且|而且|顺便问?一?下?|那么?)[,，]?\s*(?=\S)",
    re.I,
)
_ASKS_EN = re.compile(rf"^\W*{_OPENS}", re.I)
_ASKS_ZH = re.compile(
    r"吗|呢|什么|怎么|怎样|如何|哪|多少|几|为何|是否|能否|可否|有没有|能不能|是不是|要不要|可不可以"
)
_WORD = re.compile(r"[A-Za-z0-9_.]+|[\u4e00-\u9fff]")
_LEAST_WORDS = 4


def sub_questions(question: str) -> list[str]:
    """Return the questions that a question consists of, at most `MOST_PARTS`; none if it is one.

    Args:
        question: standalone question. What is no question in it, such as how it came about, is left out.
    """
    pieces = [piece.strip(" ,，") for end in _ENDS.split(question) for piece in _JOINED.split(end)]
    asking = [piece for piece in pieces if _asks(piece)]
    return asking[:MOST_PARTS] if len(asking) > 1 else []


def _asks(piece: str) -> bool:
    """Check whether a piece is a question with words of its own."""
    asks = piece.endswith(("?", "？")) or bool(_ASKS_EN.match(piece) or _ASKS_ZH.search(piece))
    return asks and len(_WORD.findall(piece)) >= _LEAST_WORDS
