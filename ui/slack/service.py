"""The bot: takes messages, commands and presses, stores each as a job, and runs the jobs."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from assistant.query.question_language import question_language
from ingest.errors import TorchnotesError
from ui.shared.app_state import AppState
from ui.slack import bot_messages as words
from ui.slack.asker import Asker
from ui.slack.attachments import FileReader
from ui.slack.blocks import line_message
from ui.slack.buttons import Presses
from ui.slack.conversation import Conversations
from ui.slack.delivery import ClosedError, Delivery
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
from ui.slack.jobs import Backoff, Job, Stage
from ui.slack.message_limits import shortened
from ui.slack.modes import ChannelModes
from ui.slack.mrkdwn import plain
from ui.slack.pools import Pools
from ui.slack.press import Press
from ui.slack.rating import read_form
from ui.slack.reception import Reception
from ui.slack.state import State
from ui.slack.worker import POLL, Step, Worker

if TYPE_CHECKING:
    from slack_sdk import WebClient

_log = logging.getLogger(__name__)
_LONGEST_LEAD = 300  # characters of a question shown above its private answer


class Service:
    """Answers questions in Slack.

    The public methods return as soon as the request is stored: what Slack has been told to be taken is not
    lost, also if the process is killed at once.

    Args:
        app_state: shared state, with the assistant.
        client: client of the Web API.
        me: identity of the bot.
        state: persistent state, shared with other processes.
        access: where the bot answers; None: everywhere.
        pools: thread pools; None: new ones.
        modes: when the bot speaks without being mentioned; None: in its threads.
        helper: id of the person, group or channel for questions that still need help; "" for none.
        backoff: when failed requests are tried again; None: for ten minutes, then more rarely.
        poll: seconds between two looks for jobs of other processes.
    """

    def __init__(
        self,
        app_state: AppState,
        client: WebClient,
        me: Identity,
        state: State,
        access: AccessPolicy | None = None,
        pools: Pools | None = None,
        *,
        modes: ChannelModes | None = None,
        helper: str = "",
        backoff: Backoff | None = None,
        poll: float = POLL,
    ) -> None:
        self.app_state = app_state
        self.client = client
        self.me = me
        self.state = state
        self.access = access or AccessPolicy()
        self.pools = pools or Pools()
        self.modes = modes or ChannelModes()
        self._delivery = Delivery(client, me.user, self._save)
        conversations = Conversations(client, me, state)
        self._reception = Reception(state, self._delivery, conversations, self._busy)
        files = FileReader(str(client.token), client.base_url)
        asker = Asker(app_state, state, conversations, files, self.modes, offers_help=bool(helper))
        self._presses = Presses(app_state, client, state, helper)
        steps: dict[Stage, Step] = {
            "received": self._receive,
            "waiting": asker.answer,
            "ready": self._deliver,
        }
        self.worker = Worker(state, self.pools, steps, backoff or Backoff(), poll)

    def close(self) -> None:
        """Finish what can be finished now; the rest is left to other workers, or to the next start."""
        self.worker.close()

    def message(self, body: Mapping[str, Any]) -> None:
        """Take a message or a mention.

        Args:
            body: body of the request.

        Raises:
            TorchnotesError: it cannot be stored; Slack sends it again if it is not acknowledged.
        """
        asked = read_message(body, self.me)
        if asked is None or not self.access.knows(asked.place.teams) or not self.modes.considers(asked):
            return
        keys = (str(body.get("event_id")), *asked.keys)
        if self.access.opens(asked.place):
            self.take(asked.to_task(), keys, lane=asked.lane, at=float(asked.at))
        elif asked.mentioned and self.state.claim(*keys):
            self.pools.soon(partial(self._refuse, asked))

    def command(self, body: Mapping[str, Any]) -> str:
        """Take a slash command.

        Args:
            body: body of the request.

        Returns:
            The immediate reply, visible to the user only.
        """
        question, place = spoken(str(body.get("text") or "")), read_place(body)
        language = question_language(question)
        if not self.access.knows(place.teams) or not self.access.opens(place):
            return words.NOT_HERE[language]
        if reply := self._reception.short_reply(question):
            return reply
        lead = plain(shortened(" ".join(question.split()), _LONGEST_LEAD))
        task = {
            "kind": "command",
            "channel": place.channel,
            "user": str(body.get("user_id")),
            "text": question,
            "history": [],
            "notes": [],
            "asked_at": "",
            "url": str(body.get("response_url")),
            "replaces": True,
            "lead": words.PRIVATE[language].format(question=lead),
        }
        try:
            self.take(task, (f"command:{body.get('trigger_id')}",))
        except TorchnotesError as error:  # the message is for the administrator
            _log.error("%s", error)
            return words.BROKEN[language]
        return words.THINKING[language]

    def press(self, body: Mapping[str, Any]) -> None:
        """Take a press of a button.

        Args:
            body: body of the request.

        Raises:
            TorchnotesError: it cannot be stored.
        """
        place = read_place(body)
        if self.access.knows(place.teams) and self.access.opens(place):
            press = Press.read(body)
            self.take(press.to_task(), (press.key,))

    def form(self, body: Mapping[str, Any]) -> None:
        """Store what a feedback form says.

        Args:
            body: body of the request.

        Raises:
            TorchnotesError: it cannot be stored.
        """
        if self.access.knows(read_place(body).teams):
            kept, reason, comment = read_form(body["view"])
            self._presses.explained(kept, str(body["user"]["id"]), reason, comment)

    def home(self, body: Mapping[str, Any], command: str) -> None:
        """Update the Home tab when it is opened.

        Args:
            body: body of the request.
            command: name of the slash command.
        """
        event = body.get("event") or {}
        if event.get("tab") != "home" or not self.access.knows(teams_of(body, event)):
            return

        def publish() -> None:
            self.client.views_publish(user_id=event["user"], view=home_view(self.app_state, command))

        self.pools.soon(publish)

    def take(self, task: dict[str, Any], keys: tuple[str, ...], lane: str = "", at: float = 0.0) -> bool:
        """Store a job, and run it in the background.

        Args:
            task: what to do.
            keys: keys of the event.
            lane: thread in which questions are answered in order.
            at: time of the event.

        Returns:
            False if the event was taken before.

        Raises:
            TorchnotesError: it cannot be stored.
        """
        key = self.state.hashed(keys[-1])
        job = Job(key, lane, at, task, mark=key[:12])
        if not self.state.claim(*keys, add=(job, self.worker.id)):
            return False
        self.worker.accept(job)
        return True

    def _busy(self) -> bool:
        return self.worker.waiting() > self.pools.places

    def _receive(self, job: Job) -> None:
        try:
            if job.task["kind"] == "press":
                self._presses.receive(job)
            else:
                self._reception.receive(job)
        except ClosedError as error:
            self._closed(job, error)

    def _deliver(self, job: Job) -> None:
        """Post a job's messages; then the thread is one of the bot's."""
        try:
            self._delivery.deliver(job)
        except ClosedError as error:
            self._closed(job, error)
            return
        self._presses.delivered(job)
        job.stage = "done"
        if job.task["kind"] == "message" and not job.task.get("stopped"):
            self._join(f"{job.task['channel']}:{job.task['thread']}")

    def _closed(self, job: Job, error: ClosedError) -> None:
        _log.error("%s is not posted: %s", job.mark, error)
        self._presses.refused(job)
        job.stage = "done"

    def _save(self, job: Job) -> None:
        """Save a job; a failure is only logged, because Slack can be asked what was posted."""
        try:
            self.state.jobs.save(job)
        except TorchnotesError as error:
            _log.error("%s", error)

    def _join(self, thread: str) -> None:
        try:
            self.state.join(thread)
        except TorchnotesError as error:
            _log.error("%s", error)

    def _refuse(self, asked: IncomingQuestion) -> None:
        """Tell only the user that the bot does not answer here."""
        thread = asked.thread if asked.thread != asked.at else None  # an empty thread would hide it
        line = line_message(words.NOT_HERE[question_language(asked.text)])
        self.client.chat_postEphemeral(
            channel=asked.place.channel, user=asked.user, thread_ts=thread, **line.to_dict()
        )
