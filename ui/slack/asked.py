"""What the assistant is asked for a message or command in Slack."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ingest.document import Language


@dataclass(frozen=True, slots=True)
class ContextualQuestion:
    """What the assistant is asked.

    Attributes:
        text: the question, with what people said before it.
        history: earlier questions.
        said: what people said before, if it is in `text`.
        bare: the question without that.
        language: language of the answer; None: that of the question.
        spoken_in: language of the question as typed.
        notes: mrkdwn above the answer.
    """

    text: str
    history: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    bare: str = ""
    language: Language | None = None
    spoken_in: Language = "en"
    notes: tuple[str, ...] = ()

    def after_what_was_said(self) -> ContextualQuestion:
        """Return the question alone, with what people said before as history."""
        return replace(self, text=self.bare, history=(*self.history, *self.said), said=())
