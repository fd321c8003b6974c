"""What texts say of deprecation: documentation, warnings and errors of torch."""

from __future__ import annotations

import re

_LONGEST = 300  # characters of a sentence that is told
_ARGUMENTS = re.compile(
    r"^[ \t]*(?:Args|Arguments|Parameters|Keyword args|Keyword arguments|Attributes)\s*:", re.M
)
_DIRECTIVE = re.compile(r"\.\. deprecated::(?P<said>.*?)(?:\n\s*\n|\Z)", re.S)
_SENTENCE = re.compile(r"(?<=[.!])\s+|\n\s*\n|\.\. \w+::|^[ \t]*Warnings?:", re.M)
_ROLE = re.compile(r":[\w:]+:(?=`)|[`*]")
_DEPRECATED = re.compile(r"\bdeprecat", re.I)
_REMOVED = re.compile(r"\bremoved\b", re.I)
_THIS = r"this (?:function|method|class|module|api|decorator|context manager|feature|op|operator)"
_BECAME = (
    r"(?: (?:api|function|class|module|method))?"
    r" (?:is|are|was|(?:has|have|will) be(?:en)?) (?:now )?deprecated\b"
)
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


def deprecation_in(documentation: str, name: str) -> str:
    """The sentence of a documentation that calls the thing itself deprecated; "" where none does.

    What stands under its arguments is told of these, and what names another thing is told of that.

    Args:
        documentation: its docstring.
        name: the last part of its name.
    """
    start = _ARGUMENTS.search(documentation)
    opening = documentation[: start.start()] if start else documentation
    if directive := _DIRECTIVE.search(opening):
        return _plain(directive["said"]) or "deprecated"
    own = re.compile(
        rf"(?:{_THIS}|(?:[\w.]*\.)?{re.escape(name)}(?:\([^)]*\))?){_BECAME}|\W*deprecated\b", re.I
    )
    sentences = map(_plain, _SENTENCE.split(opening))
    return next((sentence for sentence in sentences if own.match(sentence)), "")


def removal_in(error: str) -> str:
    """The words of an error that say that something was deprecated or removed; "" of any other error."""
    return _plain(error) if _DEPRECATED.search(error) or _REMOVED.search(error) else ""


def speaks_of_deprecation(category: str, message: str) -> bool:
    """Whether a warning tells that something is deprecated or will go."""
    return category.endswith("DeprecationWarning") or bool(_DEPRECATED.search(message))


def is_subject(name: str, message: str) -> bool:
    """Whether a warning says of a name that it is deprecated: it is the first name of torch in it.

    What comes later may be what to use instead.
    """
    dotted = [match[0] for match in _NAME.finditer(message) if match[0].startswith("torch.")]
    if dotted:
        return dotted[0] == name
    before = message[: found.start()] if (found := _DEPRECATED.search(message)) else ""
    return bool(re.match(rf"\W*{re.escape(name.rpartition('.')[2])}(?!\w)", before))


def _plain(text: str) -> str:
    return " ".join(_ROLE.sub("", text).split())[:_LONGEST]
