"""The recorded judgements of benchmarks/data/model_judgements.jsonl, as a server replays them.

    python -m benchmarks.model_judgements FOLDER

writes the prompts that were judged: all sentences of each recorded draft, beside the passages that they cite.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.llm.client import ChatMessage
from assistant.llm.judge_prompt import chosen_passages, judge_prompt
from assistant.settings import Settings
from assistant.verification.draft import statements
from assistant.verification.proof import Proof
from benchmarks.model_drafts import read_drafts, replayable
from index.search.passage import Passage
from ingest.document import Language

JUDGEMENTS = Path(__file__).with_name("data") / "model_judgements.jsonl"
CONTEXT = 65_536  # tokens: all passages of a draft fit
_LISTED = re.compile(r"^==[0-9a-f]{16}== (?:Sentences|句子)\n(.*?)\n\n==[0-9a-f]{16}== ", re.S | re.M)
_LINE = re.compile(r"\d+\.(?: \[[\d, -]+\])? (.*)")

#: Verdict, number of the passage, and quote.
Recorded = tuple[str, int, str]


def read_recorded(path: Path = JUDGEMENTS) -> dict[str, dict[str, list[Recorded]]]:
    """Read the recorded judgements.

    Args:
        path: file of one draft a line.

    Returns:
        By the id of the draft and the digest of the sentence, a judgement for each quote.
    """
    out: dict[str, dict[str, list[Recorded]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found = out.setdefault(row["id"], {})
        for digest, verdict, passage, quote in row["judgements"]:
            found.setdefault(digest, []).append((verdict, passage, quote))
    return out


def sentences_in(prompt: str) -> list[str]:
    """Return the sentences that a prompt asks to judge, in order; none if it asks for something else.

    Args:
        prompt: text of the user's message.
    """
    listed = _LISTED.search(prompt)
    lines = (_LINE.match(line) for line in listed[1].split("\n")) if listed else ()
    return [line[1] for line in lines if line]


def recorded_reply(sentences: Sequence[str], recorded: Mapping[str, Sequence[Recorded]]) -> str:
    """Return the reply to a prompt: what was recorded of its sentences.

    Args:
        sentences: the sentences of the prompt.
        recorded: judgements of the draft, by the digest of the sentence.
    """
    items = [
        {"sentence": number, "passage": passage, "quote": quote, "verdict": verdict}
        for number, text in enumerate(sentences, 1)
        for verdict, passage, quote in recorded.get(digest_of(text), ())
    ]
    return json.dumps({"judgements": items}, ensure_ascii=False)


def digest_of(sentence: str) -> str:
    """Return the digest by which a sentence is recorded.

    Args:
        sentence: as it stands in a prompt.
    """
    return hashlib.sha256(sentence.encode()).hexdigest()[:12]


def claims(proofs: Sequence[Proof]) -> list[int]:
    """Return the places of the statements that were recorded: all sentences that claim something.

    Args:
        proofs: of a draft.
    """
    return [
        place
        for place, proof in enumerate(proofs)
        if proof.statement.kind == "sentence" and proof.outcome != "neutral"
    ]


def whole_prompt(
    question: str,
    proofs: Sequence[Proof],
    passages: Sequence[Passage],
    language: Language,
    assistant: Assistant,
) -> list[ChatMessage]:
    """Return the prompt that asks to judge all claims of a draft.

    Args:
        question: standalone question that the draft answers.
        proofs: of its statements.
        passages: that its marks count from 1.
        language: language of the draft.
        assistant: whose embedder counts tokens.
    """
    asked = [proofs[place].statement for place in claims(proofs)]
    count = assistant.embedder.count_tokens
    numbers = chosen_passages(asked, passages, language, context=CONTEXT, count_tokens=count)
    return judge_prompt(question, asked, passages, numbers, language)


def main() -> None:
    """Write the prompts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        assistant = AssistantFactory(Settings(home=Path(home))).assistant()
        for draft in read_drafts():
            again = replayable(draft, assistant.retriever)
            if again is None:
                continue
            passages, text = again
            proofs = assistant.verifier.prove(statements(text), passages, draft.spoken, draft.question)
            messages = whole_prompt(draft.question, proofs, passages, draft.spoken, assistant)
            told = "\n\n".join(message["content"] for message in messages)
            (folder / f"{draft.id}.txt").write_text(told, encoding="utf-8")


if __name__ == "__main__":
    main()
