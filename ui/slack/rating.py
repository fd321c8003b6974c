"""The thumbs: the same record into the same store as those of the page, one a reader and answer."""

from __future__ import annotations

import hashlib
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
    record: Mapping[str, Any], user: str, good: bool, reason: str = "", comment: str = ""
) -> dict[str, Any]:
    """A record with a reader's rating, which takes the place of an earlier one of the same reader."""
    reader = hashlib.sha256(user.encode()).hexdigest()[:12]  # who it was, nobody needs to know
    answer = f"{str(record['answer_id'])[:48]}-{reader}"
    return {**record, "answer_id": answer, "good": good, "reason": reason, "comment": comment}


def reason_form(kept: str, language: Language) -> dict[str, Any]:
    """A form that asks what is not right."""
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
    """What a form was filled with: id of the answer, reason, comment."""
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
