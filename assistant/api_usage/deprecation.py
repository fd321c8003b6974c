"""What texts say of deprecation: documentation, warnings and errors of torch."""

from __future__ import annotations

import re

_LONGEST = 300  # characters of a sentence that is told
_ARGUMENTS = re.compile(
    r"^[ \t]*(?:Args|Arguments|Parameters|Keyword args|Keyword arguments|Attributes)\s*:", re.M
)
_DIRECTIVE = re.compile(r"\.\. deprecated::(?P<said>.*?)(?:\n\s*\n|\Z)", re.S)
#: What stands out at the margin: a directive of Sphinx, or a heading with what is indented under it.
_BLOCK = re.compile(
    r"^(?:\.\. (?:warning|note|attention|important)|warnings?|notes?)::?(?P<said>.*(?:\n(?:[ \t].*)?)*)",
    re.M | re.I,
)
_SENTENCE = re.compile(r"(?<=[.!])\s+|\n\s*\n|\.\. \w+::|^[ \t]*(?:Warnings?|Notes?)::?", re.M)
_ROLE = re.compile(r":[\w:]+:(?=`)|[`*]")
_DEPRECATED = re.compile(r"\bdeprecat", re.I)
_REMOVED = re.compile(r"\bremoved\b", re.I)
_KINDS = (
    "function|method|class|module|api|decorator|context manager|feature|op|operator"
    "|package|namespace|location"
)
_BECAME = (
    rf"(?: (?:{_KINDS}))? (?:is|are|was|(?:has|have|will) be(?:en)?)"
    r"(?: now| being| going to be| in the process of being)? deprecated\b"
)
#: What may stand before the subject of a sentence; a condition tells of a use, not of the thing.
_LEAD = r"(?:(?!if\b|when\b|where\b|unless\b|while\b|for\b)[^.,]*, )?(?:the )?"
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


def deprecation_in(documentation: str, name: str) -> str:
    """Find the sentence of a documentation that calls the thing itself deprecated.

    What stands under its arguments is told of these, and what names another thing is told of that. A warning
    or a note at the margin is told of the thing, also below its arguments.

    Args:
        documentation: its docstring, without the indentation of the code.
        name: its name, in full or the last part.

    Returns:
        The sentence, "" where there is none.
    """
    start = _ARGUMENTS.search(documentation)
    opening = documentation[: start.start()] if start else documentation
    if directive := _DIRECTIVE.search(opening):
        return _plain(directive["said"]) or "deprecated"
    below = [block["said"] for block in _BLOCK.finditer(documentation, len(opening))]
    return next((said for text in (opening, *below) if (said := deprecation_told(text, name))), "")


def deprecation_told(text: str, name: str, *, this: bool = True) -> str:
    """Find the sentence of a text that says of a name that it is deprecated.

    Args:
        text: prose: of a warning, or of a documentation.
        name: in full or the last part; a text may write it with or without its module.
        this: "this function" and the like, and "Deprecated" without a subject, mean the name.

    Returns:
        The sentence, "" where there is none.
    """
    subject = rf"(?:[\w.]+(?:\(\))? and )?(?:[\w.]*\.)?{re.escape(name.rpartition('.')[2])}(?:\([^)]*\))?"
    if not this:
        subject = re.escape(name)
    own = rf"{_LEAD}(?:{f'this (?:{_KINDS})|' if this else ''}{subject}){_BECAME}"
    told = re.compile(rf"{own}|\W*deprecated\b" if this else own, re.I)
    return next((said for said in map(_plain, _SENTENCE.split(text)) if told.match(said)), "")


def removal_in(error: str) -> str:
    """Tell whether an error is that of a thing that was deprecated or removed.

    Args:
        error: its message.

    Returns:
        The message in one line, "" of any other error.
    """
    return _plain(error) if _DEPRECATED.search(error) or _REMOVED.search(error) else ""


def speaks_of_deprecation(category: str, message: str) -> bool:
    """Whether a warning tells that something is deprecated or will go."""
    return category.endswith("DeprecationWarning") or bool(_DEPRECATED.search(message))


def may_mean(name: str, message: str) -> bool:
    """Tell whether a warning that came when a name was reached may be about it.

    Args:
        name: in full.
        message: of the warning.

    Returns:
        False where the first name of torch in it is neither the name nor a module that it is in: a module
        that was imported for the name uses something that is deprecated.
    """
    dotted = next((match[0] for match in _NAME.finditer(message) if match[0].startswith("torch.")), "")
    return not dotted or f"{name}.".startswith(f"{dotted}.")


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
