"""Comments of C++ and of build files, taken out of a text that is searched."""

from __future__ import annotations

import re

from assistant.upgrade.source_files import FileKind

#: Comments, and the strings and characters that may hold their marks, up to the end of a line.
_CPP = re.compile(
    r"""//(?:[^\n\\]|\\[^\n])*|/\*.*?(?:\*/|\Z)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?""", re.S
)
_LINE = re.compile(r"^[ \t]*#.*", re.M)
_SEEN = re.compile(r"[^\n]")


def without_comments(text: str, kind: FileKind) -> str:
    """Return a text with blanks in place of comments, so that lines and columns stay.

    Args:
        text: the text.
        kind: kind of its file; of those that are no C++ only lines that are comments are taken out.
    """
    if kind == "cpp":
        return _CPP.sub(lambda found: found[0] if found[0][0] in "\"'" else _SEEN.sub(" ", found[0]), text)
    return _LINE.sub(lambda found: " " * len(found[0]), text)
