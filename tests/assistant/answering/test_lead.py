"""The sentence that decides comes first, with what belongs to it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from assistant.answering.lead import lead_first
from assistant.retrieval.pick import Pick
from assistant.retrieval.sentences import Quote
from tests.assistant.passages import passage, question, quotes

BODY = """## TCPStore

TCPStore has another backend. It starts faster.

The speedup of TCPStore is 40%. It was measured on 64 hosts.

To restore gloo, set a variable:

- `USE_LIBUV=0` in the shell
"""
BACKEND, STARTS, SPEEDUP, HOSTS, RESTORE, SHELL = range(1, 7)  # after the heading


def led(
    asked: str, scores: Mapping[int, float], *, chosen: tuple[int, ...] = tuple(range(1, 7))
) -> list[str]:
    found = passage(BODY)
    pick = Pick(found, tuple(found.sentences[place] for place in chosen))
    scored = [Quote(score, 0, found.sentences[place], {}) for place, score in scores.items()]
    (first,) = lead_first(question(asked), [pick], scored)
    return quotes(found, first.sentences)


def test_the_best_sentence_leads_with_what_refers_to_it() -> None:
    told = led("is TCPStore faster", {BACKEND: 0, STARTS: -1, SPEEDUP: 2, HOSTS: -1, RESTORE: -2, SHELL: -2})
    assert [text[:6] for text in told] == ["The sp", "It was", "TCPSto", "It sta", "To res", "- `USE"]


def test_a_list_comes_with_the_sentence_that_announces_it() -> None:
    told = led("how do I get gloo back?", {BACKEND: 0, SPEEDUP: 0, RESTORE: 1, SHELL: 0})
    assert [text[:6] for text in told[:3]] == ["To res", "- `USE", "TCPSto"]


def test_a_value_of_the_kind_asked_for_counts_most() -> None:
    told = led("by what percent is TCPStore faster?", {BACKEND: 3, SPEEDUP: 0, RESTORE: 1, SHELL: 0})
    assert told[0].startswith("The speedup")


@pytest.mark.parametrize(
    ("asked", "scores"),
    [
        ("list what changed in TCPStore", {BACKEND: 0, SPEEDUP: 1}),  # a list keeps its order
        ("is TCPStore faster", {}),  # nothing is known of them: a translation
    ],
)
def test_the_order_of_the_document_is_kept(asked: str, scores: Mapping[int, float]) -> None:
    assert led(asked, scores)[0].startswith("TCPStore has")


def test_a_sentence_that_refers_back_leads_nowhere() -> None:
    told = led("is TCPStore faster", {BACKEND: 0, HOSTS: 2}, chosen=(BACKEND, HOSTS))
    assert told[0].startswith("TCPStore has")


def test_how_it_was_before_does_not_lead() -> None:
    found = passage(
        "## TCPStore\n\nBefore PyTorch 2.4, TCPStore was slow.\n\nTCPStore is fast since PyTorch 2.4.\n"
    )
    pick = Pick(found, found.sentences[1:])
    scored = [
        Quote(score, 0, sentence, {}) for score, sentence in zip((3.0, 1.0), pick.sentences, strict=True)
    ]
    (first,) = lead_first(question("is TCPStore slow?"), [pick], scored)
    assert quotes(found, first.sentences)[0].startswith("TCPStore is fast")
