"""Recognition of deprecation notices in torch's docstrings, warnings and errors."""

from __future__ import annotations

import re

_LONGEST = 300  # characters of a sentence
_ARGUMENTS = re.compile(
    r"^[ \t]*(?:Args|Arguments|Parameters|Keyword args|Keyword arguments|Attributes)\s*:", re.M
)
_DIRECTIVE = re.compile(r"\.\. deprecated::(?P<said>.*?)(?:\n\s*\n|\Z)", re.S)
#: Unindented blocks: a Sphinx directive, or a heading with an indented paragraph.
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
#: Text allowed before the subject of a sentence; conditions are about a use, not the object itself.
_LEAD = r"(?:(?!if\b|when\b|where\b|unless\b|while\b|for\b)[^.,]*, )?(?:the )?"
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")


def deprecation_in(documentation: str, name: str) -> str:
    """Find the sentence in a docstring that calls the documented object deprecated.

    Text below the arguments is about them, and sentences with another subject are about that. Unindented
    warnings and notes are about the object, even below the arguments.

    Args:
        documentation: docstring without indentation.
        name: name of the object, in full or its last part.

    Returns:
        The sentence, "" if there is none.
    """
    start = _ARGUMENTS.search(documentation)
    opening = documentation[: start.start()] if start else documentation
    if directive := _DIRECTIVE.search(opening):
        return _plain(directive["said"]) or "deprecated"
    below = [block["said"] for block in _BLOCK.finditer(documentation, len(opening))]
    return next((said for text in (opening, *below) if (said := deprecation_told(text, name))), "")


def deprecation_told(text: str, name: str, *, this: bool = True) -> str:
    """Find the sentence in a text that says that a name is deprecated.

    Args:
        text: prose of a warning or a docstring.
        name: name, in full or its last part; the text may use it with or without module.
        this: "this function" and the like, and "Deprecated" without a subject, refer to the name.

    Returns:
        The sentence, "" if there is none.
    """
    subject = rf"(?:[\w.]+(?:\(\))? and )?(?:[\w.]*\.)?{re.escape(name.rpartition('.')[2])}(?:\([^)]*\))?"
    if not this:
        subject = re.escape(name)
    own = rf"{_LEAD}(?:{f'this (?:{_KINDS})|' if this else ''}{subject}){_BECAME}"
    told = re.compile(rf"{own}|\W*deprecated\b" if this else own, re.I)
    return next((said for said in map(_plain, _SENTENCE.split(text)) if told.match(said)), "")


def removal_in(error: str) -> str:
    """Return the message of an error if it is about deprecation or removal.

    Args:
        error: message of the error.

    Returns:
        The message as one line, "" for other errors.
    """
    return _plain(error) if _DEPRECATED.search(error) or _REMOVED.search(error) else ""


def speaks_of_deprecation(category: str, message: str) -> bool:
    """Return whether a warning is about deprecation.

    Args:
        category: class name of the warning.
        message: message of the warning.
    """
    return category.endswith("DeprecationWarning") or bool(_DEPRECATED.search(message))


def may_mean(name: str, message: str) -> bool:
    """Return whether a warning raised when a name was accessed may be about that name.

    Args:
        name: full name.
        message: message of the warning.

    Returns:
        False if the first torch name in the message is neither the name nor a module that contains it: then a
            module that
        was imported uses something deprecated.
    """
    dotted = next((match[0] for match in _NAME.finditer(message) if match[0].startswith("torch.")), "")
    return not dotted or f"{name}.".startswith(f"{dotted}.")


def is_subject(name: str, message: str) -> bool:
    """Return whether a deprecation warning is about a name, which is then the first torch name in it.

    Later names may be replacements.

    Args:
        name: full name.
        message: message of the warning.
    """
    dotted = [match[0] for match in _NAME.finditer(message) if match[0].startswith("torch.")]
    if dotted:
        return dotted[0] == name
    before = message[: found.start()] if (found := _DEPRECATED.search(message)) else ""
    return bool(re.match(rf"\W*{re.escape(name.rpartition('.')[2])}(?!\w)", before))


def _plain(text: str) -> str:
    return " ".join(_ROLE.sub("", text).split())[:_LONGEST]
