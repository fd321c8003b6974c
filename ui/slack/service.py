"""The bot: handles messages, commands and buttons."""

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
_REMEMBERED = 10_000  # threads without the bot
_LONGEST_LEAD = 300  # characters of a question shown above its private answer


class Service:
    """Answers questions in Slack.

    All public methods return at once, because Slack expects a response within three seconds.

    Args:
        app_state: shared state, with the assistant.
        client: client of the Web API.
        me: identity of the bot.
        state: persistent state, shared with other processes.
        door: where the bot answers; None: everywhere.
        pools: thread pools; None: new ones.
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
        self._foreign: dict[str, None] = {}  # threads without the bot, which need not be read again

    def message(self, body: Mapping[str, Any]) -> None:
        """Handle a message or a mention.

        Args:
            body: body of the request.
        """
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
        """Handle a slash command.

        Args:
            body: body of the request.

        Returns:
            The immediate reply, visible to the user only.
        """
        question, place = spoken(str(body.get("text") or "")), read_place(body)
        language = question_language(question)
        if not self.door.knows(place.teams) or not self.door.opens(place):
            return words.NOT_HERE[language]
        if not question:
            return "\n".join(words.EMPTY.values())
        try:
            fresh = self.state.claim(f"command:{body.get('trigger_id')}")
        except TorchnotesError as error:  # the message is for the administrator
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
        """Update the Home tab when it is opened.

        Args:
            body: body of the request.
            command: name of the slash command.
        """
        event = body.get("event") or {}
        if event.get("tab") != "home" or not self.door.knows(teams_of(body, event)):
            return

        def publish() -> None:
            self.client.views_publish(user_id=event["user"], view=home_view(self.app_state, command))

        self.pools.soon(publish)

    def again(self, kept: Mapping[str, Any], outlet: ReplyTarget, language: Language) -> None:
        """Answer a question once more, in another language.

        Args:
            kept: stored data of the answer.
            outlet: destination of the answer.
            language: language of the answer.
        """

        def begin() -> None:
            outlet.think(words.THINKING[language])
            self._queue(
                outlet, kept["question"], kept["history"], asked_at=kept["asked_at"], language=language
            )

        self.pools.soon(begin)

    def _message(self, asked: IncomingQuestion) -> None:
        """Decide whether a message is for the bot, confirm it, and queue the answer.

        Raises:
            TorchnotesError: the thread cannot be stored; the message is answered nevertheless.
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
        # Last, because it may wait for a lock, and a failure must not prevent the answer.
        self.state.join(asked.thread_key)

    def _thread(self, asked: IncomingQuestion) -> Thread:
        """Read the thread of a message; if Slack fails, a mention is answered without history."""
        from slack_sdk.errors import SlackApiError

        try:
            return read_thread(self.client, asked, self.me)
        except SlackApiError as error:
            _log.warning("thread of %s not read: %s", asked.key, error.response.get("error"))
            return Thread(joined=self._joined(asked.thread_key))

    def _joined(self, thread: str) -> bool:
        """Return whether the bot takes part in a thread; False (logged) if the file cannot be read."""
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
        """Answer a question and show it."""
        spoken_in = language or question_language(question)
        try:
            assistant = self.app_state.assistant()
            answer = assistant.ask(question, history, language=language)
            kept = self._keep(answer, history, asked_at, versions_of(assistant))
            messages = answer_messages(answer, kept, asked_at, lead)
        except TorchnotesError as error:
            outlet.show([line_message(str(error))], spoken_in)
        except Exception:  # noqa: BLE001 - readers see one line, the log has the details
            _log.exception("a question was not answered")
            outlet.show([line_message(words.BROKEN[spoken_in])], spoken_in)
        else:
            self._show(outlet, messages, answer.language)

    def _keep(
        self, answer: Answer, history: Sequence[str], asked_at: str, versions: Mapping[str, str]
    ) -> str:
        """Store the data for an answer's buttons and return its id; a failure is only logged."""
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
        """Show an answer; if Slack rejects it, show an error instead."""
        from slack_sdk.errors import SlackApiError

        try:
            outlet.show(messages, language)
        except SlackApiError as error:
            _log.exception("an answer was refused: %s", error.response.get("error"))
            outlet.show([line_message(words.BROKEN[language])], language)

    def _refuse(self, asked: IncomingQuestion) -> None:
        """Tell only the user that the bot does not answer here."""
        thread = asked.thread if asked.thread != asked.at else None  # an empty thread would hide it
        line = line_message(words.NOT_HERE[question_language(asked.text)])
        self.client.chat_postEphemeral(
            channel=asked.place.channel, user=asked.user, thread_ts=thread, **line.to_dict()
        )
