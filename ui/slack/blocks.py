"""Formatting of answers as Slack messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assistant.answer import Answer
from ingest.document import Language
from ui.shared.labels import DECLINED_BADGE, UNPROVED, WRITTEN_BY
from ui.slack import bot_messages as words
from ui.slack.message_limits import TEXT, Block, context, messages, sections, shortened
from ui.slack.mrkdwn import Piece, escape, joined, pieces, plain
from ui.slack.sources import nearest_pieces, quote_pieces, source_lines

ANSWERED = "torchnotes-"  # followed by the question's time stamp: id of an answer's first block
#: Suffix of a button's action_id.
QUOTES, NEAREST, OTHER, GOOD, BAD = "quotes", "nearest", "other", "good", "bad"
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


def answer_messages(answer: Answer, kept: str, asked_at: str = "", lead: str = "") -> list[SlackMessage]:
    """Format an answer, with sources and buttons below the last message.

    Args:
        answer: the answer.
        kept: id under which the data for its buttons is stored.
        asked_at: time stamp of the question, by which answered questions of a thread are recognised.
        lead: mrkdwn shown above everything else.
    """
    language = answer.language
    blocks = [context(text) for text in (lead, _state(answer)) if text]
    blocks += sections(pieces(answer.text)) + sections(source_lines(answer))
    blocks += [context(text) for text in _origin(answer)]
    if answer.citations or not answer.act:  # small talk is neither rated nor told in another language
        blocks.append(_buttons(answer, kept, language))
    if asked_at:
        blocks[0]["block_id"] = f"{ANSWERED}{asked_at}"
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
    """Return which model wrote the answer, and how many sentences were left out."""
    lines = []
    if answer.model:
        lines.append(WRITTEN_BY[answer.language].format(model=escape(answer.model)))
    if answer.unproved:
        lines.append(UNPROVED[answer.language].format(count=len(answer.unproved)))
    return lines


def _buttons(answer: Answer, kept: str, language: Language) -> Block:
    shown = [
        (QUOTES, words.QUOTES, bool(answer.citations)),
        (NEAREST, words.NEAREST, bool(answer.passages)),
        (OTHER, words.OTHER, True),
        (GOOD, words.GOOD, True),
        (BAD, words.BAD, True),
    ]
    elements = [
        {
            "type": "button",
            "action_id": f"{ACTION}{name}",
            "value": kept,
            "text": {"type": "plain_text", "text": label[language], "emoji": True},
        }
        for name, label, there in shown
        if there
    ]
    return {"type": "actions", "elements": elements}
