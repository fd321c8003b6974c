"""Code between fences in messages, and the words around it."""

from __future__ import annotations

import html
import re
import unicodedata

_FENCED = re.compile(r"```(?P<code>.*?)```", re.S)
_LINK = re.compile(r"<(?P<target>https?://[^<>|]*|mailto:[^<>|]*)(?:\|(?P<label>[^<>]*))?>")
_HINT = re.compile(r"\s*(?:python3?|py)[ \t]*\n", re.I)


def snippet_in(raw: str) -> str:
    """Return the code between fences in a message, with its indentation; "" if there is none.

    Args:
        raw: text in Slack's format.

    >>> snippet_in("look: ```if a &lt; 2:\\n    pass```")
    'if a < 2:\\n    pass\\n'
    """
    found = (html.unescape(_LINK.sub(_shown, match["code"])) for match in _FENCED.finditer(raw))
    parts = (_HINT.sub("", each, count=1).strip("\n") for each in found)
    return "".join(f"{each}\n" for each in parts if each.strip())


def words_around(text: str) -> str:
    """Return what a message says outside of its code.

    Args:
        text: text as typed.
    """
    return " ".join(unicodedata.normalize("NFKC", _FENCED.sub(" ", text)).split())


def _shown(match: re.Match[str]) -> str:
    return match["label"] or match["target"]
