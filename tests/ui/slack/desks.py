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
    """A desk like another one, with a function in the place of the assistant's `ask`.

    Args:
        desk: the other one.
        ask: takes its question, its history and its options.
        workshop: of its own.
    """

    def __init__(self, desk: AppState, ask: Ask, workshop: AssistantFactory | None = None) -> None:
        self.__dict__.update(desk.__dict__)
        self.ask = ask
        self.retriever = desk.assistant().retriever
        self.embedder = desk.assistant().embedder
        self.workshop = workshop or desk.workshop

    def assistant(self) -> Assistant:
        """Itself: it can be asked, and has the index with its embedder."""
        return cast("Assistant", self)


def keeping(desk: AppState) -> tuple[AppState, list[tuple[str, tuple[str, ...], dict[str, Any]]]]:
    """A desk that keeps what it is asked: question, history, options."""
    kept: list[tuple[str, tuple[str, ...], dict[str, Any]]] = []

    def ask(question: str, history: tuple[str, ...], **options: Any) -> Answer:
        kept.append((question, tuple(history), options))
        return desk.assistant().ask(question, history, **options)

    return OtherDesk(desk, ask), kept
