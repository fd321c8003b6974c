"""Formatting of answers as Slack messages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assistant.answer import Answer
from ingest.document import Language
from ui.shared.labels import ASK_INSTEAD, COLON, DECLINED_BADGE, NEXT, WRITTEN_BY
from ui.slack import bot_messages as words
from ui.slack.message_limits import TEXT, Block, context, messages, sections, shortened
from ui.slack.mrkdwn import Piece, escape, joined, pieces, plain
from ui.slack.sources import nearest_pieces, quote_pieces, source_lines

ANSWERED = "torchnotes-"  # followed by the question's time stamp: id of an answer's first block
_MARK = re.compile(r"torchnotes(?:-[\d.]+)?[-_](?P<mark>[0-9a-z]+)[-_](?P<part>[0-9a-z]+)")
#: Suffix of a button's action_id.
QUOTES, NEAREST, OTHER, GOOD, BAD = "quotes", "nearest", "other", "good", "bad"
SHARE, HELP, DELETE = "share", "help", "delete"
ACTION = "torchnotes_"


@dataclass(frozen=True, slots=True)
class SlackMessage:
    """A Slack message.

    Attributes:
        text: text for notifications and screen readers.
        blocks: Block Kit blocks.
    """

    text: str
    blocks: list[Block]

    def to_dict(self) -> dict[str, Any]:
        """Return the arguments for the Web API."""
        return {"text": self.text, "blocks": self.blocks}


def marked(message: SlackMessage, mark: str, part: str, asked_at: str = "") -> SlackMessage:
    """Mark a message, so that it is found in Slack.

    Args:
        message: the message.
        mark: mark of its job, of digits and small letters.
        part: which message of the job it is.
        asked_at: time stamp of the question that it answers.
    """
    name = f"{ANSWERED}{asked_at}-{mark}-{part}" if asked_at else f"torchnotes_{mark}_{part}"
    first, *others = message.blocks
    return replace(message, blocks=[{**first, "block_id": name}, *others])


def all_marked(messages: Sequence[SlackMessage], mark: str, asked_at: str = "") -> list[dict[str, Any]]:
    """Mark the messages of a job, and return them as arguments for the Web API.

    Args:
        messages: the messages.
        mark: mark of the job.
        asked_at: time stamp of the question that they answer, by which threads are read.
    """
    return [
        marked(message, mark, str(number), asked_at if number == 0 else "").to_dict()
        for number, message in enumerate(messages)
    ]


def mark_of(message: Mapping[str, Any]) -> tuple[str, str]:
    """Return mark and part of a message in Slack, "" and "" if it has none.

    Args:
        message: the message.
    """
    for block in message.get("blocks") or ():
        if match := _MARK.fullmatch(str(block.get("block_id") or "")):
            return match["mark"], match["part"]
    return "", ""


def answer_messages(
    answer: Answer, kept: str, lead: str = "", extra: Sequence[str] = ()
) -> list[SlackMessage]:
    """Format an answer, with sources and buttons below the last message.

    Args:
        answer: the answer.
        kept: id under which the data for its buttons is stored.
        lead: mrkdwn shown above everything else.
        extra: suffixes of further buttons.
    """
    language = answer.language
    blocks = [context(text) for text in (lead, _state(answer)) if text]
    blocks += sections(pieces(answer.text)) + sections(source_lines(answer))
    blocks += [context(text) for text in (*_origin(answer), _next(answer)) if text]
    if answer.citations or not answer.act:  # small talk is neither rated nor told in another language
        blocks.append(_buttons(answer, kept, language, extra))
    return _messages(blocks, joined(pieces(answer.text)))


def quote_messages(answer: Answer) -> list[SlackMessage]:
    """Format the quotes of an answer; no messages if there are none.

    Args:
        answer: the answer.
    """
    return _titled(words.QUOTES_OF[answer.language], quote_pieces(answer))


def nearest_messages(answer: Answer) -> list[SlackMessage]:
    """Format the sections that are nearest to the question.

    Args:
        answer: the answer.
    """
    return _titled(words.NEAREST[answer.language], nearest_pieces(answer))


def line_message(line: str) -> SlackMessage:
    """Format a single line, such as an error.

    Args:
        line: plain text.
    """
    text = shortened(plain(" ".join(line.split())), TEXT)
    return SlackMessage(text, [*sections([Piece(text)])])


def text_message(text: str) -> SlackMessage:
    """Format one of the bot's own texts, which may have several lines.

    Args:
        text: mrkdwn.
    """
    return SlackMessage(shortened(text, TEXT), sections([Piece(text)]))


def _titled(title: str, parts: list[Piece]) -> list[SlackMessage]:
    if not parts:
        return []
    return _messages(sections([Piece(f"*{title}*"), *parts]), title)


def _messages(blocks: list[Block], text: str) -> list[SlackMessage]:
    return [SlackMessage(shortened(text, TEXT), each) for each in messages(blocks)]


def _state(answer: Answer) -> str:
    """Return the badge of a declined question, and the notices."""
    badge = f"*{DECLINED_BADGE[answer.language]}*" if answer.declines else ""
    notices = (plain(" ".join(notice.split())) for notice in answer.notices)
    return " · ".join(filter(None, (badge, *notices)))


def _origin(answer: Answer) -> list[str]:
    """Return which model wrote the answer; the notices say what it wrote without proof."""
    return [WRITTEN_BY[answer.language].format(model=escape(answer.model))] if answer.model else []


def _next(answer: Answer) -> str:
    """Return what to ask next, "" if nothing is suggested."""
    head = (ASK_INSTEAD if answer.abstained else NEXT)[answer.language]
    questions = " · ".join(plain(question) for question in answer.suggestions)
    return f"{head}{COLON[answer.language]}{questions}" if questions else ""


def _buttons(answer: Answer, kept: str, language: Language, extra: Sequence[str]) -> Block:
    shown = [
        (QUOTES, words.QUOTES, bool(answer.citations)),
        (NEAREST, words.NEAREST, bool(answer.passages)),
        (OTHER, words.OTHER, True),
        (GOOD, words.GOOD, True),
        (BAD, words.BAD, True),
        (SHARE, words.SHARE, SHARE in extra),
        (HELP, words.NEEDS_HELP, HELP in extra),
        (DELETE, words.DELETE, True),
    ]
    elements = [
        {
            "type": "button",
            "action_id": f"{ACTION}{name}",
            "value": f"{kept}:{language}",
            "text": _plain_text(label[language]),
        }
        for name, label, there in shown
        if there
    ]
    elements[-1]["confirm"] = {
        "title": _plain_text(words.DELETE[language]),
        "text": _plain_text(words.DELETE_SURE[language]),
        "confirm": _plain_text(words.DELETE[language]),
        "deny": _plain_text(words.CANCEL[language]),
    }
    return {"type": "actions", "elements": elements}


def _plain_text(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text, "emoji": True}
