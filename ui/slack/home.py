"""The Home tab of the app."""

from __future__ import annotations

from typing import Any

from ingest.document import LANGUAGES
from ui.shared.app_state import AppState
from ui.shared.labels import EXAMPLES
from ui.slack import bot_messages as words
from ui.slack.message_limits import context, sections
from ui.slack.mrkdwn import Piece, plain


def home_view(app_state: AppState, command: str) -> dict[str, Any]:
    """Return the tab in both languages: Slack does not say which one the reader uses.

    Args:
        app_state: shared state, with the index.
        command: name of the slash command.
    """
    generation = app_state.assistant().retriever.generation
    releases = app_state.releases()
    span = f"{releases[-1]} – {releases[0]}" if len(releases) > 1 else "".join(releases)
    blocks: list[dict[str, Any]] = [
        {"type": "header", "text": {"type": "plain_text", "text": words.HOME_TITLE}}
    ]
    for language in LANGUAGES:
        told = words.HOME[language].format(command=command)
        asked = [Piece(f"• {plain(example)}", tight=True) for example in EXAMPLES[language]]
        blocks += sections([Piece(told), Piece(f"*{words.EXAMPLES[language]}*"), *asked])
        blocks.append(
            context(words.INDEXED[language].format(documents=len(generation.documents), releases=plain(span)))
        )
        blocks.append({"type": "divider"})
    return {"type": "home", "blocks": blocks[:-1]}
