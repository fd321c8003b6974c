"""Ratings by thumbs, stored like those of the web page, one per reader and answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ingest.document import Language
from ui.shared.labels import REASONS
from ui.slack import bot_messages as words
from ui.slack.message_limits import sections
from ui.slack.mrkdwn import Piece

REASON = "torchnotes_reason"  # the form's callback_id
_REASON, _COMMENT = "reason", "comment"
_LONGEST = 2_000


def rated(
    record: Mapping[str, Any], reader: str, good: bool, reason: str = "", comment: str = ""
) -> dict[str, Any]:
    """Return a record with a rating, which replaces earlier ones of the same reader.

    Args:
        record: record of the answer.
        reader: keyed hash of the reader.
        good: the rating.
        reason: key of the reason.
        comment: comment of the reader.
    """
    answer = f"{str(record['answer_id'])[:48]}-{reader}"
    return {**record, "answer_id": answer, "good": good, "reason": reason, "comment": comment}


def reason_form(kept: str, language: Language) -> dict[str, Any]:
    """Return a form that asks what is wrong.

    Args:
        kept: id of the answer.
        language: language of the form.
    """
    options = [{"text": _text(label), "value": value} for value, label in REASONS[language].items()]
    return {
        "type": "modal",
        "callback_id": REASON,
        "private_metadata": json.dumps({"kept": kept, "language": language}),
        "title": _text(words.REASON_TITLE[language]),
        "submit": _text(words.SUBMIT[language]),
        "close": _text(words.CANCEL[language]),
        "blocks": [
            *sections([Piece(words.THANKS[language])]),
            {
                "type": "input",
                "block_id": _REASON,
                "optional": True,
                "label": _text(words.REASON[language]),
                "element": {"type": "static_select", "action_id": _REASON, "options": options},
            },
            {
                "type": "input",
                "block_id": _COMMENT,
                "optional": True,
                "label": _text(words.COMMENT[language]),
                "element": {
                    "type": "plain_text_input",
                    "action_id": _COMMENT,
                    "multiline": True,
                    "max_length": _LONGEST,
                },
            },
        ],
    }


def read_form(view: Mapping[str, Any]) -> tuple[str, str, str]:
    """Parse a submitted form.

    Args:
        view: the form's view.

    Returns:
        Id of the answer, reason, comment.
    """
    told = json.loads(view.get("private_metadata") or "{}")
    values = view["state"]["values"]
    chosen = values[_REASON][_REASON].get("selected_option") or {}
    return (
        str(told.get("kept")),
        str(chosen.get("value") or ""),
        str(values[_COMMENT][_COMMENT].get("value") or ""),
    )


def _text(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text}
