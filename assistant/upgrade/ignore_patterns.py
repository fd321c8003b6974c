"""Patterns of .gitignore files, matched in a bounded time.

Git itself takes a time that doubles with each `**/` of a pattern. Here a star never goes back once what
follows it has matched, as in `fnmatch`, and the work of all patterns together is counted: from where it is
used up, wildcards match nothing any more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

#: Comparisons of a wildcard with a short name; about three seconds of a slow processor.
MAX_WORK = 5_000_000
_LONG = 256  # characters of the pattern times those of the name, as in a comparison of short ones
_COMPILE = 16  # comparisons that take as long as the compilation of one character
_ANY = None  # in place of a component: any number of folders
_CLASSES = {
    "alnum": r"a-zA-Z0-9",
    "alpha": r"a-zA-Z",
    "blank": r"\ \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": r"0-9",
    "graph": r"\x21-\x7e",
    "lower": r"a-z",
    "print": r"\x20-\x7e",
    "punct": r"\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e",
    "space": r"\ \t\n\r\f\v",
    "upper": r"A-Z",
    "xdigit": r"a-fA-F0-9",
}
_NEVER = r"(?!)"


@dataclass
class MatchingCost:
    """What all patterns of a listing have cost.

    Attributes:
        done: comparisons.
    """

    done: int = 0

    @property
    def used_up(self) -> bool:
        """Whether no more may be done."""
        return self.done >= MAX_WORK


@dataclass
class _Rule:
    """A pattern with a wildcard.

    Attributes:
        text: the pattern without marks at its ends.
        order: number of its line.
        negated: whether it includes again.
        folders: whether it is of folders alone.
        anchored: whether it is compared with the path, in contrast to the name.
        components: expressions of its components, None until it is compared for the first time.
    """

    text: str
    order: int
    negated: bool
    folders: bool
    anchored: bool
    components: list[re.Pattern[str] | None] | None = None

    def matches(self, name: str, work: MatchingCost) -> bool:
        """Return whether it matches a name or a path."""
        if self.components is None:
            work.done += _COMPILE * len(self.text)
            self.components = _components(self.text.split("/") if self.anchored else [self.text])
        work.done += 1 + len(self.text) * len(name) // _LONG
        return _match(self.components, name.split("/") if self.anchored else [name])


@dataclass
class Patterns:
    """The patterns of one .gitignore file.

    Attributes:
        exact: order and effect of patterns without wildcards: by path or name, whether it is anchored, and
            whether it is of folders alone. Of equal ones the last counts.
        rules: those with wildcards, the last first.
    """

    exact: dict[tuple[str, bool, bool], tuple[int, bool]] = field(default_factory=dict)
    rules: list[_Rule] = field(default_factory=list)

    def verdict(self, path: str, folder: bool, work: MatchingCost) -> bool | None:
        """Return whether a path is left out, None if no pattern tells.

        Args:
            path: path relative to the folder of the file, with forward slashes.
            folder: whether it is a folder.
            work: what the patterns have cost, which grows.
        """
        name = path.rpartition("/")[2]
        found = [
            self.exact[key]
            for key in ((path, True, False), (path, True, True), (name, False, False), (name, False, True))
            if key in self.exact and (folder or not key[2])
        ]
        order, negated = max(found, default=(-1, False))
        for rule in self.rules:
            if rule.order < order or work.used_up:
                break
            if (folder or not rule.folders) and rule.matches(path if rule.anchored else name, work):
                order, negated = rule.order, rule.negated
                break
        return None if order < 0 else not negated


def patterns_in(text: str) -> Patterns:
    """Return the patterns of a text.

    Args:
        text: the lines of a .gitignore file.
    """
    patterns = Patterns()
    for order, line in enumerate(text.split("\n")):
        pattern = _without_blanks(line.removesuffix("\r"))
        if not pattern or pattern.startswith("#"):
            continue
        negated = pattern.startswith("!")
        pattern = pattern.removeprefix("!") if negated else pattern
        folders = pattern.endswith("/")
        pattern = pattern.removesuffix("/")
        anchored = "/" in pattern
        pattern = pattern.removeprefix("/")
        plain = re.sub(r"\\(.)", r"\1", pattern)
        if not re.search(r"[*?\[]", re.sub(r"\\.", "", pattern)) and not pattern.endswith("\\"):
            patterns.exact[plain, anchored, folders] = order, negated
        elif pattern:
            patterns.rules.append(_Rule(pattern, order, negated, folders, anchored))
    patterns.rules.reverse()
    return patterns


def _without_blanks(line: str) -> str:
    """Return a line without the blanks at its end that no backslash keeps."""
    kept = line.rstrip(" ")
    escapes = len(kept) - len(kept.rstrip("\\"))
    return kept + " " if escapes % 2 and kept != line else kept


def _match(components: list[re.Pattern[str] | None], parts: list[str]) -> bool:
    """Return whether components match all parts of a path; only the last `**` is ever tried again."""
    at = part = 0
    again: tuple[int, int] | None = None
    while part < len(parts):
        component = components[at] if at < len(components) else None
        if component is not None and component.fullmatch(parts[part]):
            at, part = at + 1, part + 1
        elif at < len(components) and component is _ANY:
            again = (at + 1, part)
            at += 1
        elif again is not None:
            again = (again[0], again[1] + 1)
            at, part = again
        else:
            return False
    return all(each is _ANY for each in components[at:])


def _components(parts: list[str]) -> list[re.Pattern[str] | None]:
    """Return the expressions of the components of a pattern; `**` is None."""
    found: list[re.Pattern[str] | None] = []
    for number, part in enumerate(parts):
        if len(parts) > 1 and len(part) > 1 and not part.strip("*"):
            found += [_ANY] if found[-1:] != [_ANY] else []
            if number == len(parts) - 1:  # what is inside, without the folder itself
                found.append(re.compile(".+", re.S))
        else:
            found.append(re.compile(_expression(part)))
    return found


def _expression(glob: str) -> str:
    r"""Return the expression of a component.

    `(?=(.*?x))\1` takes what follows a star at its first place, and nothing else is tried.
    """
    pieces = [""]
    at = 0
    while at < len(glob):
        if glob[at] == "*":
            while glob[at : at + 1] == "*":
                at += 1
            pieces.append("")
            continue
        one, at = _character(glob, at)
        pieces[-1] += one
    first, *rest = pieces
    if not rest:
        return f"(?s:{first})"
    *middle, last = rest
    held = "".join(f"(?=(.*?{piece}))\\{number}" for number, piece in enumerate(middle, 1))
    return f"(?s:{first}{held}.*{last})"


def _character(glob: str, at: int) -> tuple[str, int]:
    """Return the expression of what stands at a place for one character, and the place after it."""
    sign = glob[at]
    if sign == "?":
        return ".", at + 1
    if sign == "\\":
        return (re.escape(glob[at + 1]), at + 2) if at + 1 < len(glob) else (_NEVER, at + 1)
    if sign != "[":
        return re.escape(sign), at + 1
    at += 1
    negated = glob[at : at + 1] in ("!", "^")
    at += negated
    inside = ""
    first = True
    while first or glob[at : at + 1] != "]":
        if at >= len(glob):
            return _NEVER, len(glob)  # no end: git matches nothing
        named = re.match(r"\[:([a-z]*):\]", glob[at:])
        if named:
            if named[1] not in _CLASSES:
                return _NEVER, len(glob)
            inside += _CLASSES[named[1]]
            at += named.end()
        else:
            low, at = _literal(glob, at)
            high = low
            if glob[at : at + 1] == "-" and glob[at + 1 : at + 2] not in ("", "]"):
                high, at = _literal(glob, at + 1)
            if low <= high:
                inside += f"{re.escape(low)}-{re.escape(high)}"
        first = False
    if not inside:
        return ("." if negated else _NEVER), at + 1
    return f"[{'^' if negated else ''}{inside}]", at + 1


def _literal(glob: str, at: int) -> tuple[str, int]:
    """Return a character of a set, which a backslash may escape, and the place after it."""
    if glob[at] == "\\" and at + 1 < len(glob):
        return glob[at + 1], at + 2
    return glob[at], at + 1
