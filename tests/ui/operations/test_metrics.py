"""Metrics, as Prometheus reads them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse_text

from assistant.answer import DraftSentence, ModelError
from assistant.observation import Ending, Observation
from tests.ui.answers import answer
from ui.operations.metrics import Metrics, ServerState

STATE = ServerState(
    ready=True,
    waiting=2,
    running=4,
    refused=1,
    versions={"torchnotes": "0.1.0", "index": "000012-0123456789abcdef", "corpus": "c", "reader": ""},
    created="2026-11-26T00:00:00+00:00",
    documents=3,
    chunks=30,
)
Series = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def read(metrics: Metrics, accept: str = "") -> Series:
    """All series, as the parser of Prometheus's own library reads them."""
    body, kind = metrics.exposition(accept)
    parse = parse_openmetrics if kind.startswith("application/openmetrics-text") else parse_text
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in parse(body.decode())
        for sample in family.samples
    }


def value(series: Series, name: str, **labels: str) -> float:
    return series[f"torchnotes_{name}", tuple(sorted(labels.items()))]


def observe(metrics: Metrics, ending: Ending, **of_answer: Any) -> None:
    made = replace(answer("text [1]", ["text"]), **of_answer)
    metrics.observe(Observation("q", ending, 1.0, 0.2, made))


@pytest.mark.parametrize("accept", ["", "application/openmetrics-text; version=1.0.0"])
def test_what_answers_came_to_is_counted(accept: str) -> None:
    metrics = Metrics()
    metrics.watch(lambda: STATE)
    drafted = tuple(DraftSentence("s", outcome) for outcome in ("proved", "proved", "contradicted"))
    observe(metrics, "answered", timings={"embed": 0.004, "write": 7.0}, model="m", sentences=drafted)
    observe(metrics, "declined", timings={"embed": 0.3}, model_errors=(ModelError("write", "down"),))
    metrics.observe(Observation("q", "failed", 1.0, 2.0, None, "ValueError"))
    series = read(metrics, accept)
    assert value(series, "answers_total", ending="answered", writer="model") == 1
    assert value(series, "answers_total", ending="declined", writer="notes") == 1
    assert value(series, "answers_total", ending="failed", writer="notes") == 1
    assert value(series, "answers_total", ending="talk", writer="notes") == 0, "there from the start"
    assert value(series, "statements_total", outcome="proved") == 2
    assert value(series, "statements_total", outcome="contradicted") == 1
    assert value(series, "statements_total", outcome="unconfirmed") == 0
    assert value(series, "model_errors_total", step="write") == 1
    assert value(series, "stage_seconds_count", stage="embed") == 2
    assert value(series, "stage_seconds_sum", stage="embed") == pytest.approx(0.304)
    assert value(series, "stage_seconds_bucket", stage="embed", le="0.005") == 1
    assert value(series, "stage_seconds_bucket", stage="write", le="10.0") == 1
    assert value(series, "answer_seconds_count", ending="failed") == 1


def test_the_state_is_read_when_it_is_asked_for() -> None:
    metrics, states = Metrics(), [STATE]
    metrics.watch(lambda: states[-1])
    series = read(metrics)
    assert value(series, "questions_waiting") == 2 and value(series, "questions_running") == 4
    assert value(series, "questions_refused_total") == 1 and value(series, "ready") == 1
    assert value(series, "index_generation") == 12 and value(series, "index_chunks") == 30
    assert value(series, "index_age_seconds") > 0
    assert value(series, "versions_info", **STATE.versions) == 1
    states.append(replace(STATE, ready=False, versions={"index": ""}, created=""))
    series = read(metrics)
    assert value(series, "ready") == 0 and ("torchnotes_index_generation", ()) not in series


def test_two_servers_in_a_process_count_apart() -> None:
    one, other = Metrics(), Metrics()
    observe(one, "answered")
    assert value(read(one), "answers_total", ending="answered", writer="notes") == 1
    assert value(read(other), "answers_total", ending="answered", writer="notes") == 0
