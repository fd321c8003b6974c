"""The log of a server: lines of text or JSON on standard error, without secrets and questions."""

from __future__ import annotations

import json
import logging
import sys
from datetime import datetime, timezone
from typing import Any

from assistant.settings import Settings
from ui.operations.request_context import current_request
from ui.operations.secrets import Secrets
from ui.shared.console import one_line

#: Our packages. The level is that of their loggers: other libraries may log what they send.
PACKAGES = ("assistant", "corpus", "index", "ingest", "ui")
_QUESTION = "[question]"


def configure_logs(settings: Settings, secrets: Secrets) -> None:
    """Configure logging of this process.

    Args:
        settings: user settings, with level and format.
        secrets: hidden in all lines.
    """
    shown = JsonLines if settings.log_format == "json" else TextLines
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(shown(secrets, questions=settings.log_questions))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.captureWarnings(settings.log_format == "json")  # else they would be lines without form
    for package in PACKAGES:
        logging.getLogger(package).setLevel(settings.log_level.upper())


class _Lines(logging.Formatter):
    """Formats records without secrets, and without the question that is being answered.

    Args:
        secrets: hidden in all lines.
        questions: whether the text of questions is shown.
    """

    def __init__(self, secrets: Secrets, *, questions: bool) -> None:
        super().__init__()
        self._secrets = secrets
        self._questions = questions

    def hidden(self, text: str) -> str:
        """Return a text without what is not shown.

        Args:
            text: a message, a field, or a traceback.
        """
        question = current_request().question.strip()
        if question and not self._questions:
            text = text.replace(question, _QUESTION).replace(repr(question)[1:-1], _QUESTION)
        return self._secrets.hide(text)

    def fields(self, record: logging.LogRecord) -> list[tuple[str, object]]:
        """Return the fields of a record beside its message, given as `extra={"fields": ...}`.

        Args:
            record: the record.
        """
        return [(name, self.shown(value)) for name, value in getattr(record, "fields", {}).items()]

    def shown(self, value: object) -> object:
        """Return a field without what is not shown.

        Args:
            value: a JSON-serializable value, or any other, which is shown as text.
        """
        if isinstance(value, dict):
            return {str(key): self.shown(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.shown(each) for each in value]
        return value if isinstance(value, int | float | None) else self.hidden(str(value))


class TextLines(_Lines):
    """A line of text for each record, and the traceback below it, if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line.

        Args:
            record: the record.
        """
        id_ = current_request().id
        shown = [f"{name}={json.dumps(each, ensure_ascii=False)}" for name, each in self.fields(record)]
        message = one_line(self.hidden(record.getMessage()))
        parts = (record.levelname, f"{record.name}:", message, one_line(" ".join(shown)), id_ and f"[{id_}]")
        line = " ".join(filter(None, parts))
        trace = self.formatException(record.exc_info) if record.exc_info else ""
        return f"{line}\n{self.hidden(trace)}" if trace else line


class JsonLines(_Lines):
    """A JSON object on one line for each record: time, level, logger, message, request, fields, error."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line.

        Args:
            record: the record.
        """
        when = datetime.fromtimestamp(record.created, timezone.utc)
        told: dict[str, Any] = {
            "time": when.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self.hidden(record.getMessage()),
        }
        if id_ := current_request().id:
            told["request"] = id_
        told |= dict(self.fields(record))
        if record.exc_info and record.exc_info[0] is not None:
            told["error"] = {
                "type": record.exc_info[0].__name__,
                "message": self.hidden(str(record.exc_info[1])),
                "trace": self.hidden(self.formatException(record.exc_info)),
            }
        return json.dumps(told, ensure_ascii=False, default=str)
