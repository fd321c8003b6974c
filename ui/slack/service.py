"""The bot: what becomes of a message, a command, a button."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from assistant.answer import Answer
from assistant.feedback.store import record, versions_of
from assistant.query.question_language import question_language
from ingest.document import Language
from ingest.errors import TorchnotesError
from ui.shared.app_state import AppState
from ui.slack import bot_messages as words
from ui.slack.blocks import SlackMessage, answer_messages, line_message, nearest_messages, quote_messages
from ui.slack.home import home_view
from ui.slack.incoming import (
    AccessPolicy,
    Identity,
    IncomingQuestion,
    read_message,
    read_place,
    spoken,
    teams_of,
)
from ui.slack.message_limits import shortened
from ui.slack.mrkdwn import plain
from ui.slack.pools import Pools
from ui.slack.reply_targets import PrivateReply, ReplyTarget, ThreadReply
from ui.slack.state import State
from ui.slack.thread import Thread, read_thread

if TYPE_CHECKING:
    from slack_sdk import WebClient

_log = logging.getLogger(__name__)
_REMEMBERED = 10_000  # threads of others
_LONGEST_LEAD = 300  # characters of a question that is shown above its private answer


class Service:
    """Answers what is asked in Slack.

    Args:
        app_state: has the assistant.
        client: of the Web API.
        me: who the bot is.
        state: what is shared with other processes and outlives this one.
        door: where it answers.
        pools: threads to work in.

    Every public method returns at once, for Slack waits three seconds.
    """

    def __init__(
        self,
        app_state: AppState,
        client: WebClient,
        me: Identity,
        state: State,
        door: AccessPolicy | None = None,
        pools: Pools | None = None,
    ) -> None:
        self.app_state = app_state
        self.client = client
        self.me = me
        self.state = state
        self.door = door or AccessPolicy()
        self.pools = pools or Pools()
        self._foreign: dict[str, None] = {}  # threads of others: read once, for the bot joins by `state` only

    def message(self, body: Mapping[str, Any]) -> None:
        """A message or a mention."""
        asked = read_message(body, self.me)
        if asked is None or not self.door.knows(asked.place.teams):
            return
        follows = asked.thread != asked.at and not asked.others
        if not (asked.mentioned or follows) or not self.state.claim(str(body.get("event_id")), asked.key):
            return
        if self.door.opens(asked.place):
            self.pools.soon(partial(self._message, asked))
        elif asked.mentioned:
            self.pools.soon(partial(self._refuse, asked))

    def command(self, body: Mapping[str, Any]) -> str:
        """A slash command; returns what is said at once, to the asker alone."""
        question, place = spoken(str(body.get("text") or "")), read_place(body)
        language = question_language(question)
        if not self.door.knows(place.teams) or not self.door.opens(place):
            return words.NOT_HERE[language]
        if not question:
            return "\n".join(words.EMPTY.values())
        try:
            fresh = self.state.claim(f"command:{body.get('trigger_id')}")
        except TorchnotesError as error:  # what it tells is for the administrator
            _log.error("%s", error)
            return words.BROKEN[language]
        if fresh:
            outlet = PrivateReply(str(body.get("response_url")))
            lead = words.PRIVATE[language].format(
                question=plain(shortened(" ".join(question.split()), _LONGEST_LEAD))
            )
            self._queue(outlet, question, (), lead=lead)
        return words.THINKING[language]

    def home(self, body: Mapping[str, Any], command: str) -> None:
        """The Home tab was opened."""
        event = body.get("event") or {}
        if event.get("tab") != "home" or not self.door.knows(teams_of(body, event)):
            return

        def publish() -> None:
            self.client.views_publish(user_id=event["user"], view=home_view(self.app_state, command))

        self.pools.soon(publish)

    def again(self, kept: Mapping[str, Any], outlet: ReplyTarget, language: Language) -> None:
        """Ask a question that was answered once more, in another language."""

        def begin() -> None:
            outlet.think(words.THINKING[language])
            self._queue(
                outlet, kept["question"], kept["history"], asked_at=kept["asked_at"], language=language
            )

        self.pools.soon(begin)

    def _message(self, asked: IncomingQuestion) -> None:
        """Decide whether a message is for the bot, say that it has come, and have it answered.

        Args:
            asked: the message.

        Raises:
            TorchnotesError: it is answered, but the bot's part in the thread is not remembered.
        """
        if not asked.mentioned and asked.thread_key in self._foreign and not self._joined(asked.thread_key):
            return
        thread = self._thread(asked)
        if not (asked.mentioned or thread.joined):
            self._foreign[asked.thread_key] = None
            while len(self._foreign) > _REMEMBERED:
                self._foreign.pop(next(iter(self._foreign)), None)
            return
        outlet = ThreadReply(self.client, asked.place.channel, asked.thread)
        language = question_language(asked.text)
        if not asked.text:
            outlet.show([line_message(line) for line in words.EMPTY.values()], language)
            return
        outlet.think(words.THINKING[language])
        self._queue(outlet, asked.text, thread.history, asked_at=asked.at)
        # Last: it may wait for a lock, and nobody is to be left with the line above where it fails.
        self.state.join(asked.thread_key)

    def _thread(self, asked: IncomingQuestion) -> Thread:
        """The thread of a message; where Slack does not give it, a mention is answered by itself."""
        from slack_sdk.errors import SlackApiError

        try:
            return read_thread(self.client, asked, self.me)
        except SlackApiError as error:
            _log.warning("thread of %s not read: %s", asked.key, error.response.get("error"))
            return Thread(joined=self._joined(asked.thread_key))

    def _joined(self, thread: str) -> bool:
        """Look up whether the bot takes part in a thread.

        Args:
            thread: its key.

        Returns:
            False also where the file cannot be read, which is logged.
        """
        try:
            return self.state.joined(thread)
        except TorchnotesError as error:
            _log.error("%s", error)
            return False

    def _queue(
        self,
        outlet: ReplyTarget,
        question: str,
        history: Sequence[str],
        *,
        asked_at: str = "",
        language: Language | None = None,
        lead: str = "",
    ) -> None:
        work = partial(self._answer, outlet, question, tuple(history), asked_at, language, lead)
        if not self.pools.answer(work):
            spoken_in = language or question_language(question)
            self.pools.soon(lambda: outlet.show([line_message(words.BUSY[spoken_in])], spoken_in))

    def _answer(
        self,
        outlet: ReplyTarget,
        question: str,
        history: tuple[str, ...],
        asked_at: str,
        language: Language | None,
        lead: str,
    ) -> None:
        """One question: a converter in, one call, a converter out."""
        spoken_in = language or question_language(question)
        try:
            assistant = self.app_state.assistant()
            answer = assistant.ask(question, history, language=language)
            kept = self._keep(answer, history, asked_at, versions_of(assistant))
            messages = answer_messages(answer, kept, asked_at, lead)
        except TorchnotesError as error:
            outlet.show([line_message(str(error))], spoken_in)
        except Exception:  # noqa: BLE001 - a reader sees one line, the log the rest
            _log.exception("a question was not answered")
            outlet.show([line_message(words.BROKEN[spoken_in])], spoken_in)
        else:
            self._show(outlet, messages, answer.language)

    def _keep(
        self, answer: Answer, history: Sequence[str], asked_at: str, versions: Mapping[str, str]
    ) -> str:
        """Keep what the buttons of an answer need; its id. An answer goes out also where that fails."""
        kept = record(answer, history=history, versions=versions)
        needed = {
            "question": answer.question,
            "history": list(history),
            "asked_at": asked_at,
            "language": answer.language,
            "record": kept,
            "quotes": [message.to_dict() for message in quote_messages(answer)],
            "nearest": [message.to_dict() for message in nearest_messages(answer)],
        }
        try:
            self.state.keep(kept["answer_id"], needed)
        except TorchnotesError as error:
            _log.error("%s", error)
        return str(kept["answer_id"])

    def _show(self, outlet: ReplyTarget, messages: Sequence[SlackMessage], language: Language) -> None:
        """Show an answer; where Slack refuses it, say so rather than leave its reader waiting."""
        from slack_sdk.errors import SlackApiError

        try:
            outlet.show(messages, language)
        except SlackApiError as error:
            _log.exception("an answer was refused: %s", error.response.get("error"))
            outlet.show([line_message(words.BROKEN[language])], language)

    def _refuse(self, asked: IncomingQuestion) -> None:
        """Tell the asker alone that the bot does not answer here."""
        thread = asked.thread if asked.thread != asked.at else None  # else nobody would see it
        line = line_message(words.NOT_HERE[question_language(asked.text)])
        self.client.chat_postEphemeral(
            channel=asked.place.channel, user=asked.user, thread_ts=thread, **line.to_dict()
        )
