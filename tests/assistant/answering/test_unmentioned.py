"""Silence: names that the notes of a release do not mention are declined, and where they stand is told."""

from __future__ import annotations

import pytest

from assistant.answering.unmentioned import unmentioned_entities
from assistant.assistant import Assistant
from assistant.query.question import understand
from tests.assistant.rules import check_answer


def silent(assistant: Assistant, text: str, *history: str) -> list[tuple[str, list[str]]]:
    """The silences of a question: each name, and the releases that tell of it."""
    known, glossary = assistant.retriever.releases, assistant.glossary
    asked = understand(text, history, known=known, glossary=glossary)
    found = unmentioned_entities(asked, assistant.retriever, glossary)
    assert len({each.final for each in found}) < 2
    return [(each.name, list(map(str, each.told))) for each in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What is FlexAttention in 2.4?", [("FlexAttention", ["2.5"])]),
        ("2.6 里的 FlexAttention 是什么？", [("FlexAttention", ["2.5"])]),
        ("How do I use AOTInductor in 2.6?", [("AOTInductor", ["2.2"])]),
        ("2.5 里怎么用 torch.grouped_mm？", [("torch.grouped_mm", ["2.6"])]),
        (
            "How do FlexAttention and AOTInductor fit in 2.4?",
            [("FlexAttention", ["2.5"]), ("AOTInductor", ["2.2"])],
        ),
        ("What changed for FlexAttention before 2.5?", []),
        ("What changed for FlexAttention between 2.2 and 2.4?", [("FlexAttention", ["2.5"])]),
    ],
)
def test_names_that_the_releases_asked_for_do_not_mention(
    assistant: Assistant, text: str, found: list[tuple[str, list[str]]]
) -> None:
    assert silent(assistant, text) == found


@pytest.mark.parametrize(
    "text",
    [
        "What is FlexAttention?",
        "What is FlexAttention in 2.5?",
        "What is flex attention in 2.5?",
        "What is FlexATTENTION in 2.5?",
        "How does FlexAttention compare in 2.4 and 2.5?",
        "How does FlexAttention use TCPStore in 2.4?",
        "Which release after 2.2 added FlexAttention?",
        "How do I compile ahead of time in 2.4?",
        "How does it run on Windows in 2.4?",
        "What does my_lib.thing do in 2.4?",
        "How fast is DeepSpeed in 2.4?",
        "2.4 里怎么提前编译？",
    ],
    ids=[
        "no release",
        "mentioned",
        "spelled apart",
        "other capitals",
        "one of two releases",
        "beside another name",
        "of which release",
        "plain words",
        "a place",
        "nobody's identifier",
        "nobody's name",
        "plain words in Chinese",
    ],
)
def test_other_questions_are_left_to_the_gate(assistant: Assistant, text: str) -> None:
    assert silent(assistant, text) == []


def test_a_follow_up_that_asks_of_another_release_is_one_of_it(assistant: Assistant) -> None:
    assert silent(assistant, "and in 2.4?", "What is FlexAttention?") == [("FlexAttention", ["2.5"])]
    assert silent(assistant, "那 2.5 呢？", "FlexAttention 是什么？") == []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (
            "What is FlexAttention in 2.4?",
            "The notes of PyTorch 2.4 do not mention FlexAttention; those of PyTorch 2.5 do.",
        ),
        (
            "2.4 里的 FlexAttention 是什么？",
            "PyTorch 2.4 的发布说明没有提到 FlexAttention；提到它的是 PyTorch 2.5。",
        ),
    ],
)
def test_the_answer_says_so_and_offers_what_other_releases_tell(
    assistant: Assistant, text: str, first: str
) -> None:
    answer = assistant.ask(text)
    check_answer(answer)
    assert answer.abstained and answer.text.split("\n")[0] == first
    assert {passage.version for passage in answer.passages} == {"2.5"}
    assert "FlexAttention" in answer.citations[0].passage.heading


def test_releases_chosen_beside_the_question_stay_those_that_are_shown(assistant: Assistant) -> None:
    answer = assistant.ask("What is FlexAttention?", releases=["2.4"])
    check_answer(answer)
    assert answer.abstained and "do not mention FlexAttention" in answer.text
    assert {passage.version for passage in answer.passages} == {"2.4"}


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Does 2.4 have FlexAttention?", "The notes of PyTorch 2.4 do not mention FlexAttention; those of"),
        ("2.4 有 FlexAttention 吗？", "PyTorch 2.4 的发布说明没有提到 FlexAttention；提到它的是 PyTorch 2.5"),
        ("My FlexAttention model fails after the upgrade to 2.4, what broke?", "The notes of PyTorch 2.4 do"),
    ],
    ids=["whether it is there", "in Chinese", "what breaks"],
)
def test_what_is_answered_all_the_same_is_answered_with_a_word_on_it(
    assistant: Assistant, text: str, first: str
) -> None:
    assert silent(assistant, text) == [("FlexAttention", ["2.5"])] and not assistant.is_unmentioned(text)
    answer = assistant.ask(text)
    check_answer(answer)
    assert (answer.text if answer.abstained else answer.notice).startswith(first)


def test_the_gate_is_not_trained_on_what_it_has_no_say_in(assistant: Assistant) -> None:
    assert assistant.is_unmentioned("and in 2.4?", ["What is FlexAttention?"])
    assert not assistant.is_unmentioned("What is FlexAttention in 2.5?")


@pytest.mark.parametrize(
    ("text", "newer"),
    [
        ("Does torch.compile run on Python 3.99?", "Python 3.99"),
        ("Is there a wheel for Python 4 in 2.6?", "Python 4"),
        ("torch.compile 支持 Python 3.99 吗？", "Python 3.99"),
        ("Does torch.compile run on Python 3.12?", ""),
        ("Does torch.compile run on Python 3?", ""),
        ("Does torch.compile run on Python 2.7?", ""),  # its end may be told of
    ],
)
def test_a_version_newer_than_any_that_is_told_of_is_declined(
    digest_assistant: Assistant, text: str, newer: str
) -> None:
    assert silent(digest_assistant, text) == ([(newer, [])] if newer else [])
    if newer:
        answer = digest_assistant.ask(text)
        line = {"en": f"The notes in the index, up to 2.6, do not mention {newer}."}
        line["zh"] = f"索引里的发布说明（截至 2.6）没有提到 {newer}。"
        assert answer.abstained and answer.text.startswith(line[answer.language])


def test_how_to_do_a_thing_is_told_also_to_who_has_a_newer_version(digest_assistant: Assistant) -> None:
    question = "How do I switch torch.compiler.set_stance to eager on demand? I am on Python 3.99"
    answer = digest_assistant.ask(question)
    assert not answer.abstained and "torch.compiler.set_stance" in answer.text
    assert answer.notice == "The notes in the index, up to 2.6, do not mention Python 3.99."
