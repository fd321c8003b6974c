"""What becomes of the sentences of a strong model's drafts, from its server to the answer.

    python -m benchmarks.model_path [--drafts FILE] [--misses]

A local server that speaks the OpenAI chat API replays each recorded draft (`model_drafts`) to the real
client, over the passages that the draft was written from; its sentences are proved as for any answer.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.llm.client import LanguageModel
from assistant.llm.render_draft import written
from assistant.settings import Settings
from benchmarks.model_drafts import DRAFTS, RecordedDraft, read_drafts, rebuilt_passages
from index.search.passage import Passage
from ingest.errors import TorchnotesError

_CONTEXT = 65_536  # tokens: all passages of a draft fit
_PIECE = 24  # characters sent at once


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled sentence of a draft, and what became of it.

    Attributes:
        draft: id of the draft.
        text: the sentence.
        label: "true", "false" or "other".
        fault: of a false one.
        outcome: of the statement that contains most of it, or "discarded" with its draft.
        reason: why it is not proved.
    """

    draft: str
    text: str
    label: str
    fault: str
    outcome: str
    reason: str


class ReplayServer(ThreadingHTTPServer):
    """Speaks the OpenAI chat API, and says `reply` to each request."""

    reply = ""

    @property
    def url(self) -> str:
        """Root of the API."""
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: ReplayServer

    def do_POST(self) -> None:
        """Stream the reply."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        text = self.server.reply
        for start in range(0, len(text), _PIECE):
            self._send({"content": text[start : start + _PIECE]}, None)
        self._send({}, "stop")
        self.wfile.write(b"data: [DONE]\n\n")

    def _send(self, delta: dict[str, str], finish: str | None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        event = {
            "id": "d",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": "m",
            "choices": [choice],
        }
        self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@contextmanager
def replaying() -> Iterator[ReplayServer]:
    """Run a server in the body of a `with` statement."""
    server = ReplayServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def replayed(draft: RecordedDraft, assistant: Assistant, server: ReplayServer) -> list[Judged]:
    """Replay a draft.

    Args:
        draft: the draft.
        assistant: over an index of the shipped digests.
        server: to say the draft.

    Returns:
        Its labelled sentences; an empty list where a passage cannot be built again.
    """
    found = rebuilt_passages(draft, assistant.retriever)
    wanted = [place for place, passage in enumerate(draft.passages) if passage.opening]
    if any(found[place] is None for place in wanted):
        return []
    passages = [passage for passage in found if passage is not None]
    server.reply = _renumbered(draft.draft, {place + 1: n for n, place in enumerate(wanted, 1)})
    writer = replace(assistant, model=LanguageModel(server.url, "m", context=_CONTEXT)).writer
    assert writer is not None  # it has a model
    # The writer puts the second best passage last: given in this order, they are numbered as they were.
    given: list[Passage] = [passages[0], *passages[-1:], *passages[1:-1]] if len(passages) > 2 else passages
    *_, last = writer.write(draft.question, given, "zh" if draft.language == "zh" else "en")
    kept = last.suffices(strict=False) and not last.declines
    sentences = written(last.proofs, "en")[2]
    out = []
    for labelled in draft.sentences:
        best = max(sentences, key=lambda sentence: _common(sentence.text, labelled.text), default=None)
        if best is not None and _common(best.text, labelled.text):
            outcome = best.outcome if kept else "discarded"
            told = (labelled.text, labelled.label, labelled.fault)
            out.append(Judged(draft.id, *told, outcome, best.reason))
    return out


def _renumbered(draft: str, numbers: dict[int, int]) -> str:
    """Return a draft whose marks count the passages that are left."""
    for before, after in sorted(numbers.items()):
        draft = draft.replace(f"[{before}]", f"[{after}]")
    return draft


def _common(one: str, other: str) -> int:
    """Return how long the shorter text is if the other contains it, else 0."""
    left, right = ("".join(text.split()) for text in (one, other))
    return min(len(left), len(right)) if left in right or right in left else 0


def report(judged: Sequence[Judged], drafts: Sequence[RecordedDraft]) -> str:
    """Return the outcomes by label, language and fault.

    Args:
        judged: the sentences.
        drafts: the drafts that they are of, and those that could not be replayed.
    """
    lines = []
    replayed_ = {each.draft for each in judged}
    discarded = {each.draft for each in judged if each.outcome == "discarded"}
    lines.append(f"{len(replayed_)} of {len(drafts)} drafts replayed, {len(discarded)} of them discarded")
    groups = {label: [j for j in judged if j.label == label] for label in ("true", "false", "other")}
    groups |= {f"true, {lang}": [j for j in groups["true"] if j.draft[:2] == lang] for lang in ("en", "zh")}
    groups |= {
        f: [j for j in groups["false"] if j.fault == f] for f in sorted({j.fault for j in groups["false"]})
    }
    for name, some in groups.items():
        count = Counter(each.outcome for each in some)
        shares = ", ".join(f"{outcome} {number}" for outcome, number in count.most_common())
        shown = len(some) - count["contradicted"] - count["discarded"]
        lines.append(f"{name:20} {len(some):4}: shown {shown / max(1, len(some)):.3f} ({shares})")
    return "\n".join(lines)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--drafts", type=Path, default=DRAFTS, help="file of recorded drafts")
    parser.add_argument("--misses", action="store_true", help="tell each sentence that was judged wrongly")
    options = parser.parse_args()
    if not options.drafts.is_file():
        raise TorchnotesError(f"{options.drafts} is no file; give one of recorded drafts with --drafts")
    drafts = read_drafts(options.drafts)
    with tempfile.TemporaryDirectory() as home, replaying() as server:
        assistant = AssistantFactory(Settings(home=Path(home))).assistant()
        judged = [each for draft in drafts for each in replayed(draft, assistant, server)]
    sys.stdout.write(report(judged, drafts) + "\n")
    for each in judged if options.misses else ():
        wrong = (
            each.outcome in ("contradicted", "discarded") if each.label == "true" else each.label == "false"
        )
        if wrong and not (each.label == "false" and each.outcome == "contradicted"):
            sys.stdout.write(f"\n{each.draft} {each.label} {each.fault}: {each.text}\n")
            sys.stdout.write(f"    {each.outcome}: {each.reason}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
