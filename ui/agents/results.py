"""Results of the tools for coding agents: short, because an agent reads all of them.

They have no slots: the package mcp would take those for default values.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CitedSource:
    """A quoted source.

    Attributes:
        number: its mark in the text, such as 1 for [1].
        release: release that it is about.
        quote: its words.
        url: address of the original.
    """

    number: int
    release: str
    quote: str
    url: str


@dataclass(frozen=True)
class AskResult:
    """An answer.

    Attributes:
        text: Markdown, with marks [1], [2] at what the sources prove.
        declined: whether the notes do not answer; the text then says what was searched.
        sources: what the text cites.
        notices: what to know about how the answer came about.
        versions: of torchnotes, the index, the digests, the embedding model and the reader.
    """

    text: str
    declined: bool
    sources: list[CitedSource]
    notices: list[str]
    versions: dict[str, str]


@dataclass(frozen=True)
class FoundPassage:
    """A passage of the notes.

    Attributes:
        release: release that it is about.
        heading: headings that lead to it.
        status: status that its heading gives, such as "beta" or "breaking"; may be empty.
        url: address of the original.
        text: the passage as Markdown.
    """

    release: str
    heading: str
    status: str
    url: str
    text: str


@dataclass(frozen=True)
class SearchReply:
    """Passages, best first."""

    passages: list[FoundPassage]


@dataclass(frozen=True)
class HistoryStep:
    """A release that says something about a feature.

    Attributes:
        release: the release.
        date: its date as YYYY-MM-DD, may be empty.
        status: status in it, such as "prototype", "beta", "stable", "deprecated".
        quote: a sentence of the notes.
        url: address of the original.
    """

    release: str
    date: str
    status: str
    quote: str
    url: str


@dataclass(frozen=True)
class Feature:
    """A feature with its steps, oldest first."""

    name: str
    steps: list[HistoryStep]


@dataclass(frozen=True)
class HistoryResult:
    """The features of a name."""

    features: list[Feature]


@dataclass(frozen=True)
class ChangedItem:
    """A change between two releases.

    Attributes:
        group: "breaking", "deprecated", "changed" (another status), "new" or "additions".
        name: what changes.
        release: release that changes it.
        status: status since then.
        before: status before it, may be empty.
        quote: a sentence of the notes.
        url: address of the original.
    """

    group: str
    name: str
    release: str
    status: str
    before: str
    quote: str
    url: str


@dataclass(frozen=True)
class CompareResult:
    """Changes between two releases.

    Attributes:
        older, newer: the releases.
        changes: those asked for, by group, the oldest release first.
        total: number of all changes of each group.
        left_out: number of those asked for that are not listed.
    """

    older: str
    newer: str
    changes: list[ChangedItem]
    total: dict[str, int]
    left_out: int


@dataclass(frozen=True)
class CodeFinding:
    """Something in use that changes.

    Attributes:
        places: where it is used, as "file:line", the first of them.
        uses: number of uses.
        code: the line of the first use.
        symbol: what is used, such as "torch.load(weights_only=)".
        kind: effect of the change, such as "breaks", "default" or "deprecated".
        certainty: "sure", "likely", or "name": affected only in the case that the quote describes.
        release: release whose notes are quoted, empty if it is torch itself.
        removed_in: release that removes it, empty if none is named.
        quote: a sentence of the notes, or torch's own message.
        url: address of the original, empty for torch.
        replacement: what to use instead, may be empty.
        why: how a status changed, or what the code does by hand that something new does.
    """

    places: list[str]
    uses: int
    code: str
    symbol: str
    kind: str
    certainty: str
    release: str
    removed_in: str
    quote: str
    url: str
    replacement: list[str]
    why: str


@dataclass(frozen=True)
class UpgradeResult:
    """What an upgrade affects in code.

    Attributes:
        older, newer: the releases.
        older_from, newer_from: where they come from, such as "given" or "requirements.txt:3".
        findings: most serious first.
        counts: number of uses by kind; those of certainty "name" count as "possible".
        left_out: number of findings that are not listed.
        searched: what was searched, in words.
    """

    older: str
    newer: str
    older_from: str
    newer_from: str
    findings: list[CodeFinding]
    counts: dict[str, int]
    left_out: int
    searched: str
