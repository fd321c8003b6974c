"""Which checks an answer calls for: by the sections it cites, whichever document tells them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.answer_checks.offers import offers
from assistant.assistant import Assistant
from assistant.timeline.model import Histories


def never() -> Histories:
    raise AssertionError("a digest tells its own section")


@pytest.mark.parametrize(
    ("question", "check"),
    [
        ("2.6 里 torch.load 的 weights_only 默认值变成了什么？", "weights-only"),
        ("What is the default backend of the TCPStore server in 2.4?", "tcpstore-libuv"),
    ],
)
def test_an_answer_calls_for_the_checks_of_what_it_cites(
    digest_assistant: Assistant, question: str, check: str
) -> None:
    answer = digest_assistant.ask(question)
    found = {offer.check.id: offer.numbers for offer in offers(answer, never)}
    assert check in found
    cited = {citation.number for citation in answer.citations}
    assert found[check] and set(found[check]) <= cited and list(found[check]) == sorted(found[check])


def test_another_document_that_tells_the_same_calls_for_the_same(digest_assistant: Assistant) -> None:
    """A citation of a document that stands in the feature's history beside the digest."""
    answer = digest_assistant.ask("What is the default backend of the TCPStore server in 2.4?")
    known = digest_assistant.histories()
    citation = next(each for each in answer.citations if each.passage.chunk.section_id == "tcpstore-libuv")
    document = citation.passage.document
    elsewhere = replace(document, id="elsewhere", kind="blog")
    blog = replace(citation, passage=replace(citation.passage, document=elsewhere))
    beside = {
        id_: replace(
            feature,
            steps=tuple(
                replace(
                    step,
                    sources=(
                        *step.sources,
                        *(
                            replace(s, document=elsewhere)
                            for s in step.sources
                            if s.document.id == document.id
                        ),
                    ),
                )
                for step in feature.steps
            ),
        )
        for id_, feature in known.items()
    }
    told = replace(answer, citations=(blog,))
    assert "tcpstore-libuv" in [offer.check.id for offer in offers(told, lambda: beside)]
    assert offers(told, lambda: known) == (), "no history holds that document"


def test_a_declined_question_is_offered_only_what_it_names(digest_assistant: Assistant) -> None:
    asked = digest_assistant.ask("How much faster is SDPA on CPU than on a TPU v5e pod in 2.1?")
    assert asked.abstained
    assert [offer.check.id for offer in offers(asked, never)] == ["sdpa-cpu"]
    other = replace(asked, standalone="How much faster is the weather in 2.1?")
    assert offers(other, never) == ()
