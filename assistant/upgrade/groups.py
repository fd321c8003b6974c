"""Grouping of findings for people: by file, then by what is used."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assistant.upgrade.finding import Finding


@dataclass(frozen=True, slots=True)
class Group:
    """The findings of one symbol.

    Attributes:
        first: the first of them, which stands for what they have in common.
        findings: all of them, by place.
    """

    first: Finding
    findings: tuple[Finding, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """Where they are in their file: lines, or cell and line."""
        places = (each.place for each in self.findings)
        return tuple(dict.fromkeys(f"[{p.cell}]:{p.line}" if p.cell else str(p.line) for p in places))


def by_file(findings: Iterable[Finding]) -> dict[str, list[Group]]:
    """Group the findings that are more than possible by file, then by symbol.

    Args:
        findings: findings, most serious first.

    Returns:
        Files with the most serious findings first.
    """
    found: dict[str, list[Finding]] = {}
    for each in findings:
        if each.certainty != "name":
            found.setdefault(each.place.file, []).append(each)
    return {file: by_symbol(of_file) for file, of_file in found.items()}


def by_symbol(findings: Iterable[Finding]) -> list[Group]:
    """Group all findings by symbol, over all files.

    Args:
        findings: findings, most serious first.
    """
    found: dict[tuple[str, ...], list[Finding]] = {}
    for each in findings:
        found.setdefault((each.symbol, each.kind, each.certainty, each.source, each.quote), []).append(each)
    return [_group(each) for each in found.values()]


def possible(findings: Iterable[Finding]) -> list[Group]:
    """Group the findings that are only possible by symbol, over all files.

    Args:
        findings: all findings.
    """
    return by_symbol(each for each in findings if each.certainty == "name")


def _group(findings: list[Finding]) -> Group:
    return Group(findings[0], tuple(findings))
