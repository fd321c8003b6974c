"""Chinese text: detection, and the key points of a Chinese sentence in English."""

from __future__ import annotations

import re

from corpus.glossary import Glossary
from ingest.code_spans import code_spans
from ingest.language import HAN
from ingest.markup import inline_text, reading_text

_HAN = re.compile(f"[{HAN}]")


_LETTER = re.compile(f"[A-Za-z{HAN}]")


_HAN_SHARE = 1 / 6

_MESSAGE = 40  # characters; a longer code span of several words is a message, such as a warning

_FACT = re.compile(
    r"(?<![\w.])\d+(?:[.,]\d+)*(?:\s*(?:[-–~～]|到|至)\s*\d+(?:[.,]\d+)*)?\s*(?:%|％|x\b|倍|[GMK]B\b|ms\b|[BMK]\b)?"
    r"|`[^`]+`|[A-Za-z_]\w*(?:(?:\.|::|-|/|\+|[ ](?=[A-Za-z]))\w+)*(?:\+\+)?",
    re.ASCII,
)


def is_chinese(text: str, *, with_code: bool = False) -> bool:
    """Check whether a text is Chinese.

    A sixth of its letters being Chinese characters is enough, since names stay English. A message quoted as
    code does not count.

    Args:
        text: text in Markdown.
        with_code: whether code counts as well.
    """
    own = text
    for span in () if with_code else reversed(list(code_spans(text))):
        if span.end - span.start > _MESSAGE and " " in span.content(text):
            own = own[: span.start] + own[span.end :]
    return len(_HAN.findall(own)) >= _HAN_SHARE * len(_LETTER.findall(own))


def key_points(sentence: str, glossary: Glossary) -> str:
    """Extract the names and figures of a Chinese sentence, in English.

    Args:
        sentence: Chinese sentence in Markdown.
        glossary: English names of Chinese terms.

    Returns:
        Names and figures in order without duplicates, joined by " · ".

    >>> key_points("性能提升高达 1.6 倍（A100）", load_glossary())
    '1.6x · A100'
    """
    text = inline_text(reading_text(sentence))
    found: list[tuple[int, str]] = [(m.start(), _english(m[0])) for m in _FACT.finditer(text)]
    found += [(start, term.en) for start, term in glossary.locate(text) if _HAN.search(text[start])]
    ordered = dict.fromkeys(part for _, part in sorted(found) if part.strip())
    return " · ".join(ordered)


def _english(fact: str) -> str:
    fact = re.sub(r"\s*(?:到|至|～)\s*", "-", fact.strip())
    return re.sub(r"\s*倍", "x", fact).replace("％", "%")
