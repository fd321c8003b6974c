"""Matching of uses with the changes of the notes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from assistant.upgrade.finding import CERTAINTIES, KINDS, Certainty
from assistant.upgrade.patterns import Pattern, same_value
from assistant.upgrade.uses import Use
from ingest.release import Release

Patterns = Mapping[str, tuple[Pattern, ...]]

_DISTINCTIVE = 7  # characters of a method's name that few other classes have


@dataclass(frozen=True, slots=True)
class Match:
    """A use that a change concerns.

    Attributes:
        use: the use.
        pattern: what it matches.
        certainty: see `finding.CERTAINTIES`.
    """

    use: Use
    pattern: Pattern
    certainty: Certainty


def members_of(patterns: Patterns) -> dict[str, tuple[Pattern, ...]]:
    """Return the patterns of methods by the name of the method, those that tell enough by themselves.

    Args:
        patterns: patterns by full name.
    """
    found: dict[str, tuple[Pattern, ...]] = {}
    for path, each in patterns.items():
        owner, _, member = path.rpartition(".")
        if _is_class(owner) and "_" in member and not member.startswith("__") and len(member) >= _DISTINCTIVE:
            found[member] = found.get(member, ()) + each
    return found


def matches(uses: Iterable[Use], patterns: Patterns) -> Iterator[Match]:
    """Yield the uses that changes concern; of several changes with one effect, one is told.

    Args:
        uses: uses of a file.
        patterns: patterns by full name.
    """
    members = members_of(patterns)
    for use in uses:
        found = [*_of_members(use, members)] if use.member else [*_of_names(use, patterns)]
        best: dict[tuple[str, str], Match] = {}
        for each in found:
            pattern = each.pattern
            # Of a name and the modules that contain it, one is told; an argument is another matter.
            key = (pattern.path, pattern.keyword) if pattern.keyword or pattern.case else ("", "")
            if key not in best or _order(each) < _order(best[key]):
                best[key] = each
        for (path, _), each in best.items():
            # A default matters beyond the name that goes: the call by another name has it too.
            if not path or ("", "") not in best or each.pattern.kind == "default":
                yield each


def _order(match: Match) -> tuple[int, int, int, tuple[int, int]]:
    """Sort key: sure, serious, exact; of deprecations the first note, of defaults the last."""
    pattern = match.pattern
    release = Release.parse(pattern.change.release)
    at = (-release.major, -release.minor) if pattern.kind == "default" else (release.major, release.minor)
    return CERTAINTIES.index(match.certainty), KINDS.index(pattern.kind), -len(pattern.path), at


def _of_names(use: Use, patterns: Patterns) -> Iterator[Match]:
    for number, name in enumerate(use.names):
        for path in _prefixes(name):
            for pattern in patterns.get(path, ()):
                if path != name and (pattern.keyword or pattern.case or pattern.change.unless):
                    continue  # an attribute of a function or class is another thing
                inherited = number > 0 and not use.defined and "." not in name[len(path) :]
                if (certainty := _certainty(use, pattern, inherited=inherited)) is not None:
                    yield Match(use, pattern, certainty)


def _prefixes(name: str) -> Iterator[str]:
    """Yield a name and the names that contain it, longest first."""
    while "." in name:
        yield name
        name = name.rpartition(".")[0]


def _certainty(use: Use, pattern: Pattern, *, inherited: bool) -> Certainty | None:
    """Return how certain a change concerns a use, None if it does not."""
    if pattern.raised and not use.catching:
        return None
    if pattern.case and use.imported:
        return None  # the use tells whether it is in the case
    # Whoever overrides a method loses nothing but by torch, which calls those that are named as callbacks.
    overrides = use.defined and not use.names[0].rpartition(".")[2].startswith("on_")
    plain: Certainty = "name" if pattern.case or overrides else "sure" if use.sure else "likely"
    given = dict(use.arguments)
    unless = pattern.change.unless
    if unless and not _leaves_out(use, unless):
        return None
    if not pattern.keyword:
        # Through a base class or a value members count, as `scheduler.print_lr`, not the class itself, which
        # is told where it is named.
        by_member = inherited or use.owned or use.defined
        return plain if not by_member or _is_class(pattern.path.rpartition(".")[0]) else None
    if use.call is None:
        return None
    value = given.get(pattern.keyword)
    if value is None:
        absent = pattern.kind == "default" or pattern.keyword in unless
        if absent and "" in given:
            return "name" if pattern.case else "likely"
        return plain if absent else None
    if pattern.case and isinstance(value, ast.Constant) and value.value is None:
        return None  # as if it were left out
    if not pattern.value:
        return None if pattern.kind == "default" else plain
    same = same_value(value, pattern.value)
    if same is None:
        return None if pattern.kind == "default" else "name"
    return plain if same else None


def _of_members(use: Use, members: Mapping[str, tuple[Pattern, ...]]) -> Iterator[Match]:
    """Yield what an attribute of an unknown value may be."""
    for pattern in members.get(use.names[0], ()):
        if pattern.keyword or (pattern.change.unless and not _leaves_out(use, pattern.change.unless)):
            continue
        if use.call is not None or isinstance(use.node, ast.Attribute):
            yield Match(use, pattern, "name")


def _leaves_out(use: Use, arguments: tuple[str, ...]) -> bool:
    """Return whether a use is a call that names none of some arguments."""
    return use.call is not None and not any(name in arguments for name, _ in use.arguments)


def _is_class(name: str) -> bool:
    return name.rpartition(".")[2][:1].isupper() or name.endswith(".profile")
