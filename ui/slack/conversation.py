"""What precedes a message: its thread in Slack, and what the bot remembers of that thread."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ingest.errors import TorchnotesError
from ui.slack.incoming import Identity, IncomingQuestion
from ui.slack.state import State
from ui.slack.thread import Thread, read_thread
from ui.slack.web_api import error_of, failures
from ui.slack.worker import TryAgainError

if TYPE_CHECKING:
    from slack_sdk import WebClient

_REMEMBERED = 10_000  # threads without the bot
_FOREVER = ("missing_scope", "thread_not_found", "channel_not_found", "not_in_channel", "no_permission")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ThreadReading:
    """What precedes a message.

    Attributes:
        thread: the thread.
        muted: the bot was told to be silent there.
        early: a question before it has not come yet, because events come in any order.
    """

    thread: Thread = field(default_factory=Thread)
    muted: bool = False
    early: bool = False


class Conversations:
    """Reads what precedes messages.

    Args:
        client: client of the Web API.
        me: identity of the bot.
        state: persistent state.
    """

    def __init__(self, client: WebClient, me: Identity, state: State) -> None:
        self._client = client
        self._me = me
        self._state = state
        self._foreign: dict[str, None] = {}  # threads without the bot, which need not be read again

    def read(self, asked: IncomingQuestion) -> ThreadReading:
        """Read what precedes a message.

        Args:
            asked: the message.

        Raises:
            TryAgainError: Slack cannot be reached. If it does not give the thread, nothing precedes.
        """
        key = asked.thread_key
        in_thread = asked.thread != asked.at
        if not asked.mentioned and key in self._foreign and not self.joined(key):
            return ThreadReading()
        try:
            thread = read_thread(self._client, asked, self._me)
        except failures() as error:
            reason = error_of(error)
            if reason not in _FOREVER:
                raise TryAgainError(f"the thread is not read ({reason or error})") from None
            _log.warning("thread of %s not read: %s", asked.key, reason)
            return ThreadReading(Thread(joined=self.joined(key)), muted=self._muted(key))
        early = any(not self._came(asked, at) for at in thread.open)
        if in_thread and not (thread.joined or thread.open or asked.mentioned):
            self._foreign[key] = None
            while len(self._foreign) > _REMEMBERED:
                self._foreign.pop(next(iter(self._foreign)), None)
        return ThreadReading(thread, in_thread and self._muted(key), early)

    def joined(self, thread: str) -> bool:
        """Return whether the bot takes part in a thread; False (logged) if the file cannot be read.

        Args:
            thread: key of the thread.
        """
        try:
            return self._state.joined(thread)
        except TorchnotesError as error:
            _log.error("%s", error)
            return False

    def _came(self, asked: IncomingQuestion, at: str) -> bool:
        try:
            return self._state.claimed(f"mention:{asked.place.channel}:{at}")
        except TorchnotesError as error:
            _log.error("%s", error)
            return True

    def _muted(self, thread: str) -> bool:
        try:
            return self._state.muted(thread)
        except TorchnotesError as error:
            _log.error("%s", error)
            return False
