"""Splitting of text and blocks to fit Slack's limits.

See https://docs.slack.dev/reference/block-kit/blocks. The limit for all blocks of a message is not
documented; about 12,000 characters of JSON are rejected (`msg_blocks_too_long`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from ui.slack.mrkdwn import Piece, fenced, joined

Block = dict[str, Any]

SECTION = 2_900  # of 3,000 characters
BLOCKS = 45  # of 50 a message
MESSAGE = 9_000  # characters of JSON of all blocks of a message together
TEXT = 2_900  # characters of a message's plain text; an update allows 4,000
_BORDERS = (re.compile(r"\n"), re.compile(r"[。！？；]|[.!?;] "), re.compile(r"[，、,] ?| "))
#: Spans that must not be split: links, entities, code.
_WHOLE = re.compile(r"<[^<>\n]*>|&(?:amp|lt|gt);|`[^`\n]*`")


def section(text: str) -> Block:
    """Return a section block, shown in full, without automatic links.

    Args:
        text: mrkdwn.
    """
    return {"type": "section", "expand": True, "text": {"type": "mrkdwn", "text": text, "verbatim": True}}


def context(text: str) -> Block:
    """Return a context block, shown in small letters.

    Args:
        text: mrkdwn, truncated if too long.
    """
    return {
        "type": "context",
        "elements": [{"type": "mrkdwn", "text": cut(text, SECTION)[0], "verbatim": True}],
    }


def sections(parts: Sequence[Piece]) -> list[Block]:
    """Format pieces as the fewest possible section blocks.

    Args:
        parts: pieces of text.
    """
    blocks: list[Block] = []
    held: list[Piece] = []
    for part in (small for each in parts for small in _small(each)):
        if held and len(joined([*held, part])) > SECTION:
            blocks.append(section(joined(held)))
            held = []
        held.append(part)
    return [*blocks, section(joined(held))] if held else blocks


def messages(blocks: Sequence[Block]) -> list[list[Block]]:
    """Distribute blocks over the fewest possible messages.

    Args:
        blocks: blocks in order.
    """
    made: list[list[Block]] = []
    for block in blocks:
        if not made or len(made[-1]) >= BLOCKS or _size([*made[-1], block]) > MESSAGE:
            made.append([])
        made[-1].append(block)
    return made


def cut(text: str, most: int) -> list[str]:
    """Split mrkdwn at the ends of lines, sentences or words.

    Args:
        text: mrkdwn.
        most: maximum number of characters of a part.
    """
    parts = []
    while len(text) > most:
        at = _border(text, most)
        parts.append(text[:at].rstrip())
        text = text[at:].lstrip("\n ")
    return [*parts, text] if text or not parts else parts


def shortened(text: str, most: int) -> str:
    """Truncate plain text, with an ellipsis.

    Args:
        text: plain text.
        most: maximum number of characters.
    """
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _small(part: Piece) -> Iterator[Piece]:
    """Yield a piece, split if it is too long for a block."""
    fence = len(fenced("")) if part.code else 0
    for number, text in enumerate(cut(part.text, SECTION - fence)):
        yield Piece(text, code=part.code, tight=part.tight and number == 0)


def _border(text: str, most: int) -> int:
    whole = [match.span() for match in _WHOLE.finditer(text, 0, most + 300)]

    def free(at: int) -> bool:
        return not any(start < at < end for start, end in whole)

    for border in _BORDERS:
        found = [m.end() for m in border.finditer(text, most // 2, most) if free(m.end())]
        if found:
            return found[-1]
    inside = [start for start, end in whole if start < most < end]
    return inside[0] if inside and inside[0] > 0 else most


def _size(blocks: Sequence[Block]) -> int:
    return len(json.dumps(blocks, ensure_ascii=False))
