"""How many false sentences the proof catches, and how many true ones it wrongly rejects.

    python -m benchmarks.proof [--held-out] [--misses]

The false ones are drafts of tests/quality/adversarial.jsonl, each with the passages that a model was given
and the sentences that must not survive; the true ones, tests/quality/statements.jsonl, tell in other words
what their quotes from the digests say. Everything is real: the digests' index, its chunks, the embedding
model.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.settings import Settings
from assistant.text.prompt_injection import trusted
from assistant.verification.draft import Statement, statements, without_marks
from assistant.verification.proof import Proof
from index.search.passage import Passage
from ingest.document import Document
from ingest.reading import read_document

QUALITY = Path(__file__).resolve().parents[1] / "tests" / "quality"
_BESIDE = 2  # other passages that a true sentence's model was given


@dataclass(frozen=True, slots=True)
class Outcome:
    """One sentence: whether it is true, whether it was let through, and why not."""

    id: str
    kind: str
    text: str
    true: bool
    proof: Proof


@dataclass(frozen=True, slots=True)
class Bench:
    """The proof over an index of the digests and of what is injected."""

    assistant: Assistant

    @classmethod
    def over(cls, home: Path, drafts: Sequence[dict[str, Any]]) -> Bench:
        """An index made in a folder."""
        factory = AssistantFactory(Settings(home=home))
        factory.update([document for draft in drafts for document in injected(draft)])
        return cls(factory.assistant())

    def passage(self, document: str, text: str) -> Passage:
        """The chunk of a document that holds a text."""
        retriever = self.assistant.retriever
        for row, chunk in enumerate(retriever.generation.chunks):
            owner = retriever.generation.documents[chunk.document_id]
            if owner.origin == document and text in owner.text[chunk.start : chunk.end]:
                return retriever.passage(row)
        raise LookupError(f"{document}: no chunk holds {text!r}")

    def prove(self, drafted: Sequence[Statement], passages: Sequence[Passage], language: Any) -> list[Proof]:  # noqa: ANN401
        """As an answer does: what is no evidence proves nothing."""
        sound = [passage for passage in passages if trusted(passage)]
        number = {id(passage): place for place, passage in enumerate(sound, 1)}
        places = {place: number.get(id(passage), 0) for place, passage in enumerate(passages, 1)}
        moved = [replace(s, marks=tuple(places.get(m, 0) for m in s.marks)) for s in drafted]
        return self.assistant.verifier.prove(moved, sound, language)

    def false(self, draft: dict[str, Any]) -> Iterator[Outcome]:
        """What became of the sentences of an adversarial draft."""
        passages = [
            self.passage(f"shipped:{given['digest']}.md", given["contains"])
            if "digest" in given
            else self.passage(_origin(draft, place), given["text"].strip().splitlines()[0])
            for place, given in enumerate(draft["passages"])
        ]
        proofs = self.prove(statements(draft["draft"]), passages, draft["language"])
        for wanted, texts in ((False, draft["bad"]), (True, draft.get("good", []))):
            for text in texts:
                bare = without_marks(text)
                for proof in proofs:
                    if bare in proof.statement.text or proof.statement.text in bare:
                        yield Outcome(draft["id"], draft["kind"], text, wanted, proof)

    def true(self, row: dict[str, Any]) -> Outcome:
        """What became of a true sentence."""
        origin = f"shipped:{row.get('source', row['language'])}/{row['release']}.md"
        proving = list(
            {p.chunk.id: p for p in (self.passage(origin, quote) for quote in row["quotes"])}.values()
        )
        passages = [*proving, *self._others(proving)]
        statement = Statement(row["sentence"], tuple(range(1, len(proving) + 1)))
        (proof,) = self.prove([statement], passages, row["language"])
        return Outcome(row["id"], f"true, {row['language']}", row["sentence"], True, proof)

    def _others(self, proving: Sequence[Passage]) -> list[Passage]:
        retriever = self.assistant.retriever
        rows = [
            row
            for row, chunk in enumerate(retriever.generation.chunks)
            if chunk.document_id == proving[0].document_id and chunk.id not in {p.chunk.id for p in proving}
        ]
        return [retriever.passage(row) for row in rows[:_BESIDE]]


def injected(draft: dict[str, Any]) -> Iterator[Document]:
    """The documents of a draft that are not digests."""
    for place, given in enumerate(draft["passages"]):
        if "text" in given:
            head = f'---\ntitle: "{given["title"]}"\nrelease: "{given["release"]}"\nkind: user\n---\n'
            head = head.replace('release: ""\n', "")
            yield read_document(head + given["text"], _origin(draft, place))


def read(name: str) -> list[dict[str, Any]]:
    """The rows of a file of tests/quality."""
    return [json.loads(line) for line in (QUALITY / name).read_text(encoding="utf-8").splitlines()]


def measure(home: Path, *sets: str, every: int = 1) -> list[list[Outcome]]:
    """The sentences of each set over one index; "" is the first, "_held_out" the second.

    Args:
        home: a folder for the index.
        sets: by the ends of their names.
        every: 1 takes all, 3 each third one.
    """
    drafts = {name: read(f"adversarial{name}.jsonl")[::every] for name in sets}
    bench = Bench.over(home, [draft for each in drafts.values() for draft in each])
    return [
        [
            *(outcome for draft in each for outcome in bench.false(draft)),
            *(bench.true(row) for row in read(f"statements{name}.jsonl")[::every]),
        ]
        for name, each in drafts.items()
    ]


def caught(outcomes: Sequence[Outcome]) -> tuple[Counter[str], Counter[str]]:
    """Drafts by kind whose false sentences were all caught, and all of them."""
    drafts = {o.id: o.kind for o in outcomes if not o.true}
    escaped = {o.id for o in outcomes if not o.true and o.proof.holds}
    return Counter(kind for id_, kind in drafts.items() if id_ not in escaped), Counter(drafts.values())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--held-out", action="store_true", help="the sentences that were written after the proof"
    )
    parser.add_argument("--misses", action="store_true", help="tell each sentence that was judged wrongly")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        (outcomes,) = measure(Path(home), "_held_out" if options.held_out else "")
    good, every = caught(outcomes)
    print(f"caught {good.total()} of {every.total()} drafts ({good.total() / every.total():.3f})")
    for kind, count in every.items():
        print(f"  {kind:24} {good[kind]:3} of {count}")
    for name in ("true, en", "true, zh"):
        told = [o for o in outcomes if o.kind == name]
        lost = sum(o.proof.outcome == "contradicted" for o in told)
        proved = sum(o.proof.holds for o in told)
        print(f"{name}: removed {lost} of {len(told)} ({lost / len(told):.3f}), proved {proved}")
    beside = [o for o in outcomes if o.true and not o.kind.startswith("true")]
    lost = sum(o.proof.outcome == "contradicted" for o in beside)
    print(f"true, beside false ones: removed {lost} of {len(beside)}")
    if options.misses:
        for o in outcomes:
            if o.true != o.proof.holds:
                quotes = " | ".join(quote.text for quote in o.proof.quotes)
                print(f"\n{o.id} {o.kind}: {o.text}\n    {o.proof.reason or quotes}")


def _origin(draft: dict[str, Any], place: int) -> str:
    return f"injected:{draft['id']}-{place}.md"


if __name__ == "__main__":
    main()
