"""The buttons below answers; their data is stored on disk, so that they work after a restart."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ingest.document import Language
from ingest.errors import TorchnotesError
from ui.shared.app_state import AppState
from ui.shared.rating import rating
from ui.slack import bot_messages as words
from ui.slack.blocks import (
    ACTION,
    BAD,
    DELETE,
    GOOD,
    HELP,
    NEAREST,
    OTHER,
    QUOTES,
    SHARE,
    SlackMessage,
    all_marked,
    mark_of,
    text_message,
)
from ui.slack.jobs import Job
from ui.slack.message_limits import context, shortened
from ui.slack.mrkdwn import link, plain
from ui.slack.press import Press
from ui.slack.rating import rated, reason_form
from ui.slack.state import State
from ui.slack.thread import whole_thread
from ui.slack.web_api import error_of, failures, remove_private, tell
from ui.slack.worker import TryAgainError

if TYPE_CHECKING:
    from slack_sdk import WebClient

_LONGEST_LEAD = 300  # characters of a question
_MADE_OF = {
    QUOTES: "q",
    NEAREST: "n",
    HELP: "h",
}  # appended to the answer's mark, so that it is found with it
_log = logging.getLogger(__name__)


class Presses:
    """Does what the buttons of answers say.

    Args:
        app_state: shared state, with the store of ratings.
        client: client of the Web API.
        state: persistent state.
        helper: id of the person, group or channel for questions that still need help; "" for none.
    """

    def __init__(self, app_state: AppState, client: WebClient, state: State, helper: str) -> None:
        self._client = client
        self._state = state
        self._helper = helper
        self._rate = rating(app_state)

    def receive(self, job: Job) -> None:
        """Do what a button says, or prepare the messages.

        Args:
            job: job of the press.
        """
        press = Press(**job.task["press"])
        kept = self._state.kept(press.kept)
        job.stage = "done"
        if kept is None:
            tell(press.url, press.spoken_in(words.FORGOTTEN))
        elif press.does in (GOOD, BAD):
            self._thumb(press, kept)
        elif press.does == DELETE:
            self._delete(press, kept)
        elif press.does in (QUOTES, NEAREST, OTHER, SHARE, HELP):
            self._post(job, press, kept)

    def explained(self, answer: str, user: str, reason: str, comment: str) -> None:
        """Store why an answer is not right.

        Args:
            answer: id of the answer.
            user: user who says so.
            reason: key of the reason.
            comment: comment of the user.

        Raises:
            TorchnotesError: it cannot be stored.
        """
        kept = self._state.kept(answer)
        if kept is not None:
            reply = self._rate(rated(kept["record"], self._reader(user), False, reason, comment))
            if "error" in reply:
                raise TorchnotesError(reply["error"])

    def delivered(self, job: Job) -> None:
        """Tell who pressed a button that it was done, where that is not to be seen.

        Args:
            job: the job, whose messages are posted.
        """
        press = _press_of(job)
        if press and press.does == SHARE:
            tell(press.url, press.spoken_in(words.SHARED))
        elif press and press.does == HELP and self._helper_is_channel():
            tell(press.url, press.spoken_in(words.HELP_ASKED).format(helper=f"#{self._helper}"))

    def refused(self, job: Job) -> None:
        """Tell who pressed a button that nothing can be posted.

        Args:
            job: the job.
        """
        press = _press_of(job)
        if press and press.does in (SHARE, HELP):
            self._state.unclaim(_shown(press))
            tell(press.url, press.spoken_in(words.UNSHARED))

    def _post(self, job: Job, press: Press, kept: Mapping[str, Any]) -> None:
        """Prepare what a button posts: in a thread once, because a second press would only repeat it."""
        mark = str(kept.get("mark") or job.mark)
        job.stage = "ready"
        if press.does == OTHER:
            self._ask_again(job, kept)
        elif press.does == SHARE:
            job.task |= {"thread": "", "since": press.at, "url": ""}
            job.messages = all_marked(_shared(press, kept), job.mark)
        else:
            job.mark = f"{mark}{_MADE_OF[press.does]}"
            found = [SlackMessage(**each) for each in kept.get(press.does) or ()]
            if press.does == HELP:
                found = [self._call_for_help(job, press)]
            job.messages = all_marked(found, job.mark)
        once = not press.private or press.does == SHARE
        if once and not self._state.claim(_shown(press), save=job):
            job.stage = "done"
            tell(press.url, press.spoken_in(words.SHOWN))

    def _ask_again(self, job: Job, kept: Mapping[str, Any]) -> None:
        """Make the press a question in the other language."""
        other: Language = "en" if kept["language"] == "zh" else "zh"
        names = ("history", "asked_at")
        job.task |= {name: kept[name] for name in names} | {"notes": kept.get("notes") or []}
        job.task |= {"kind": "again", "text": kept["question"], "language": other}
        job.stage = "received"

    def _call_for_help(self, job: Job, press: Press) -> SlackMessage:
        language: Language = "zh" if press.language == "zh" else "en"
        if not self._helper_is_channel():
            kind = "!subteam^" if self._helper.startswith("S") else "@"
            line = words.HELP_WANTED[language].format(helper=f"<{kind}{self._helper}>", user=press.user)
            return text_message(line)
        reply = self._client.chat_getPermalink(channel=press.channel, message_ts=press.message)
        address = link(str(reply.get("permalink")), words.HELP_THREAD[language])
        job.task |= {"channel": self._helper, "thread": "", "since": press.at}
        return text_message(words.HELP_ELSEWHERE[language].format(user=press.user, link=address))

    def _helper_is_channel(self) -> bool:
        return self._helper[:1] in ("C", "G")

    def _delete(self, press: Press, kept: Mapping[str, Any]) -> None:
        """Delete an answer with what its buttons posted; only who asked may."""
        if kept.get("asker") != self._state.hashed(press.user):
            tell(press.url, press.spoken_in(words.NOT_YOURS))
            return
        if press.private:
            remove_private(press.url)
        else:
            for message in self._thread(press):
                if mark_of(message)[0].startswith(kept["mark"]):
                    self._delete_message(press.channel, str(message["ts"]))
        self._state.forget(press.kept)
        if not press.private:
            tell(press.url, press.spoken_in(words.DELETED))

    def _thread(self, press: Press) -> list[Mapping[str, Any]]:
        try:
            return list(whole_thread(self._client, press.channel, press.thread))
        except failures() as error:
            raise TryAgainError(f"a thread is not read ({error_of(error) or error})") from None

    def _delete_message(self, channel: str, at: str) -> None:
        try:
            self._client.chat_delete(channel=channel, ts=at)
        except failures() as error:
            if error_of(error) != "message_not_found":
                raise TryAgainError(f"a message is not deleted ({error_of(error) or error})") from None

    def _thumb(self, press: Press, kept: Mapping[str, Any]) -> None:
        good = press.does == GOOD
        reply = self._rate(rated(kept["record"], self._reader(press.user), good))
        if not good and press.trigger:
            self._ask_why(press, kept["language"])
        tell(press.url, reply.get("error") or words.THANKS[kept["language"]])

    def _reader(self, user: str) -> str:
        return self._state.hashed(f"reader:{user}")[:12]

    def _ask_why(self, press: Press, language: Language) -> None:
        """Open the form; if the three seconds have passed, the rating is stored without a reason."""
        from slack_sdk.errors import SlackApiError

        view = reason_form(press.kept, language)
        try:
            self._client.views_open(trigger_id=press.trigger, view=view)
        except SlackApiError as error:
            _log.warning("no form was opened: %s", error_of(error))


def _shown(press: Press) -> str:
    """Return the key of what a button posts once."""
    return f"shown:{press.kept}:{press.does}:{press.channel}:{press.thread}"


def _press_of(job: Job) -> Press | None:
    return Press(**job.task["press"]) if job.task["kind"] == "press" else None


def _shared(press: Press, kept: Mapping[str, Any]) -> list[SlackMessage]:
    """Return the messages of a private answer as all see them: with who shared it, without that button."""
    language: Language = kept["language"]
    question = plain(shortened(" ".join(str(kept["asked"]).split()), _LONGEST_LEAD))
    lead = context(words.SHARED_BY[language].format(user=press.user, question=question))
    shared = []
    for number, each in enumerate(kept["messages"]):
        blocks = [_without_share(block) for block in each["blocks"]]
        if number == 0:
            own = words.PRIVATE[language].format(question=question)
            blocks = [lead, *(block for block in blocks if not _is_context(block, own))]
        shared.append(SlackMessage(each["text"], blocks))
    return shared


def _is_context(block: Mapping[str, Any], text: str) -> bool:
    return block["type"] == "context" and str(block["elements"][0]["text"]).startswith(text)


def _without_share(block: dict[str, Any]) -> dict[str, Any]:
    if block["type"] != "actions":
        return block
    kept = [each for each in block["elements"] if each["action_id"] != f"{ACTION}{SHARE}"]
    return {**block, "elements": kept}
