"""What observes answers: log, metrics and spans, as far as they are installed and asked for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from assistant.observation import Observation
from assistant.settings import Settings
from ingest.errors import TorchnotesError
from ui.operations.answer_log import AnswerLog
from ui.operations.logs import configure_logs
from ui.operations.secrets import Secrets

if TYPE_CHECKING:  # optional packages
    from ui.operations.metrics import Metrics
    from ui.operations.spans import Spans

INSTALL = 'pip install "torchnotes[ops]"'


class Operations:
    """Observes answers.

    Args:
        log: writes a line for each.
        metrics: counts and times them; None where prometheus_client is missing, or nobody reads them.
        spans: sends them to a collector; None for nowhere.

    Attributes:
        metrics: as given.
    """

    def __init__(
        self, log: AnswerLog | None = None, metrics: Metrics | None = None, spans: Spans | None = None
    ) -> None:
        self.metrics = metrics
        self._spans = spans
        self._observers = [each for each in (log or AnswerLog(), metrics, spans) if each is not None]

    @classmethod
    def of(cls, settings: Settings, *, metrics: bool = False) -> Operations:
        """Return what the settings ask for.

        Args:
            settings: user settings.
            metrics: whether the server tells metrics.

        Raises:
            TorchnotesError: spans are asked for, and OpenTelemetry is not installed.
        """
        return cls(
            AnswerLog(questions=settings.log_questions),
            load_metrics() if metrics else None,
            _load_spans(settings.otlp_url) if settings.otlp_url else None,
        )

    @classmethod
    def start(cls, settings: Settings, *secrets: str, metrics: bool = False) -> Operations:
        """Configure the log of this process, and return what the settings ask for.

        Args:
            settings: user settings.
            *secrets: hidden in the log besides those of the settings and the environment.
            metrics: whether the server tells metrics.

        Raises:
            TorchnotesError: as for `of`.
        """
        configure_logs(settings, Secrets.of(settings, os.environ, *secrets))
        return cls.of(settings, metrics=metrics)

    def observe(self, seen: Observation) -> None:
        """Tell each observer of a question whose answer has ended.

        Args:
            seen: the question and its answer.
        """
        for observer in self._observers:
            observer.observe(seen)

    def close(self) -> None:
        """Send the spans that are left."""
        if self._spans is not None:
            self._spans.close()


def load_metrics() -> Metrics | None:
    """Return new metrics, None if prometheus_client is not installed."""
    try:
        from ui.operations.metrics import Metrics
    except ModuleNotFoundError:
        return None
    return Metrics()


def _load_spans(url: str) -> Spans:
    try:
        from ui.operations.spans import Spans
    except ModuleNotFoundError as error:
        raise TorchnotesError(
            f"TORCHNOTES_OTLP_URL is set, and spans need {error.name}, which is not installed; "
            f"type `{INSTALL}`, or unset it"
        ) from None
    return Spans(url)
