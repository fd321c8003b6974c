"""Metrics for Prometheus. Imports prometheus_client, which is optional: import this module lazily."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import get_args

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from assistant.answer import Outcome
from assistant.observation import Ending, Observation

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_STAGES = ("understand", "embed", "retrieve", "gate", "extract", "compose")
_MODEL_STEPS = ("rewrite", "tools", "write", "judge")


@dataclass(frozen=True, slots=True)
class ServerState:
    """What a server is like at one moment.

    Attributes:
        ready: whether it takes questions.
        waiting: questions that wait for a place.
        running: questions that are being answered.
        refused: questions that were refused, for too many were waiting or the server was stopping.
        versions: versions that answers depend on.
        created: when the index was written, ISO 8601; "" if unknown.
        documents: documents in the index.
        chunks: chunks in the index.
    """

    ready: bool
    waiting: int
    running: int
    refused: int
    versions: Mapping[str, str]
    created: str
    documents: int
    chunks: int


class Metrics:
    """Counts and times answers, and reads the state of the server when it is asked for the metrics."""

    def __init__(self) -> None:
        # When a series began: as many lines again, which Prometheus does not need.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = CollectorRegistry(auto_describe=True)
        ProcessCollector(registry=self._registry)
        self._stages = Histogram(
            "torchnotes_stage_seconds",
            "Seconds of a stage of an answer.",
            ["stage"],
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._seconds = Histogram(
            "torchnotes_answer_seconds",
            "Seconds from a question to the end of its answer, without waiting for a place.",
            ["ending"],
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._answers = Counter(
            "torchnotes_answers",
            "Questions by how they ended, and who wrote the answer: the notes or a language model.",
            ["ending", "writer"],
            registry=self._registry,
        )
        self._statements = Counter(
            "torchnotes_statements",
            "Statements of a language model by the outcome of their proof.",
            ["outcome"],
            registry=self._registry,
        )
        self._errors = Counter(
            "torchnotes_model_errors",
            "Failures of the language model by what it was asked for.",
            ["step"],
            registry=self._registry,
        )
        # Series that are there from the start: a rate cannot be told of one that begins with its first event.
        for stage in _STAGES:
            self._stages.labels(stage)
        for ending in get_args(Ending):
            self._seconds.labels(ending)
            self._answers.labels(ending, "notes")
        for outcome in get_args(Outcome):
            self._statements.labels(outcome)
        for step in _MODEL_STEPS:
            self._errors.labels(step)

    def observe(self, seen: Observation) -> None:
        """Count a question whose answer has ended.

        Args:
            seen: the question and its answer.
        """
        answer = seen.answer
        self._answers.labels(seen.ending, "model" if answer and answer.model else "notes").inc()
        self._seconds.labels(seen.ending).observe(seen.seconds)
        if answer is None:
            return
        for stage, seconds in answer.timings.items():
            self._stages.labels(stage).observe(seconds)
        for sentence in answer.sentences:
            self._statements.labels(sentence.outcome).inc()
        for error in answer.model_errors:
            self._errors.labels(error.step).inc()

    def watch(self, state: Callable[[], ServerState]) -> None:
        """Tell the state of a server among the metrics.

        Args:
            state: returns the state; called for each reading of the metrics.
        """
        self._registry.register(_StateCollector(state))

    def exposition(self, accept: str) -> tuple[bytes, str]:
        """Return the metrics and their content type.

        Args:
            accept: `Accept` header of the request, which may ask for OpenMetrics.
        """
        encode, content_type = choose_encoder(accept)
        return encode(self._registry), content_type


class _StateCollector(Collector):
    """Reads the state of the server.

    Args:
        state: returns it.
    """

    def __init__(self, state: Callable[[], ServerState]) -> None:
        self._state = state

    def describe(self) -> Iterator[Metric]:
        """Return nothing: the names need no state, and there may be none yet."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics."""
        state = self._state()
        yield _gauge("ready", "Whether the server takes questions.", state.ready)
        yield _gauge("questions_waiting", "Questions that wait for a place.", state.waiting)
        yield _gauge("questions_running", "Questions that are being answered.", state.running)
        refused = CounterMetricFamily("torchnotes_questions_refused", "Questions that were refused a place.")
        refused.add_metric([], state.refused)
        yield refused
        info = InfoMetricFamily("torchnotes_versions", "Versions that answers depend on.")
        info.add_metric([], dict(state.versions))
        yield info
        number = state.versions.get("index", "").partition("-")[0]
        if number.isdecimal():
            yield _gauge("index_generation", "Number of the generation of the index.", int(number))
        if state.created:
            created = datetime.fromisoformat(state.created).timestamp()
            yield _gauge("index_created_timestamp_seconds", "When the index was written.", created)
            yield _gauge("index_age_seconds", "Seconds since the index was written.", time.time() - created)
        yield _gauge("index_documents", "Documents in the index.", state.documents)
        yield _gauge("index_chunks", "Chunks in the index.", state.chunks)


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(f"torchnotes_{name}", meaning, value=float(value))
