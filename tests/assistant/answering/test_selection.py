"""Extraction: which sentences answer, in what order, and how many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from assistant.answering.selection import BUDGET, best_first, choose, distinct, without_summaries
from assistant.retrieval.pick import Pick
from assistant.retrieval.searcher import MAX_PASSAGES
from assistant.text.markdown import shown_length
from index.search.passage import Passage
from tests.assistant.passages import passage, question, quotes, relevance

HOWTO = """## TCPStore

The TCPStore server runs on libuv.

To turn libuv off in TCPStore, set `USE_LIBUV=0`:

```python
os.environ["USE_LIBUV"] = "0"
```
"""


def chosen(text: str, *found: Passage) -> list[Pick]:
    asked = question(text)
    return choose(asked, found, relevance(asked))


def said(picks: Sequence[Pick]) -> list[str]:
    return [quote for pick in picks for quote in quotes(pick.passage, pick.sentences)]


def test_the_sentence_with_the_words_asked_for_is_chosen() -> None:
    found = passage(
        "## Notes\n\nFSDP2 shards each parameter. The TCPStore backend is libuv. Wheels are smaller.\n",
        cosine=lambda text: 0.8 if "TCPStore" in text else 0.5,
    )
    assert said(chosen("What is the TCPStore backend?", found)) == ["The TCPStore backend is libuv."]


def test_the_nearest_sentence_is_chosen_when_no_word_is_shared() -> None:
    found = passage(
        "## Notes\n\nFSDP2 shards each parameter. Wheels are smaller now. Kernels run faster.\n",
        cosine=lambda text: 0.9 if "Wheels" in text else 0.3,
    )
    assert said(chosen("Do downloads take less space?", found))[0] == "Wheels are smaller now."


@pytest.mark.parametrize(
    ("name", "pointer"),
    [
        ("en-2.4", "For more details on TCPStore and libuv, see the tutorial."),
        ("en-2.4", "We are excited to announce TCPStore with libuv."),
        ("en-2.4", "To learn more about TCPStore, check out libuv."),
        ("zh-2.4", "有关 TCPStore 与 libuv 的更多信息，请参阅教程。"),
        ("zh-2.4", "我们很高兴地宣布 TCPStore 与 libuv。"),
    ],
)
def test_a_pointer_elsewhere_loses_to_the_fact(name: str, pointer: str) -> None:
    plain = (
        "TCPStore 的后端默认是 libuv。" if name == "zh-2.4" else "TCPStore has libuv as its default backend."
    )
    text = "TCPStore libuv 默认 后端" if name == "zh-2.4" else "Is libuv the default backend of TCPStore?"
    gap = "" if name == "zh-2.4" else " "
    assert said(chosen(text, passage(f"## Notes\n\n{pointer}{gap}{plain}\n", name))) == [plain]
    # A sentence with as many of the words that points nowhere stays.
    other = "TCPStore and libuv were changed."
    assert len(said(chosen(text, passage(f"## Notes\n\n{plain}{gap}{other}\n", name)))) == 2


def test_the_advice_behind_the_sentence_that_answers_stays_with_it() -> None:
    def found(between: str) -> Passage:
        text = f"## TCPStore\n\nThe TCPStore server runs on libuv.{between}Set the flag to leave it.\n"
        return passage(text, cosine=lambda text: 0.9 if "TCPStore" in text else 0.0)

    question = "Which library does the TCPStore server run on?"
    assert said(chosen(question, found(" ")))[1:] == ["Set the flag to leave it."]
    assert said(chosen(question, found("\n\n")))[1:] == []  # another paragraph


def test_a_summary_yields_to_a_section_of_its_release() -> None:
    overview = passage("## Overview {#overview}\n\nThe TCPStore server runs on libuv in PyTorch 2.4.\n")
    section = passage("## TCPStore {#tcpstore}\n\nSince 2.4 the TCPStore server runs on libuv, by default.\n")
    picks = chosen("What does the TCPStore server run on?", overview, section)
    assert best_first("fact", picks)[0].passage.chunk.section_id == "tcpstore"


def test_code_follows_the_advice_of_a_how_to_answer() -> None:
    picks = chosen("How do I turn libuv off in TCPStore?", passage(HOWTO))
    assert said(picks)[-1].startswith("```python") and "USE_LIBUV=0" in said(picks)[-2]


def test_code_stays_out_of_other_answers() -> None:
    picks = chosen("Does TCPStore run on libuv?", passage(HOWTO.replace("`USE_LIBUV=0`:", "`USE_LIBUV=0`.")))
    assert picks and all(sentence.span.kind != "code" for pick in picks for sentence in pick.sentences)


def test_long_code_stays_in_the_source() -> None:
    body = HOWTO.replace('"0"', '"0"\n' + "print('a line of code')\n" * 40)
    picks = chosen("How do I turn libuv off in TCPStore?", passage(body))
    assert all(sentence.span.kind != "code" for pick in picks for sentence in pick.sentences)


def test_a_short_label_between_advice_and_code_is_kept() -> None:
    body = HOWTO.replace("`USE_LIBUV=0`:", "`USE_LIBUV=0`.\n\nVersion 2.4:")
    assert said(chosen("How do I turn libuv off in TCPStore?", passage(body)))[-2] == "Version 2.4:"


def _line(line: str, first: int, second: int, long: str) -> str:
    return line.format(n=f"{first}{second}")[:-1] + long + line[-1]


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        (
            "en-2.4",
            "What is new in TCPStore?",
            "TCPStore change {n} makes item{n} of part{n} better in way{n} alone.",
        ),
        (
            "zh-2.4",
            "TCPStore 有什么变化",
            "TCPStore 变化 {n} 让部件 part{n} 以 way{n} 方式改进 item{n} 功能。",
        ),
    ],
    ids=["en", "zh"],
)
def test_an_answer_is_readable_at_once(name: str, text: str, line: str) -> None:
    long = " and it does so in a long winded manner" * 4 if name == "en-2.4" else "并且说得非常啰嗦" * 9
    bodies = ["## Notes\n\n" + "\n\n".join(_line(line, p, n, long) for n in range(9)) for p in range(6)]
    picks = chosen(text, *(passage(body, name) for body in bodies))
    asked = question(text)
    assert len(picks) <= MAX_PASSAGES and all(len(pick.sentences) <= 5 for pick in picks)
    assert 0 < sum(map(shown_length, said(picks))) <= BUDGET[asked.language]


def test_one_sentence_over_the_budget_is_still_an_answer() -> None:
    found = passage("## Notes\n\nTCPStore " + "uses libuv and more " * 90 + "now.\n")
    assert len(said(chosen("What does TCPStore use?", found))) == 1


def test_foreign_sentences_take_more_room() -> None:
    body = "## Notes\n\n" + " ".join(
        f"TCPStore change {n} makes item{n} of part{n} better in way{n} alone." for n in range(9)
    )
    foreign = said(chosen("TCPStore change 有什么", passage(body)))
    assert sum(map(shown_length, foreign)) <= 380


def test_what_two_passages_both_say_is_told_once() -> None:
    body = "## Notes\n\nThe TCPStore backend is libuv by default.\n"
    again = "## Other\n\nBy default the TCPStore backend is libuv.\n"
    assert len(said(chosen("What is the default TCPStore backend?", passage(body), passage(again)))) == 1


def test_passages_come_best_first_and_sentences_in_their_order() -> None:
    first = passage("## A\n\nTCPStore has a libuv backend. The libuv backend of TCPStore starts faster.\n")
    second = passage("## B\n\nThe TCPStore backend libuv came with release notes.\n", "en-2.5", score=0.9)
    picks = chosen("What is the TCPStore libuv backend?", first, second)
    assert [pick.passage.version for pick in picks] == sorted({pick.passage.version for pick in picks})
    for pick in picks:
        starts = [sentence.span.start for sentence in pick.sentences]
        assert starts == sorted(starts)


@pytest.mark.parametrize(
    ("text", "best"),
    [
        ("By what percentage did memory shrink in FSDP2?", "FSDP2 memory shrank by 7%."),
        ("FSDP2 的显存 memory 减少多少", "FSDP2 memory shrank by 7%."),
    ],
)
def test_a_question_for_a_figure_gets_one(text: str, best: str) -> None:
    found = passage("## Notes\n\nFSDP2 memory shrank a lot. FSDP2 memory shrank by 7%.\n")
    assert best in said(chosen(text, found))


def test_table_rows_can_answer() -> None:
    table = "## Wheels\n\n| Platform | Wheels |\n| --- | --- |\n| Windows x64 | CPU, XPU |\n| macOS | MPS |\n"
    assert any(
        "Windows x64" in quote for quote in said(chosen("Which wheels has Windows x64?", passage(table)))
    )


def test_headings_answer_where_there_is_nothing_else() -> None:
    picks = chosen("Is FlexAttention new?", passage("## FlexAttention is new in this release\n"))
    assert len(said(picks)) == 1 and "FlexAttention is new" in said(picks)[0]


def test_no_passages_make_no_answer() -> None:
    assert chosen("What is FlexAttention?") == []


def test_distinct_drops_what_was_said_before() -> None:
    found = passage("## Notes\n\nThe backend is libuv. Wheels are smaller.\n")
    same = passage("## Notes\n\nThe backend is **libuv**. FSDP2 is new.\n")
    picks = [Pick(p, tuple(s for s in p.sentences if s.span.kind == "prose")) for p in (found, same, found)]
    assert said(distinct(picks)) == ["The backend is libuv.", "Wheels are smaller.", "FSDP2 is new."]


def test_length_is_counted_as_shown() -> None:
    assert shown_length("see [the *docs*](https://example.org/a/very/long/address)") <= len("seethe*docs*")
    assert shown_length("两个 字") == 3


def test_a_lead_in_brings_its_short_list() -> None:
    body = (
        "## Platforms\n\nTCPStore with libuv runs on these systems:\n\n- Linux\n- macOS\n\nWheels shrank.\n"
    )
    near = passage(body, cosine=lambda text: 0.8 if "TCPStore" in text else 0.5)
    found = said(chosen("Which systems does TCPStore with libuv run on?", near))
    assert found == ["TCPStore with libuv runs on these systems:", "- Linux", "- macOS"]


def test_each_release_compared_has_its_share() -> None:
    words = [" ".join(f"word{n}{letter}" for letter in "abcdefghijklmn") for n in range(8)]
    long = " ".join(f"The TCPStore backend has {unlike}." for unlike in words)
    found = [
        passage(f"## TCPStore\n\n{long}\n"),
        passage("## TCPStore\n\nThe TCPStore backend is another.\n", "en-2.6", cosine=lambda text: 0.9),
    ]
    told = chosen("How does the TCPStore backend differ between 2.4 and 2.6?", *found)
    assert {pick.passage.version for pick in told} == {"2.4", "2.6"}
    (first,) = [pick for pick in told if pick.passage.version == "2.4"]
    lengths = [shown_length(quote) for quote in quotes(first.passage, first.sentences)]
    assert len(lengths) > 1 and sum(lengths) <= BUDGET["en"] / 2


def test_what_a_summary_said_that_is_left_out_is_said_by_the_section() -> None:
    """The summary's sentence is the better one, and the section's own the repetition: one of them stays."""
    twin = "Owners of a Volta GPU take the CUDA 12.6 build of PyTorch 2.4."
    best = "Which CUDA build a Volta GPU takes in PyTorch 2.4 follows from its architecture."
    section = passage(f"## Volta\n\n{best}\n\n{twin}", cosine=lambda text: 0.95 if text == best else 0.63)
    overview = passage(f"## Overview\n\n{twin}", cosine=lambda _: 0.93)
    overview = replace(overview, chunk=replace(overview.chunk, section_id="overview"))
    picks = chosen("Which CUDA build does a Volta GPU take in 2.4?", section, overview)
    kept = without_summaries(best_first("fact", picks))
    assert sum(sentence == twin for sentence in said(kept)) == 1
