"""Reads a conversation: what the last turn is, and which of the earlier turns it may refer to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.answer import Answer
from assistant.answering.turns import Turn, TurnReader
from assistant.query.acts import SMALL_TALK, Act, Retelling
from assistant.query.question_language import question_language
from assistant.text.messages import NO_ANSWER_YET
from assistant.text.messages import SMALL_TALK as REPLIES
from ingest.document import Language

MAX_QUESTIONS = 8  # earlier questions that a turn may refer to


@dataclass(frozen=True, slots=True)
class Conversation:
    """A turn in its conversation.

    Attributes:
        turn: the last turn.
        questions: the earlier turns that are questions about the notes, without small talk, oldest first.
        acts: acts since the last of the questions, that of the last turn included, oldest first.
        language: language of the reply to an act.
    """

    turn: Turn
    questions: tuple[str, ...]
    acts: tuple[Act, ...]
    language: Language

    @property
    def retelling(self) -> Retelling | None:
        """The form in which the last answer is asked for, or None if there is no such answer."""
        act = self.turn.act
        return None if act is None or act in SMALL_TALK or not self.questions else act  # type: ignore[return-value]

    def reply(self) -> Answer | None:
        """Return the reply to a turn that asks nothing of the notes, or None for any other turn.

        Such a reply is abstained, as it is no answer from the notes, and cites nothing.
        """
        act = self.turn.act
        if act is None or self.retelling:
            return None
        text = REPLIES[self.language][act] if act in SMALL_TALK else NO_ANSWER_YET[self.language]
        return Answer(self.turn.text, self.turn.text, text, self.language, True, (), (), (), act=act)


def read_conversation(
    reader: TurnReader, text: str, history: Sequence[str], language: Language | None
) -> Conversation:
    """Read a turn in its conversation.

    Args:
        reader: reads each turn.
        text: the turn as typed.
        history: earlier turns, oldest first.
        language: language that the caller wants the answer in, or None. A turn that asks for another one,
            such as "in Chinese please", is listened to nevertheless.
    """
    questions: list[str] = []
    acts: list[Act] = []
    spoken: Language | None = None  # of the last turn whose words tell its language
    asked_for: Language | None = None  # of the answer that the last question was given last
    for past in history:
        turn = reader.read(past, opening=not questions)
        if not turn.neutral and turn.has_words:
            spoken = question_language(past)
        if turn.act:
            acts.append(turn.act)
            asked_for = turn.language or asked_for
        elif turn.has_words and not turn.off_topic:
            questions.append(turn.question)
            acts, asked_for = [], turn.language
    turn = reader.read(text, opening=not questions)
    own = spoken if spoken and (turn.neutral or not turn.has_words) else question_language(text)
    retold = asked_for if turn.act and turn.act not in SMALL_TALK else None
    said = turn.language or language or retold or own
    return Conversation(
        turn, tuple(questions[-MAX_QUESTIONS:]), (*acts, *((turn.act,) if turn.act else ())), said
    )
