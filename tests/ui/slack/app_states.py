"""Desks whose assistant does something else than to answer at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from assistant.answer import Answer
from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from ui.shared.app_state import AppState

Ask = Callable[..., Answer]


class OtherDesk(AppState):
    """An app state like another one, with a function in the place of the assistant's `ask`.

    Args:
        app_state: the other one.
        ask: takes its question, its history and its options.
        factory: of its own.
    """

    def __init__(self, app_state: AppState, ask: Ask, factory: AssistantFactory | None = None) -> None:
        self.__dict__.update(app_state.__dict__)
        self.ask = ask
        self.retriever = app_state.assistant().retriever
        self.embedder = app_state.assistant().embedder
        self.factory = factory or app_state.factory

    def assistant(self) -> Assistant:
        """Itself: it can be asked, and has the index with its embedder."""
        return cast("Assistant", self)


def keeping(app_state: AppState) -> tuple[AppState, list[tuple[str, tuple[str, ...], dict[str, Any]]]]:
    """An app state that keeps what it is asked: question, history, options."""
    kept: list[tuple[str, tuple[str, ...], dict[str, Any]]] = []

    def ask(question: str, history: tuple[str, ...], **options: Any) -> Answer:
        kept.append((question, tuple(history), options))
        return app_state.assistant().ask(question, history, **options)

    return OtherDesk(app_state, ask), kept
