"""The step of a job that answers its question."""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assistant.answer import Answer
from assistant.feedback.store import record
from assistant.query.question_language import question_language
from assistant.query.validation import MAX_QUESTION
from assistant.upgrade.pasted import NotPythonError
from ingest.document import Language
from ingest.errors import TorchnotesError
from ui.operations.request_context import request_context
from ui.shared.app_state import AppState
from ui.slack import bot_messages as words
from ui.slack.addressed import for_bot, in_context, needs_context
from ui.slack.asked import ContextualQuestion
from ui.slack.attachments import FileReader
from ui.slack.blocks import (
    HELP,
    SHARE,
    SlackMessage,
    all_marked,
    answer_messages,
    line_message,
    nearest_messages,
    quote_messages,
)
from ui.slack.code_fences import words_around
from ui.slack.conversation import Conversations, ThreadReading
from ui.slack.incoming import IncomingQuestion
from ui.slack.jobs import Job
from ui.slack.message_limits import shortened
from ui.slack.mrkdwn import plain
from ui.slack.reception import ready
from ui.slack.snippets import findings_messages, is_torch_code, wants_findings
from ui.slack.state import State
from ui.slack.worker import TryAgainError

if TYPE_CHECKING:
    from ui.slack.modes import ChannelModes

_ATTEMPTS = 3  # to answer a question: one that kills its worker must not kill all of them
_EARLY = 5  # attempts that wait for a question before
_WITHOUT_FILES = 8  # attempts after which a question is answered without files that Slack does not give
_LONGEST_LEAD = 300  # characters of a question shown above its private answer
_USES = 5  # maximum number of messages to a response URL
_log = logging.getLogger(__name__)


class Asker:
    """Answers questions.

    Args:
        app_state: shared state, with the assistant.
        state: persistent state.
        conversations: reads what precedes a message.
        files: reads attached files.
        modes: when the bot speaks without being mentioned.
        offers_help: a person or channel is configured for questions that need help.
    """

    def __init__(
        self,
        app_state: AppState,
        state: State,
        conversations: Conversations,
        files: FileReader,
        modes: ChannelModes,
        *,
        offers_help: bool,
    ) -> None:
        self._app_state = app_state
        self._state = state
        self._conversations = conversations
        self._files = files
        self._modes = modes
        self._offers_help = offers_help

    def answer(self, job: Job) -> None:
        """Answer a question, or find that it is not for the bot.

        Args:
            job: the job; its messages are stored before they are posted.
        """
        if self._cancelled(job):
            language = question_language(job.task["text"])
            self._finish(job, [line_message(words.CANCELLED[language])] if job.placeholder else [])
            return
        job.attempts += 1
        self._save(job)  # what ends this process must not end each one that takes the job over
        try:
            self._begin(job)
        except TryAgainError:
            job.attempts -= 1  # this process has survived it
            raise

    def _begin(self, job: Job) -> None:
        if job.attempts > _ATTEMPTS:
            _log.error("%s: %d attempts to answer ended with their process", job.mark, job.attempts - 1)
            self._finish(job, [line_message(words.BROKEN[question_language(job.task["text"])])])
            return
        if self._snippet(job):
            return
        question = self._question(job)
        if question is None:
            job.stage = "done"
            return
        count = max(len(question.text), len(unicodedata.normalize("NFKC", question.text)))
        if count > MAX_QUESTION:
            line = words.TOO_LONG[question.spoken_in].format(count=count, most=MAX_QUESTION)
            self._finish(job, [line_message(line)])
            return
        try:
            answer = self._asked(question, job.mark)
            if answer.abstained and question.said:
                question = question.after_what_was_said()
                answer = self._asked(question, job.mark)
        except TorchnotesError as error:
            line = words.CANNOT[question.spoken_in].format(reason=error)
            self._finish(job, [line_message(line)])
        except Exception:  # noqa: BLE001 - readers see one line, the log has the details
            with request_context(job.mark, question.text):
                _log.exception("a question was not answered")
            self._finish(job, [line_message(words.BROKEN[question.spoken_in])])
        else:
            if answer.abstained and not _expected(job.task):
                job.stage = "done"
            else:
                self._answered(job, question, answer)

    def _save(self, job: Job) -> None:
        """Save a job before what may end this process; a failure is only logged, and it is answered."""
        try:
            self._state.jobs.save(job)
        except TorchnotesError as error:
            _log.error("%s", error)

    def _asked(self, question: ContextualQuestion, mark: str) -> Answer:
        with request_context(mark, question.text):
            assistant = self._app_state.assistant()
            return assistant.ask(question.text, question.history, language=question.language)

    def _snippet(self, job: Job) -> bool:
        """Reply with what an upgrade breaks in the code of a message; False if it does not ask that."""
        task = job.task
        asked = IncomingQuestion.from_task(task) if task["kind"] == "message" else None
        text = words_around(asked.text) if asked else ""
        if asked is None or not asked.mentioned or not wants_findings(text):
            return False
        language = question_language(text)
        code = asked.code
        if not code and job.failures < _WITHOUT_FILES:
            code = self._files.code(asked.files, language)
        if not is_torch_code(code):
            return False
        if not text and asked.thread != asked.at:  # the words before tell the language
            before = self._conversations.read(asked).thread
            language = question_language(" ".join((*before.history[-1:], *before.said)))
        try:
            found = findings_messages(text, code, language)
        except NotPythonError:
            return False
        except TorchnotesError as error:
            found = [line_message(words.CANNOT[language].format(reason=error))]
        job.messages = all_marked(found, job.mark, task["asked_at"])
        job.stage = "ready"
        return True

    def _question(self, job: Job) -> ContextualQuestion | None:
        """Return what to ask; None if the message is not for the bot, or its reply is ready."""
        task = job.task
        if task["kind"] != "message":
            given: Language | None = task.get("language")
            language = given or question_language(task["text"])
            return ContextualQuestion(
                task["text"],
                tuple(task["history"]),
                language=given,
                spoken_in=language,
                notes=tuple(task["notes"]),
            )
        asked = IncomingQuestion.from_task(task)
        reading = self._conversations.read(asked)
        if job.failures < _EARLY and (reading.early or self._follows(job)):
            raise TryAgainError("a question before it has not come, or is not answered yet")
        if not asked.mentioned and not self._speaks(asked, reading):
            return None
        return self._with_context(asked, reading, patient=job.failures < _WITHOUT_FILES)

    def _follows(self, job: Job) -> bool:
        try:
            return self._state.jobs.follows(job)
        except TorchnotesError as error:
            _log.error("%s", error)
            return False

    def _speaks(self, asked: IncomingQuestion, reading: ThreadReading) -> bool:
        """Return whether to answer a question that does not mention the bot."""
        everywhere = self._modes.answers_all(asked.place.channel)
        if reading.muted or not (reading.thread.joined or everywhere):
            return False
        thread = reading.thread
        return for_bot(asked.text, after_bot=thread.after_bot, named=thread.named)

    def _with_context(
        self, asked: IncomingQuestion, reading: ThreadReading, *, patient: bool
    ) -> ContextualQuestion:
        """Add what people said before, and attached files, where the question needs them."""
        thread = reading.thread
        language = question_language(asked.text or " ".join(thread.said))
        text, bare, notes, files = asked.text, asked.text, [], asked.files
        said = thread.said if asked.mentioned and needs_context(text) else ()
        if said:
            text = in_context(text, said)
            shown = shortened(" · ".join(said), _LONGEST_LEAD)
            notes.append(words.READ_WITH[language].format(said=plain(shown)))
        if asked.mentioned and needs_context(asked.text):
            own = {file.name for file in files}
            files += tuple(file for file in thread.files if file.name not in own)
        if files:
            room = MAX_QUESTION - len(text) - 100
            found = self._files.read(files, room, language, patient=patient)
            text, bare = ("\n\n".join(filter(None, (each, found.text))) for each in (text, bare))
            notes += found.notes
        return ContextualQuestion(text, thread.history, said, bare, None, language, tuple(notes))

    def _answered(self, job: Job, question: ContextualQuestion, answer: Answer) -> None:
        """Store an answer with what its buttons need, in one transaction with the job."""
        task = job.task
        kept = record(answer, history=question.history)
        private = bool(task.get("url"))
        extra = [SHARE] if private else [HELP] if self._offers_help else []
        lead = " · ".join(filter(None, (task.get("lead", ""), *question.notes)))
        messages = answer_messages(answer, kept["answer_id"], lead, extra)
        if private:
            messages = _fitting(messages, answer.language)
        job.messages = all_marked(messages, job.mark, "" if private else task["asked_at"])
        job.stage = "ready"
        needed = {
            "question": question.text,
            "asked": task["text"],
            "history": list(question.history),
            "notes": list(question.notes),
            "asked_at": task["asked_at"],
            "language": answer.language,
            "asker": self._state.hashed(task["user"]),
            "mark": job.mark,
            "record": kept,
            "quotes": [message.to_dict() for message in quote_messages(answer)],
            "nearest": [message.to_dict() for message in nearest_messages(answer)],
            "messages": [message.to_dict() for message in messages] if private else [],
        }
        mention = "" if _expected(task) else IncomingQuestion.from_task(task).mention_key
        try:
            if not self._state.keep(kept["answer_id"], needed, save=job, claim=mention):
                job.stage = "done"  # it was edited into a mention meanwhile, which is answered
        except TorchnotesError as error:
            _log.error("%s", error)

    def _cancelled(self, job: Job) -> bool:
        """Return whether a job is cancelled; False (logged) if that is unknown."""
        try:
            return self._state.jobs.cancelled(job)
        except TorchnotesError as error:
            _log.error("%s", error)
            return False

    def _finish(self, job: Job, messages: Sequence[SlackMessage]) -> None:
        """Show a line instead of an answer; nothing where nobody expects one."""
        if messages and _expected(job.task):
            ready(job, messages)
        else:
            job.stage = "done"


def _expected(task: Mapping[str, Any]) -> bool:
    """Return whether somebody waits for a reply: not where the bot was not mentioned."""
    return bool(task.get("mentioned", True))


def _fitting(messages: list[SlackMessage], language: Language) -> list[SlackMessage]:
    """Return as many messages as a response URL takes; a note replaces those that are too many."""
    if len(messages) <= _USES:
        return messages
    return [*messages[: _USES - 2], line_message(words.CUT[language]), messages[-1]]
