"""Recognises yes/no questions, in Chinese and English, by their form.

The form decides, not the topic: an auxiliary verb that opens the question or a clause of it, a Chinese particle
or a verb beside its negation. A question that also asks what, which or how, or between alternatives, has no
answer that begins with yes or no.
"""

from __future__ import annotations

import re

from ingest.language import HAN

_AUXILIARY = (
    r"(?:(?:am|is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|may|might|must)(?:n['’]?t)?"
    r"|won['’]t|can['’]?t|cannot)"
)
_SENTENCE = re.compile(r"(?<=[。！？!?\n；])\s*|(?<=[\w)`])\.\s+")
_EN = re.compile(
    rf"(?:^|[:,;]\s+|\b(?:so|and|but|then|also|ok|hey|hi)[, ]+){_AUXILIARY}\s+\w"
    r"|\b(?:right|true|correct|supported|fixed|safe|ok|doable|possible|allowed|yes or no)\s*\?*$"
    r"|\b(?:still|already)\b[^?]*\?$",
    re.I,
)
_EN_OTHER = re.compile(
    r"\b(?:what(?:['’]s)?|which|who|whom|whose|when|where|why|how)\b(?! (?:i|you|we|it|they)\b)|\bor\b", re.I
)
_ZH = re.compile(
    r"[吗么嘛](?:[？?。!！~,，]|\s*$)|吧\s*[？?]|是否|可否|能否|有无"
    rf"|(?:[了过来好行的用得成对持以])(?:没有?|不)\s*[？?。~]*\s*$|没有?\s*[？?]\s*$|(?P<verb>[{HAN}])[不没](?P=verb)|了\s*[？?]\s*$"
)
_ZH_OTHER = re.compile(
    r"什么|哪|怎么(?!了)|怎样|如何|咋|为何|为啥|啥|多少|几[个倍种项位成]|多[大久快]|谁|[，,、吗呢]\s*还是"
)
_HAS_HAN = re.compile(f"[{HAN}]")


def is_yes_no(text: str) -> bool:
    """Check whether a question can be answered by yes or no.

    Args:
        text: question with full-width characters folded.
    """
    if _HAS_HAN.search(text):
        return bool(_ZH.search(text) and not _ZH_OTHER.search(text))
    *_, last = (part for part in _SENTENCE.split(text.strip()) if part.strip() or part == text)
    return bool(_EN.search(last) and not _EN_OTHER.search(last))
