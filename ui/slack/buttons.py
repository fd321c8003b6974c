"""The buttons below answers; their data is stored on disk, so that they work after a restart."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ingest.document import Language
from ingest.errors import TorchnotesError
from ui.shared.rating import rating
from ui.slack import bot_messages as words
from ui.slack.blocks import ACTION, BAD, GOOD, NEAREST, OTHER, QUOTES, SlackMessage, line_message
from ui.slack.incoming import MessageLocation, read_place
from ui.slack.rating import rated, read_form, reason_form
from ui.slack.reply_targets import PrivateReply, ReplyTarget, ThreadReply
from ui.slack.service import Service

_log = logging.getLogger(__name__)
_ONCE = (QUOTES, NEAREST, OTHER)  # in a thread, a second press would only repeat the message


@dataclass(frozen=True, slots=True)
class Press:
    """A press of a button.

    Attributes:
        place: location of the message.
        user: user who pressed it.
        does: suffix of its action_id.
        kept: id of the answer.
        thread: time stamp of the answer's thread.
        private: only this user sees the answer.
        url: response URL.
        trigger: id for opening a form, valid for three seconds.
        at: time stamp of the press, the same if Slack sends it again.
    """

    place: MessageLocation
    user: str
    does: str
    kept: str
    thread: str
    private: bool
    url: str
    trigger: str
    at: str

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Press:
        """Parse the request.

        Args:
            body: body of the request.
        """
        action, held = body["actions"][0], body.get("container") or {}
        message = body.get("message") or {}
        thread = held.get("thread_ts") or message.get("thread_ts") or held.get("message_ts") or ""
        return cls(
            place=read_place(body),
            user=str(body["user"]["id"]),
            does=str(action["action_id"]).removeprefix(ACTION),
            kept=str(action.get("value") or ""),
            thread=str(thread),
            private=bool(held.get("is_ephemeral")),
            url=str(body.get("response_url") or ""),
            trigger=str(body.get("trigger_id") or ""),
            at=str(action.get("action_ts") or body.get("trigger_id")),
        )


class Buttons:
    """Handles the buttons of a service's answers.

    Args:
        service: the service.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._rate = rating(service.app_state)

    def press(self, body: Mapping[str, Any]) -> None:
        """Handle a press in the background.

        Args:
            body: body of the request.
        """
        press = Press.read(body)
        door = self._service.door
        if door.knows(press.place.teams) and door.opens(press.place):
            self._service.pools.soon(partial(self._press, press))

    def form(self, body: Mapping[str, Any]) -> None:
        """Handle a submitted feedback form in the background.

        Args:
            body: body of the request.
        """
        place = read_place(body)
        if self._service.door.knows(place.teams):
            kept, reason, comment = read_form(body["view"])
            self._service.pools.soon(partial(self._explained, kept, str(body["user"]["id"]), reason, comment))

    def _press(self, press: Press) -> None:
        service = self._service
        if not service.state.claim(f"press:{press.kept}:{press.does}:{press.user}:{press.at}"):
            return
        kept = service.state.kept(press.kept)
        if kept is None:
            self._tell(press, "\n".join(words.FORGOTTEN.values()))
            return
        language: Language = kept["language"]
        if press.does in (GOOD, BAD):
            self._thumb(press, kept, language)
            return
        if press.does not in _ONCE:
            return
        if not press.private and not service.state.claim(f"shown:{press.kept}:{press.does}:{press.thread}"):
            self._tell(press, words.SHOWN[language])
        elif press.does == OTHER:
            service.again(kept, self._outlet(press), "en" if language == "zh" else "zh")
        else:
            found = [SlackMessage(**each) for each in kept[press.does]]
            self._outlet(press).show(found, language)

    def _thumb(self, press: Press, kept: Mapping[str, Any], language: Language) -> None:
        good = press.does == GOOD
        reply = self._rate(rated(kept["record"], press.user, good))
        if not good and press.trigger:
            self._ask_why(press, language)
        self._tell(press, reply.get("error") or words.THANKS[language])

    def _ask_why(self, press: Press, language: Language) -> None:
        """Open the form; if the three seconds have passed, the rating is stored without a reason."""
        from slack_sdk.errors import SlackApiError

        view = reason_form(press.kept, language)
        try:
            self._service.client.views_open(trigger_id=press.trigger, view=view)
        except SlackApiError as error:
            _log.warning("no form was opened: %s", error.response.get("error"))

    def _explained(self, answer: str, user: str, reason: str, comment: str) -> None:
        kept = self._service.state.kept(answer)
        if kept is not None:
            reply = self._rate(rated(kept["record"], user, False, reason, comment))
            if "error" in reply:
                raise TorchnotesError(reply["error"])

    def _outlet(self, press: Press) -> ReplyTarget:
        if press.private:
            return PrivateReply(press.url, replaces=False)
        return ThreadReply(self._service.client, press.place.channel, press.thread)

    def _tell(self, press: Press, line: str) -> None:
        """Show a line to the user only."""
        PrivateReply(press.url, replaces=False).show([line_message(line)], "en")
