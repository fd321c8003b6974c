"""Spans, as a collector gets them over HTTP."""

from __future__ import annotations

import gzip
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from assistant.answer import StageSpan
from assistant.observation import Observation
from assistant.settings import Settings
from ingest.errors import TorchnotesError
from tests.local_server import LocalServer
from tests.ui.answers import answer
from ui.operations.operations import Operations
from ui.operations.request_context import request_context
from ui.operations.spans import Spans

QUESTION = "A question that nobody else may read?"


class Receiving(BaseHTTPRequestHandler):
    """Keeps what is sent."""

    served: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        packed = self.headers.get("content-encoding") == "gzip"
        self.served.sent.append((self.path, gzip.decompress(body) if packed else body))
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


class Collector(LocalServer):
    """A collector of spans."""

    def __init__(self) -> None:
        super().__init__(Receiving)
        self.sent: list[tuple[str, bytes]] = []

    def spans(self) -> list[Span]:
        """All spans, and what they came with."""
        request: Any = ExportTraceServiceRequest  # protobuf has no types
        found = [request.FromString(body) for _, body in self.sent]
        return [
            s for each in found for r in each.resource_spans for scope in r.scope_spans for s in scope.spans
        ]


def test_an_answer_is_a_span_with_its_stages_below_it() -> None:
    stages = (StageSpan("embed", 100.1, 0.2), StageSpan("gate", 100.3, 0.5))
    own = answer("The answer's own words [1]", ["quoted words"])
    made = replace(own, stages=stages, versions={"index": "000001-x"})
    with Collector() as collector, request_context("r-7", QUESTION):
        spans = Spans(collector.address)
        spans.observe(Observation(QUESTION, "answered", 100.0, 1.0, made))
        spans.close()
    assert {path for path, _ in collector.sent} == {"/v1/traces"}
    found = {span.name: span for span in collector.spans()}
    assert found.keys() == {"answer", "embed", "gate"}
    root = found["answer"]
    assert not root.parent_span_id and (root.start_time_unix_nano, root.end_time_unix_nano) == (
        100_000_000_000,
        101_000_000_000,
    )
    for name in ("embed", "gate"):
        assert found[name].parent_span_id == root.span_id and found[name].trace_id == root.trace_id
    assert found["gate"].end_time_unix_nano - found["gate"].start_time_unix_nano == 500_000_000
    told = {each.key: each.value.string_value or each.value.int_value for each in root.attributes}
    assert told["torchnotes.ending"] == "answered" and told["torchnotes.request"] == "r-7"
    assert told["torchnotes.versions.index"] == "000001-x" and told["torchnotes.citations"] == 1
    everything = b"".join(body for _, body in collector.sent)
    assert all(words.encode() not in everything for words in (QUESTION, "own words", "quoted words"))


def test_a_collector_that_is_down_holds_nobody_up(caplog: pytest.LogCaptureFixture) -> None:
    with Collector() as gone:
        address = gone.address
    spans = Spans(address)
    begun = time.monotonic()
    spans.observe(Observation(QUESTION, "failed", 100.0, 1.0, None, "ValueError"))
    assert time.monotonic() - begun < 0.5
    spans.close()
    assert time.monotonic() - begun < 12 and QUESTION not in caplog.text


def test_without_the_package_a_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ui.operations.spans", None)
    with pytest.raises(TorchnotesError, match=r'TORCHNOTES_OTLP_URL is set.*pip install "torchnotes\[ops\]"'):
        Operations.of(Settings(Path("home"), otlp_url="http://localhost:4318"))
    Operations.of(Settings(Path("home")))
