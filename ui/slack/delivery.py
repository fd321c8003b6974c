"""Posting of answers, so that an outage loses none and repeats none.

Slack has no idempotent posting. Each message has a mark (a block id) instead: where a reply was lost, the
thread is read first, and what is there already is not posted again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ui.slack.blocks import SlackMessage, line_message, mark_of, marked
from ui.slack.jobs import Job
from ui.slack.message_limits import sections
from ui.slack.mrkdwn import Piece
from ui.slack.web_api import ExpiredError, error_of, failures, respond
from ui.slack.worker import TryAgainError

if TYPE_CHECKING:
    from slack_sdk import WebClient

_GONE = ("message_not_found", "cant_update_message", "edit_window_closed")  # of an update: post instead
#: The place is gone, or closed to the bot: nothing can be said there, later neither.
_CLOSED = (
    "account_inactive",
    "cannot_reply_to_message",
    "channel_not_found",
    "is_archived",
    "not_in_channel",
    "restricted_action",
    "restricted_action_read_only_channel",
    "restricted_action_thread_locked",
    "restricted_action_thread_only_channel",
)
#: The message as it is will never be taken.
_REFUSED = (
    "invalid_arguments",
    "invalid_attachments",
    "invalid_blocks",
    "invalid_blocks_format",
    "msg_blocks_too_long",
    "msg_too_long",
    "no_text",
)
_UNREADABLE = ("missing_scope", "thread_not_found", "channel_not_found", "not_in_channel", "access_denied")
_STILL: dict[str, Any] = {"unfurl_links": False, "unfurl_media": False}
_PAGE = 200
_PLACEHOLDER = "wait"
_log = logging.getLogger(__name__)


class ClosedError(Exception):
    """Nothing can be posted at the target of a job."""


class Delivery:
    """Posts the messages of jobs.

    A job's task says where they go: `channel` and `thread` ("" for none), or `url`, a response URL that shows
    them to one person, with `replaces` for the first message.

    Args:
        client: client of the Web API.
        bot: user id of the bot.
        save: saves a job.
    """

    def __init__(self, client: WebClient, bot: str, save: Callable[[Job], None]) -> None:
        self._client = client
        self._bot = bot
        self._save = save

    def acknowledge(self, job: Job, line: str) -> None:
        """Post a placeholder, unless the job has one; nothing for private answers, which are acknowledged.

        Args:
            job: the job.
            line: text of the placeholder.

        Raises:
            TryAgainError: Slack cannot be reached; whether it was posted is found out later.
            ClosedError: nothing can be posted there.
        """
        if job.task.get("url"):
            return
        if job.unsure:
            self._find(job)
            job.unsure = False
        if not job.placeholder and not job.sent:
            message = marked(line_message(line), job.mark, _PLACEHOLDER).to_dict()
            job.placeholder = self._post(job, message)

    def deliver(self, job: Job) -> None:
        """Post the messages of a job that are not posted yet; the first one replaces the placeholder.

        Args:
            job: the job; each message is saved as posted at once.

        Raises:
            TryAgainError: Slack cannot be reached.
            ClosedError: nothing can be posted there.
        """
        if job.unsure and not job.task.get("url"):
            self._find(job)
            job.unsure = False
        for number in range(len(job.sent), len(job.messages)):
            self._show_somehow(job, number)
            self._save(job)

    def _show_somehow(self, job: Job, number: int) -> None:
        """Post a message; as words alone where Slack refuses its form."""
        from slack_sdk.errors import SlackApiError

        message = job.messages[number]
        try:
            self._show(job, message, number)
        except SlackApiError as error:
            _log.error(
                "a message of %s was refused (%s); it is posted as words alone", job.mark, error_of(error)
            )
            words = SlackMessage(message["text"], sections([Piece(message["text"])]))
            name = message["blocks"][0].get("block_id")
            words.blocks[0] |= {"block_id": name} if name else {}
            try:
                self._show(job, words.to_dict(), number)
            except SlackApiError as again:
                raise ClosedError(error_of(again)) from None

    def _show(self, job: Job, message: Mapping[str, Any], number: int) -> None:
        """Post one message, and note that it is."""
        task = job.task
        if task.get("url"):
            with self._failures():
                respond(task["url"], message, replaces=bool(task.get("replaces")) and number == 0)
            job.sent.append("")
        elif number == 0 and job.placeholder and self._replace(job, message):
            job.sent.append(job.placeholder)
        else:
            job.sent.append(self._post(job, message))

    def _replace(self, job: Job, message: Mapping[str, Any]) -> bool:
        """Replace the placeholder; False if it is gone."""
        with self._failures():
            try:
                self._client.chat_update(channel=job.task["channel"], ts=job.placeholder, **message)
            except failures() as error:
                if error_of(error) not in _GONE:
                    raise
                return False
        return True

    def _post(self, job: Job, message: Mapping[str, Any]) -> str:
        with self._failures():
            thread = job.task.get("thread") or None
            reply = self._client.chat_postMessage(
                channel=job.task["channel"], thread_ts=thread, **message, **_STILL
            )
        return str(reply.get("ts") or "")

    def _find(self, job: Job) -> None:
        """Find what Slack has of a job's messages; placeholders that are left over are deleted."""
        there: dict[str, list[str]] = {}
        for message in self._own(job):
            mark, part = mark_of(message)
            if mark == job.mark:
                there.setdefault(part, []).append(str(message["ts"]))
        while found := there.get(str(len(job.sent))):
            job.sent.append(found[0])
        placeholders = there.get(_PLACEHOLDER, [])
        if not job.sent and not job.placeholder and placeholders:
            job.placeholder = placeholders[0]
        for at in placeholders:
            if at == job.placeholder:
                continue
            with self._failures():
                self._client.chat_delete(channel=job.task["channel"], ts=at)

    def _own(self, job: Job) -> Iterator[Mapping[str, Any]]:
        """Yield the bot's messages where the job's messages go."""
        channel, thread, cursor = job.task["channel"], job.task.get("thread"), None
        while True:
            with self._failures():
                try:
                    if thread:
                        reply = self._client.conversations_replies(
                            channel=channel, ts=thread, oldest=job.task["since"], limit=_PAGE, cursor=cursor
                        )
                    else:
                        reply = self._client.conversations_history(
                            channel=channel, oldest=job.task["since"], limit=_PAGE, cursor=cursor
                        )
                except failures() as error:
                    if error_of(error) in _UNREADABLE:
                        return
                    raise
            yield from (each for each in reply.get("messages") or () if each.get("user") == self._bot)
            cursor = (reply.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                return

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Raise failures of requests as what they mean for the job."""
        from slack_sdk.errors import SlackApiError

        try:
            yield
        except ExpiredError as error:
            raise ClosedError(str(error)) from None
        except failures() as error:
            reason = error_of(error)
            if reason in _CLOSED:
                raise ClosedError(reason) from None
            if isinstance(error, SlackApiError) and reason in _REFUSED:
                raise
            raise TryAgainError(f"Slack does not take a request ({reason or error})") from None
