"""Remarks: messages that are no questions, and have short replies of their own."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from assistant.query.acts import Act, load_phrases, main_act

Remark = Literal["help", "hello", "who", "stop", "thanks"]

EMOJI = re.compile(r":[a-z0-9_+'-]+:")
_STOP = frozenset(
    "stop; stop it; stop please; please stop; be quiet; quiet; shut up; cancel; "
    "停; 停下; 停止; 别说了; 不要说了; 安静; 闭嘴; 取消".split("; ")
)
#: What acts of a conversation are here; others have no reply of their own in Slack.
_OF_ACTS: dict[Act, Remark] = {
    "help": "help",
    "greeting": "hello",
    "identity": "who",
    "thanks": "thanks",
}


def remark(text: str) -> Remark | None:
    """Return which remark a message consists of, None if it says something else.

    Args:
        text: text of the message, without mentions.

    >>> remark("Thanks! :tada:"), remark("你是谁？"), remark("help with FSDP2?")
    ('thanks', 'who', None)
    """
    words = re.sub(r"[^\w\s]", " ", EMOJI.sub(" ", unicodedata.normalize("NFKC", text)))
    if " ".join(words.split()).casefold() in _STOP:
        return "stop"
    covered = load_phrases().cover(EMOJI.sub(" ", text), opening=True)
    return _OF_ACTS.get(main_act(covered.acts)) if covered else None
