"""What becomes of the sentences of a strong model's drafts, from its server to the answer.

    python -m benchmarks.model_path [--drafts FILE] [--misses]

A local server that speaks the OpenAI chat API replays each recorded draft (`model_drafts`), and what a strong
model judged of its sentences (`model_judgements`), to the real client, over the passages that the draft was
written from. Three ways: the cheap proof alone (exact checks and the reader), the model's judgements alone
(their quotes checked), and both together, as answers are made.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from assistant.answer import JudgingCost, Outcome
from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.llm.client import LanguageModel
from assistant.llm.judge_prompt import read_judgements
from assistant.llm.render_draft import written
from assistant.llm.writer import Progress
from assistant.settings import Settings
from assistant.verification.evidence import grounds_of
from assistant.verification.judgement import Judging
from benchmarks.model_drafts import DRAFTS, RecordedDraft, read_drafts, replayable
from benchmarks.model_judgements import (
    CONTEXT,
    JUDGEMENTS,
    Recorded,
    claims,
    read_recorded,
    recorded_reply,
    sentences_in,
    whole_prompt,
)
from index.search.passage import Passage
from ingest.errors import TorchnotesError

WAYS = ("cheap proof", "model alone", "both")
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


@dataclass(frozen=True, slots=True)
class Replayed:
    """A draft in one way.

    Attributes:
        judged: its labelled sentences.
        cost: of the judgements, None where there was no request.
    """

    judged: list[Judged]
    cost: JudgingCost | None


class ReplayServer(ThreadingHTTPServer):
    """Speaks the OpenAI chat API: says a draft, or judges the sentences of a prompt as recorded."""

    draft = ""
    recorded: Mapping[str, Sequence[Recorded]] = {}

    def reply(self, prompt: str) -> str:
        """Return what to say to a prompt."""
        asked = sentences_in(prompt)
        return recorded_reply(asked, self.recorded) if asked else self.draft

    @property
    def url(self) -> str:
        """Root of the API."""
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: ReplayServer

    def do_POST(self) -> None:
        """Stream the reply."""
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        text = self.server.reply(sent["messages"][-1]["content"])
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


def replayed(draft: RecordedDraft, assistant: Assistant, server: ReplayServer) -> dict[str, Replayed]:
    """Replay a draft.

    Args:
        draft: the draft.
        assistant: over an index of the shipped digests.
        server: to say the draft, and what was judged of it.

    Returns:
        What becomes of it, by each of `WAYS`; empty where a passage cannot be built again.
    """
    again = replayable(draft, assistant.retriever)
    if again is None:
        return {}
    passages, server.draft = again
    model = LanguageModel(server.url, "m", context=CONTEXT)
    writer = replace(assistant, model=model, judges=True).writer
    assert writer is not None  # it has a model
    # The writer puts the second best passage last: given in this order, they are numbered as they were.
    given: list[Passage] = [passages[0], *passages[-1:], *passages[1:-1]] if len(passages) > 2 else passages
    *_, cheap = writer.write(draft.question, given, draft.spoken)
    alone = _by_model(draft, cheap, assistant, model)
    *_, both = writer.judged(cheap, draft.question, draft.spoken)
    return {way: _compared(draft, last) for way, last in zip(WAYS, (cheap, alone, both), strict=True)}


def _compared(draft: RecordedDraft, last: Progress) -> Replayed:
    """Return what became of the labelled sentences of a draft."""
    kept = last.suffices(strict=False) and not last.declines
    sentences = written(last.proofs, "en")[2]
    out = []
    for labelled in draft.sentences:
        best = max(sentences, key=lambda sentence: _common(sentence.text, labelled.text), default=None)
        if best is not None and _common(best.text, labelled.text):
            outcome = best.outcome if kept else "discarded"
            told = (labelled.text, labelled.label, labelled.fault)
            out.append(Judged(draft.id, *told, outcome, best.reason))
    return Replayed(out, last.judging)


def _by_model(draft: RecordedDraft, last: Progress, assistant: Assistant, model: LanguageModel) -> Progress:
    """Return a draft with the outcomes that the model alone gives: its verdicts, where the quote occurs."""
    start = time.perf_counter()
    messages = whole_prompt(draft.question, last.proofs, last.passages, draft.spoken, assistant)
    reply = model.complete(messages, CONTEXT // 8)
    count = assistant.embedder.count_tokens
    read = sum(count(message["content"]) for message in messages)
    places = claims(last.proofs)
    judging = Judging([grounds_of(p) for p in last.passages], assistant.verifier.reading, draft.spoken)
    judgements = read_judgements(reply, len(places)) or {}
    proofs = list(last.proofs)
    for number, place in enumerate(places, 1):
        found = {each.verdict for each in judgements.get(number, ()) if judging.quoted(each)}
        outcome: Outcome = "proved" if "supported" in found else "unconfirmed"
        outcome = "contradicted" if "contradicted" in found else outcome
        proofs[place] = replace(proofs[place], outcome=outcome, reason="")
    cost = JudgingCost(1, len(places), read, count(reply), time.perf_counter() - start)
    return replace(last, proofs=proofs, judging=cost)


def _common(one: str, other: str) -> int:
    """Return how long the shorter text is if the other contains it, else 0."""
    left, right = ("".join(text.split()) for text in (one, other))
    return min(len(left), len(right)) if left in right or right in left else 0


def report(found: Sequence[Replayed], drafts: int) -> str:
    """Return the outcomes by label, language and fault, and the cost.

    Args:
        found: the drafts that were replayed.
        drafts: how many there are.
    """
    judged = [each for one in found for each in one.judged]
    discarded = {each.draft for each in judged if each.outcome == "discarded"}
    lines = [f"{len(found)} of {drafts} drafts replayed, {len(discarded)} of them discarded"]
    groups = {label: [j for j in judged if j.label == label] for label in ("true", "false", "other")}
    groups |= {f"true, {lang}": [j for j in groups["true"] if j.draft[:2] == lang] for lang in ("en", "zh")}
    groups |= {
        f: [j for j in groups["false"] if j.fault == f] for f in sorted({j.fault for j in groups["false"]})
    }
    for name, some in groups.items():
        count = Counter(each.outcome for each in some)
        shares = ", ".join(f"{outcome} {number}" for outcome, number in count.most_common())
        shown = len(some) - count["contradicted"] - count["discarded"]
        proved = count["proved"] / max(1, shown)
        lines.append(
            f"{name:20} {len(some):4}: shown {shown / max(1, len(some)):.3f}, "
            f"of them proved {proved:.3f} ({shares})"
        )
    costs = [each.cost for each in found if each.cost]
    if costs:
        sums = [sum(each[place] for each in costs) for place in range(5)]
        a_draft = sums[4] / len(costs) * 1000
        lines.append(
            f"cost: {sums[0]} requests, {sums[1]} sentences, {sums[2] / len(costs):.0f} tokens read "
            f"and {sums[3] / len(costs):.0f} written a draft, {a_draft:.0f} ms a draft of our own"
        )
    return "\n".join(lines)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--drafts", type=Path, default=DRAFTS, help="file of recorded drafts")
    parser.add_argument("--judgements", type=Path, default=JUDGEMENTS, help="what was judged of them")
    parser.add_argument("--misses", action="store_true", help="tell each sentence that was judged wrongly")
    options = parser.parse_args()
    for path in (options.drafts, options.judgements):
        if not path.is_file():
            raise TorchnotesError(f"{path} is no file; give recorded ones with --drafts and --judgements")
    drafts, recorded = read_drafts(options.drafts), read_recorded(options.judgements)
    with tempfile.TemporaryDirectory() as home, replaying() as server:
        assistant = AssistantFactory(Settings(home=Path(home))).assistant()
        found: dict[str, list[Replayed]] = {way: [] for way in WAYS}
        for draft in drafts:
            server.recorded = recorded.get(draft.id, {})
            for way, one in replayed(draft, assistant, server).items():
                found[way].append(one)
    for way in WAYS:
        sys.stdout.write(f"# {way}\n{report(found[way], len(drafts))}\n\n")
    for each in (j for one in found["both"] for j in one.judged) if options.misses else ():
        wrong = (
            each.outcome in ("contradicted", "discarded") if each.label == "true" else each.label == "false"
        )
        if wrong and not (each.label == "false" and each.outcome == "contradicted"):
            sys.stdout.write(f"\n{each.draft} {each.label} {each.fault}: {each.text}\n")
            sys.stdout.write(f"    {each.outcome}: {each.reason}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
