"""Sentences in the form of advice: what to do about a change."""

from __future__ import annotations

import re

from assistant.text.markdown import shown_length

LONGEST_ADVICE = 190  # characters of a sentence that tells what to do
_ADVICE = re.compile(
    r"^(?:migration|to (?:migrate|keep|get|restore)|pass|use|call|set|replace|install|add|move|take"
    r"|delete|rebuild|write|name|choose|pin|drop|catch|put|rename|import|switch|build|compile|convert|keep|leave|upgrade)\b"
    r"|\binstead[.)]|请|改用|改为|改成|换成|替换|要恢复|如需|^(?:解决|迁移)办法",
    re.I,
)


def is_advice(text: str) -> bool:
    """Check whether a sentence has the words of advice, such as "Pass `strict=True` instead.".

    Args:
        text: a sentence.
    """
    return _ADVICE.search(text) is not None


def advises(text: str) -> bool:
    """Check whether a sentence is advice that is short enough to stand by itself.

    Args:
        text: a sentence.
    """
    return shown_length(text) <= LONGEST_ADVICE and is_advice(text)
