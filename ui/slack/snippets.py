"""Snippets of code in messages: what an upgrade of torch breaks in them, as a reply."""

from __future__ import annotations

import re

from assistant.query.release_mentions import mentions_in, release_of
from assistant.upgrade import words
from assistant.upgrade.finding import UpgradeReport
from assistant.upgrade.groups import Group, by_symbol
from assistant.upgrade.pasted import MAX_CODE, report_on_code
from assistant.upgrade.reading import mentions_torch
from assistant.upgrade.uses import parsed
from ingest.document import Language
from ingest.errors import TorchnotesError
from ingest.release import Release
from ui.shared.labels import READ_ORIGINAL
from ui.slack import bot_messages
from ui.slack.blocks import SlackMessage
from ui.slack.message_limits import context, messages, sections, shortened
from ui.slack.mrkdwn import Piece, escape, link, plain

_ABOUT_UPGRADE = re.compile(
    r"\b(?:upgrad|updat|migrat|port(?:ing)?\b|break|broke|deprecat|obsolete|outdated|affected|"
    r"still (?:work|run))|升级|升到|迁移|弃用|废弃|过时|不兼容|会坏|坏掉|还能用|受影响",
    re.I,
)
_LOOK = re.compile(r"\b(?:check|review|look at|scan|analy[sz]e)\b|检查|看看|看一下|查一下", re.I)
_OTHER = re.compile(
    r"\b(?:why|how|error|fails?|failing|nan|slow|explain|what does)\b|为什么|怎么|报错|错误|慢|解释", re.I
)
#: What may stand around the releases: "from 2.3 to 2.8".
_LITTLE = re.compile(r"\b(?:from|to|in|on|for|with|(?:py)?torch|v)\b|[从到至在的]|[\W_]", re.I)
_READ_HERE = 8_000  # characters, which Python's parser reads in a tenth of a second whatever they are
_MOST_GROUPS = 8
_MOST_LINES = 6
_FIRST = Release(1, 0)


def wants_findings(text: str) -> bool:
    """Return whether a message with code asks what an upgrade breaks in it: by its words, or without any.

    Args:
        text: what it says outside of the code.
    """
    bare = text
    for match in reversed(mentions_in(text)):
        bare = bare[: match.start()] + bare[match.end() :]
    if not _LITTLE.sub("", bare) or _ABOUT_UPGRADE.search(text):
        return True
    return _LOOK.search(text) is not None and _OTHER.search(text) is None


def is_torch_code(code: str) -> bool:
    """Return whether a text is Python that mentions torch; no traceback, output, or part of a statement.

    Of a long one only the latter is looked at: Python's parser can take minutes and gigabytes for it, so
    whether it is Python is told by the process that `findings_messages` leaves it to.

    Args:
        code: the text.
    """
    if not code or len(code) > MAX_CODE or not mentions_torch(code):
        return False
    if len(code) > _READ_HERE:
        return True
    try:
        return bool(parsed(code).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def findings_messages(text: str, code: str, language: Language) -> list[SlackMessage]:
    """Return what an upgrade breaks in code.

    Args:
        text: what the message says outside of the code; releases in it are those of the upgrade.
        code: the code.
        language: language of the reply.

    Raises:
        NotPythonError: the code is not valid Python.
        TorchnotesError: the releases make no upgrade, or reading the code takes too much time or memory.
    """
    older, newer = _releases(text)
    report = report_on_code(code, older, newer, language)
    groups = by_symbol(report.findings)
    counts = words.counts(report, language) or words.NOTHING[language]
    head = f"*torch {_from(report)} → {report.newer}* · {plain(counts)}"
    parts = [Piece(head), *(Piece(_group(each, language)) for each in groups[:_MOST_GROUPS])]
    if len(groups) > _MOST_GROUPS:
        more = bot_messages.MORE_FINDINGS[language].format(count=len(groups) - _MOST_GROUPS)
        parts.append(Piece(more))
    blocks = [*sections(parts), context(plain(words.searched(report.searched, language)))]
    title = shortened(f"torch {_from(report)} → {report.newer}: {counts}", 200)
    return [SlackMessage(title, each) for each in messages(blocks)]


def _releases(text: str) -> tuple[Release, Release | None]:
    """Return the releases that a message names: one is where the code is to run, two are from and to.

    Raises:
        TorchnotesError: there are more.
    """
    named = sorted({release_of(match) for match in mentions_in(text)})
    if len(named) > 2:
        told = ", ".join(map(str, named))
        raise TorchnotesError(f"the message names {told}; name the release you have and the one you go to")
    if not named:
        return _FIRST, None
    return (named[0], named[1]) if len(named) == 2 else (_FIRST, named[0])


def _from(report: UpgradeReport) -> str:
    return "…" if report.older == _FIRST else str(report.older)


def _group(group: Group, language: Language) -> str:
    first = group.first
    lines = ", ".join(group.lines[:_MOST_LINES]) + (", …" if len(group.lines) > _MOST_LINES else "")
    certainty = [bot_messages.ONLY_POSSIBLE[language]] if first.certainty == "name" else []
    facts = [plain(each) for each in (*certainty, *words.facts(first, language))]
    told = [f"*{words.KIND_NAMES[language][first.kind]}*", _span(first.symbol), *facts]
    rows = [f"• {bot_messages.LINES[language].format(lines=lines)} · {' · '.join(told)}"]
    source = f" {link(first.url, READ_ORIGINAL[language])}" if first.url else ""
    rows.append(f"{plain(' '.join(first.quote.split()))}{source}")
    if instead := words.instead(first, language, _span):
        rows.append(instead)
    return "\n".join(rows)


def _span(text: str) -> str:
    return f"`{escape(text).replace('`', '')}`"
