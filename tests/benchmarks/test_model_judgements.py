"""The recorded judgements: of the recorded drafts, with quotes of the digests, and replayed by sentence."""

from __future__ import annotations

import json
from collections import Counter

from benchmarks.model_drafts import read_drafts
from benchmarks.model_judgements import digest_of, read_recorded, recorded_reply, sentences_in
from corpus.shipped import DIGESTS

LEAST = 50  # drafts


def test_quotes_are_of_the_passages() -> None:
    drafts = {draft.id: draft for draft in read_drafts()}
    digests = {
        f"{path.parent.name}/{path.stem}": "".join(path.read_text(encoding="utf-8").split())
        for path in DIGESTS.glob("*/*.md")
    }
    recorded = read_recorded()
    assert len(recorded) >= LEAST and set(recorded) <= set(drafts)
    for name, sentences in recorded.items():
        kept = [passage for passage in drafts[name].passages if passage.opening]
        for verdict, number, quote in (each for some in sentences.values() for each in some):
            assert (verdict == "absent") == (number == 0) == (not quote), (name, quote)
            if number:
                passage = kept[number - 1]
                text = digests[f"{passage.language}/{passage.section.partition('/')[0]}"]
                assert "".join(quote.split()) in text, (name, quote)


def test_every_verdict_is_there() -> None:
    verdicts = Counter(some[0][0] for sentences in read_recorded().values() for some in sentences.values())
    assert set(verdicts) == {"supported", "contradicted", "absent"} and min(verdicts.values()) > 30


def test_a_prompt_is_answered_with_what_was_recorded_of_its_sentences() -> None:
    boundary = "==0123456789abcdef=="
    prompt = f"{boundary} Passage [1] A\nB\n\n{boundary} Sentences\n1. [1, 2] One.\n2. Two.\n\n{boundary} End"
    sentences = sentences_in(prompt)
    assert sentences == ["One.", "Two."] and sentences_in("Question: One?") == []
    reply = json.loads(recorded_reply(sentences, {digest_of("Two."): [("supported", 1, "B")]}))
    assert reply == {"judgements": [{"sentence": 2, "passage": 1, "quote": "B", "verdict": "supported"}]}
