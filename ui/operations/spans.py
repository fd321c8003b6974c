"""Spans of answers for OpenTelemetry. Imports its SDK, which is optional: import this module lazily."""

from __future__ import annotations

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, Status, StatusCode, set_span_in_context

from assistant.observation import Observation
from assistant.versions import own_version
from ui.operations.request_context import current_request

_TIMEOUT = 5.0  # seconds for one request to the collector


class Spans:
    """Sends a span for each answer and its stages to a collector (OTLP over HTTP).

    The spans are made when an answer has ended, from the times that were taken: the steps of an answer that
    grows run in several threads, and none of them is slowed. They have no text of a question or an answer.

    Args:
        url: root of the collector, such as http://localhost:4318. Its headers, and a sampler, are taken from
            the variables that OpenTelemetry defines for them.
    """

    def __init__(self, url: str) -> None:
        resource = Resource.create({"service.name": "torchnotes", "service.version": own_version()})
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        exporter = OTLPSpanExporter(endpoint=f"{url}/v1/traces", timeout=_TIMEOUT)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("torchnotes")

    def observe(self, seen: Observation) -> None:
        """Send the spans of a question whose answer has ended.

        Args:
            seen: the question and its answer.
        """
        span = self._tracer.start_span("answer", start_time=_nanoseconds(seen.started))
        span.set_attribute("torchnotes.ending", seen.ending)
        if id_ := current_request().id:
            span.set_attribute("torchnotes.request", id_)
        if seen.error:
            span.set_status(Status(StatusCode.ERROR, seen.error))
        self._tell_answer(span, seen)
        span.end(_nanoseconds(seen.started + seen.seconds))

    def close(self) -> None:
        """Send what is left, for a few seconds at most."""
        self._provider.force_flush(int(_TIMEOUT * 1000))
        self._provider.shutdown()

    def _tell_answer(self, span: Span, seen: Observation) -> None:
        answer = seen.answer
        if answer is None:
            return
        span.set_attribute("torchnotes.language", answer.language)
        span.set_attribute("torchnotes.citations", len(answer.citations))
        for name, version in answer.versions.items():
            span.set_attribute(f"torchnotes.versions.{name}", version)
        if answer.model:
            span.set_attribute("gen_ai.request.model", answer.model)
        for error in answer.model_errors:
            span.add_event("language model failed", {"torchnotes.step": error.step})
        within = set_span_in_context(span)
        for stage in answer.stages:
            part = self._tracer.start_span(stage.stage, within, start_time=_nanoseconds(stage.started))
            part.end(_nanoseconds(stage.started + stage.seconds))


def _nanoseconds(seconds: float) -> int:
    return int(seconds * 1_000_000_000)
