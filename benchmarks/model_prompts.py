"""The prompt that a language model gets for a question, and the passages in it.

    python -m benchmarks.model_prompts QUESTION... [--file QUESTIONS.txt] [--json] [--context 8192]

A server that speaks the OpenAI chat API records each request and replies that the notes do not tell. Nothing
is printed for a question that the model is not asked, but the reason. The drafts of
benchmarks/data/model_drafts.jsonl were written over these prompts.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.llm.client import LanguageModel
from assistant.llm.prompt import NOT_TOLD, shown_passage
from assistant.settings import Settings
from index.search.passage import Passage

_DELIMITER = re.compile(r"^==[0-9a-f]{16}== ", re.M)
_CONTEXT = 8192  # tokens: small for a strong model, enough for eight passages


@dataclass(frozen=True, slots=True)
class SentPassage:
    """A passage as it stands in a prompt.

    Attributes:
        section: release and id of the section, such as "2.4/tcpstore-libuv"; "" if it has no id.
        language: language of the digest.
        text: what the model reads, one sentence a line.
    """

    section: str
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Sent:
    """What a model is sent for a question.

    Attributes:
        question: as asked.
        language: of the prompt.
        prompt: all messages; "" if the model is not asked.
        passages: in the order of the prompt.
        reply: the assistant's answer, given that the model replied that the notes do not tell.
    """

    question: str
    language: str
    prompt: str
    passages: tuple[SentPassage, ...]
    reply: str


@contextmanager
def recording_server() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serve a chat API on a free port that declines every question.

    Yields:
        The root of the API, and the bodies of the requests so far.
    """
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            choices = [{"index": 0, "delta": {"content": NOT_TOLD}, "finish_reason": "stop"}]
            event = {"id": "0", "object": "chat.completion.chunk", "created": 0, "model": "m"}
            body = f"data: {json.dumps({**event, 'choices': choices})}\n\ndata: [DONE]\n\n".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", requests
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def sent_for(assistant: Assistant, questions: Sequence[str], context: int = _CONTEXT) -> Iterator[Sent]:
    """Ask questions, and yield what the model is sent for each.

    Args:
        assistant: over the index to ask; its own model is not used.
        questions: each asked without history.
        context: of the model, in tokens.
    """
    chunks = assistant.retriever.generation.chunks
    with recording_server() as (url, requests):
        asking = replace(assistant, model=LanguageModel(url, "recorder", context=context))
        for question in questions:
            del requests[:]
            answer = asking.ask(question)
            prompt = "\n".join(m["content"] for m in requests[-1]["messages"]) if requests else ""
            known = [asking.retriever.passage(row) for row in range(len(chunks))] if prompt else []
            passages = tuple(_passages_of(prompt, [*answer.passages, *known]))
            yield Sent(question, answer.language, prompt, passages, answer.text)


def _passages_of(prompt: str, known: Sequence[Passage]) -> list[SentPassage]:
    """Return the passages of a prompt in its order, each with the section whose text it begins with."""
    sections = {
        text: (f"{passage.version}/{passage.chunk.section_id}", passage.language)
        for passage in known
        if passage.chunk.section_id and (text := shown_passage(passage))
    }
    found = []
    for part in _DELIMITER.split(prompt)[1:-1]:  # the rules, and the question
        _, _, text = part.partition("\n")
        begun = [beginning for beginning in sections if text.startswith(beginning)]
        section, language = sections[max(begun, key=len)] if begun else ("", "")
        found.append(SentPassage(section, language, text.strip()))
    return found


def main() -> None:
    """Print the prompts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("questions", nargs="*")
    parser.add_argument("--file", type=Path, help="a file with one question a line")
    parser.add_argument("--json", action="store_true", help="print one line of JSON for each question")
    parser.add_argument("--context", type=int, default=_CONTEXT, help="context of the model in tokens")
    options = parser.parse_args()
    questions = list(options.questions)
    if options.file:
        questions += options.file.read_text(encoding="utf-8").split("\n")
    with tempfile.TemporaryDirectory() as home:
        assistant = AssistantFactory(Settings(home=Path(home))).assistant()
        asked = [question for question in questions if question.strip()]
        for sent in sent_for(assistant, asked, options.context):
            if options.json:
                print(json.dumps(asdict(sent), ensure_ascii=False), flush=True)
            else:
                print(f"# {sent.question}\n\n{sent.prompt or f'not asked: {sent.reply}'}\n", flush=True)


if __name__ == "__main__":
    main()
