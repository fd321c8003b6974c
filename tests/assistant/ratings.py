"""Feedback by hand, for tests of how it is kept and what is made of it."""

from __future__ import annotations

from typing import Any

from assistant.feedback.store import Feedback

QUOTE = "The default backend of TCPStore is `libuv` in PyTorch 2.4."
CITATION: dict[str, Any] = {
    "number": 1,
    "chunk_id": "c-1",
    "document_id": "user-2.4-en-0123456789",
    "release": "2.4",
    "url": "https://example.org/2.4#tcpstore",
    "quote": QUOTE,
}
RECORD: dict[str, Any] = {
    "answer_id": "answer-00000001",
    "question": "What is the default backend of TCPStore in 2.4?",
    "standalone": "What is the default backend of TCPStore in 2.4?",
    "history": ["What is TCPStore?"],
    "releases": [],
    "language": "en",
    "text": f"**PyTorch 2.4**\n{QUOTE} [1]",
    "abstained": False,
    "citations": [CITATION],
    "passages": ["c-1", "c-2"],
    "model": "",
    "versions": {"torchnotes": "0.1.0", "index": "000001-0123456789abcdef"},
    "good": True,
    "reason": "",
    "comment": "",
    "rated_at": "2026-05-09T07:35:00+00:00",
}


def rating(**changes: Any) -> Feedback:
    """The rating above, or another one."""
    return Feedback.parse(RECORD | changes)
