"""Search of C++, build, install and shell files for names, as text without its comments."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from assistant.upgrade.finding import Certainty, Kind
from assistant.upgrade.patterns import text_names_for
from assistant.upgrade.reading import rows_of
from assistant.upgrade.source_files import SourceFile
from corpus.changes import Change
from ingest.release import Release

SETUP_FILES = ("setup.py", "setup.cfg", "pyproject.toml")
#: Kinds of changes whose names are searched for, by kind of file.
_CHANGES = {
    "cpp": ("cpp",),
    "build": ("build",),
    "requirements": ("config",),
    "shell": ("shell", "build", "config"),
    "docker": ("shell", "build", "config"),
}
_LONGEST = 1_000  # characters of a line
#: Comments of C++, and the strings and characters that may hold their marks, up to the end of a line.
_CPP = re.compile(
    r"""//(?:[^\n\\]|\\[^\n])*|/\*.*?(?:\*/|\Z)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?""", re.S
)
_COMMENT_LINE = re.compile(r"^[ \t]*#.*", re.M)
_SEEN = re.compile(r"[^\n]")
_DECLARED = re.compile(r"\b(?:namespace|class|struct|enum)\s+(?:class\s+)?(?:\w+\s*::\s*)*(\w+)\s*(?=[{:])")


@dataclass(frozen=True, slots=True)
class TextMatch:
    """A name that a change concerns, in a text.

    Attributes:
        name: the name, as in `Change.names`.
        change: the change.
        kind: its effect.
        certainty: see `finding.CERTAINTIES`.
        line: line of the text, from 1.
        start, end: span in the line.
    """

    name: str
    change: Change
    kind: Kind
    certainty: Certainty
    line: int
    start: int
    end: int


class TextNames:
    """Names to search for in files that are not Python.

    Args:
        older, newer: releases of the upgrade.
    """

    def __init__(self, older: Release, newer: Release) -> None:
        self._names = {
            files: text_names_for(older, newer, files) for files in (("build",), *_CHANGES.values())
        }

    def matches(self, file: SourceFile, text: str, own: Collection[str]) -> Iterator[TextMatch]:
        """Yield the names in a file, at most one of each in a line.

        Args:
            file: the file.
            text: its text.
            own: names of C++ that the code base declares itself; they are only possible.
        """
        last = file.name.rpartition("/")[2]
        names = self._names.get(("build",) if last in SETUP_FILES else _CHANGES.get(file.kind, ()), [])
        if not any(name in text for name, _, _ in names):
            return
        bare = _without_comments(text, file)
        code = without_strings(text) if file.kind == "cpp" else bare
        for name, change, kind in names:
            searched = code if "::" in name else bare  # variables of the environment are named in strings
            if name not in searched:
                continue
            proves = name not in change.cases and ("::" in name or change.files == "config")
            certainty: Certainty = "likely" if proves and name.rpartition("::")[2] not in own else "name"
            whole = re.compile(rf"(?:(?<![\w:/.-])|(?<=-D)){re.escape(name)}(?![\w:])")
            for number, row in enumerate(rows_of(searched), 1):
                if len(row) < _LONGEST and (match := whole.search(row)):
                    yield TextMatch(name, change, kind, certainty, number, *match.span())


def declared_in(text: str) -> set[str]:
    """Return the namespaces and classes that C++ declares, by their last names.

    Args:
        text: the code.
    """
    return set(_DECLARED.findall(text))


def without_strings(text: str) -> str:
    """Return C++ with blanks in place of comments, strings and characters, so that lines and columns stay.

    Args:
        text: the code.
    """
    return _CPP.sub(lambda found: _SEEN.sub(" ", found[0]), text)


def _without_comments(text: str, file: SourceFile) -> str:
    """Return a text with blanks in place of comments; of files that are no C++ those of whole lines."""
    if file.kind == "cpp":
        return _CPP.sub(lambda found: found[0] if found[0][0] in "\"'" else _SEEN.sub(" ", found[0]), text)
    return _COMMENT_LINE.sub(lambda found: " " * len(found[0]), text)
