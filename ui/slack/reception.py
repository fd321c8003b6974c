"""The first step of a job: a question is acknowledged, a remark such as "help" has a short reply."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assistant.query.question_language import question_language
from ingest.document import Language
from ui.slack import bot_messages as words
from ui.slack.blocks import SlackMessage, all_marked, line_message, text_message
from ui.slack.conversation import Conversations
from ui.slack.delivery import Delivery
from ui.slack.incoming import IncomingQuestion
from ui.slack.jobs import Job
from ui.slack.remarks import Remark, remark
from ui.slack.state import State

_REPLIES: dict[Remark, dict[Language, str]] = {
    "help": words.HELP,
    "hello": words.HELLO,
    "who": words.WHO,
    "stop": words.STOPPED,
    "thanks": words.WELCOME,
}


class Reception:
    """Acknowledges questions, and replies to remarks.

    Args:
        state: persistent state.
        delivery: posts messages.
        conversations: tells which threads are the bot's.
        busy: returns whether many questions wait.
    """

    def __init__(
        self, state: State, delivery: Delivery, conversations: Conversations, busy: Callable[[], bool]
    ) -> None:
        self._state = state
        self._delivery = delivery
        self._conversations = conversations
        self._busy = busy

    def receive(self, job: Job) -> None:
        """Acknowledge a question, or reply to a remark such as "help".

        Args:
            job: the job.
        """
        task = job.task
        language = question_language(task["text"])
        said = remark(task["text"]) if task["kind"] == "message" else None
        asked = IncomingQuestion.from_task(task) if task["kind"] == "message" else None
        if said == "stop":
            self._stop(job, language)
        elif said and asked and asked.mentioned and not asked.files:
            ready(job, [text_message(_REPLIES[said][language])])
        elif asked and not (asked.text or asked.files):
            ready(job, [text_message("\n".join(words.EMPTY.values()))])
        else:
            job.stage = "waiting"
            if asked is None or asked.mentioned:
                line = (words.QUEUED if self._busy() else words.THINKING)[task.get("language") or language]
                self._delivery.acknowledge(job, line)

    def short_reply(self, text: str) -> str:
        """Return the reply to a slash command that is no question; "" if it is one.

        Args:
            text: text of the command.
        """
        said = remark(text)
        if said and said != "stop":
            return _REPLIES[said][question_language(text)]
        return "" if text else "\n".join(words.EMPTY.values())

    def _stop(self, job: Job, language: Language) -> None:
        """Cancel what is not answered in a thread, and be silent there until mentioned."""
        asked = IncomingQuestion.from_task(job.task)
        known = asked.mentioned or self._conversations.joined(asked.thread_key)
        if not known and not self._state.jobs.cancel(asked.lane):
            job.stage = "done"
            return
        self._state.jobs.cancel(asked.lane)
        if not asked.place.direct:
            self._state.join(asked.thread_key, muted=True)
        job.task["stopped"] = True
        ready(job, [line_message(words.STOPPED[language])])


def ready(job: Job, messages: Sequence[SlackMessage]) -> None:
    """Let messages be posted that are no answer.

    Args:
        job: the job.
        messages: the messages.
    """
    job.messages = all_marked(messages, job.mark)
    job.stage = "ready"
