"""Conversations: small talk repeats no answer, answers are told in other forms, follow-ups understood."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.answer import Answer
from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.query.acts import SMALL_TALK
from assistant.settings import Settings
from assistant.text.messages import (
    ALL_TOLD,
    CHECK_OFFERED,
    NO_ANSWER_YET,
    NO_CODE,
    NOTHING_TOLD,
    OFF_SUBJECT,
    PROOF_TOLD,
    SOURCES_TOLD,
)
from assistant.text.messages import SMALL_TALK as REPLIES
from ingest.document import Language

EARLIER: dict[Language, str] = {
    "en": "Which backend does TCPStore use by default in 2.4?",
    "zh": "2.4 里 TCPStore 默认用什么后端？",
}
TURNS: dict[Language, list[str]] = {
    "en": [
        "thanks!",
        "thank you so much",
        "ok",
        "ok cool, thanks a lot",
        "got it",
        "that solved it",
        "great stuff, thanks for explaining",
        "haha nice",
        "good morning!",
        "hey, how are you?",
        "bye",
        "I have to go, see you tomorrow",
        "who are you?",
        "are you some kind of AI assistant?",
        "what can you do",
        "what sort of questions do you handle?",
        "I have no idea what you just said",
        "never mind",
        "write me a poem",
        "what's the weather in Paris",
        "1+1?",
        "how do I bake bread",
        "who is the president of France?",
        "recommend me a movie",
        "my cat is sick",
        "what time is it",
    ],
    "zh": [
        "好的谢谢",
        "谢谢你",
        "非常感谢你的解答",
        "懂了",
        "嗯嗯",
        "好的，我先去试一下",
        "哈哈哈",
        "不错，很清楚",
        "早上好",
        "在吗",
        "再见",
        "那我先下班了",
        "你是谁",
        "你是真人客服吗",
        "你能回答哪些方面的问题",
        "没太听明白",
        "没事了",
        "红烧肉怎么做",
        "今天天气怎么样",
        "写一首诗",
        "1加1等于几",
        "推荐一部电影",
        "怎么治感冒",
        "世界杯什么时候开始",
        "你觉得我帅吗",
        "帮我订张机票",
    ],
}
HELD_OUT = Path(__file__).with_name("turns_held_out.tsv")


@pytest.fixture(scope="module")
def assistant(shipped_home: Path) -> Assistant:
    return AssistantFactory(Settings(home=shipped_home)).assistant()


def last(assistant: Assistant, *turns: str) -> Answer:
    """The answer to the last turn of a conversation."""
    return assistant.ask(turns[-1], turns[:-1])


def is_friendly(answer: Answer, language: str) -> bool:
    """Whether a reply is one of ours, in the language, and tells nothing of the notes."""
    replies = {*REPLIES[answer.language].values(), OFF_SUBJECT[answer.language]}
    plain = answer.abstained and not answer.declines and not answer.citations and not answer.passages
    return plain and answer.language == language and answer.text in replies


@pytest.mark.parametrize(
    ("language", "turn"), [(lang, turn) for lang, turns in TURNS.items() for turn in turns]
)
def test_small_talk_and_what_is_off_topic_repeat_no_answer(
    assistant: Assistant, language: Language, turn: str
) -> None:
    answer = last(assistant, EARLIER[language], turn)
    assert is_friendly(answer, language) and answer.question == turn
    assert answer.act in (*SMALL_TALK, "off_topic")


@pytest.mark.long
def test_most_turns_held_out_are_read_as_they_are_meant(assistant: Assistant) -> None:
    """Of another style, written before the phrases: 40 turns, and 12 questions that look like them."""
    rows = [line.split("\t") for line in HELD_OUT.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    friendly = questions = 0
    for language, what, turn in rows:
        answer = last(assistant, EARLIER["en" if language == "en" else "zh"], turn)
        if what == "real":
            questions += not answer.act
        else:
            friendly += is_friendly(answer, language)
    assert questions == 12 and friendly >= 34


def test_a_question_beside_small_talk_is_answered(assistant: Assistant) -> None:
    answer = last(assistant, "hi there! Which backend does TCPStore use by default in 2.4? thanks")
    assert not answer.abstained and answer.act == ""
    assert answer.standalone == EARLIER["en"]
    answer = last(assistant, EARLIER["en"], "thanks! and how do I go back to the old one?")
    assert not answer.abstained and answer.standalone.startswith(EARLIER["en"])


def test_words_of_both_languages_are_answered_in_that_of_the_conversation(assistant: Assistant) -> None:
    assert last(assistant, EARLIER["zh"], "ok 👌").language == "en"
    for turn in ("thx", "👍", "666"):
        assert last(assistant, EARLIER["zh"], turn).language == "zh"
        assert last(assistant, EARLIER["en"], turn).language == "en"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_answer_is_told_in_other_forms(assistant: Assistant, language: Language) -> None:
    whole = last(assistant, EARLIER[language])
    quotes = [citation.quote for citation in whole.citations]
    say = {
        "en": ("shorter", "are you sure?", "and the source?", "show me code"),
        "zh": ("简短点", "确定吗", "出处呢", "给个代码"),
    }[language]
    short, proof, sources, code = (last(assistant, EARLIER[language], "ok", turn) for turn in say)
    assert [
        short.act,
        proof.act,
        sources.act,
        code.act,
    ] == "shorter proof sources code".split()
    for answer in (short, proof, sources, code):
        assert not answer.abstained and answer.language == language
        assert answer.standalone == whole.standalone and answer.citations
    assert 0 < len(short.citations) < len(quotes) and {c.quote for c in short.citations} <= {*quotes}
    assert proof.text.startswith(PROOF_TOLD[language]) and len(proof.citations) == 1
    assert proof.citations[0].quote in quotes and f"<{proof.citations[0].url}>" in proof.text
    assert sources.text.startswith(SOURCES_TOLD[language])
    assert {c.passage.chunk.id for c in sources.citations} == {c.passage.chunk.id for c in whole.citations}
    assert all(f"<{c.url}> [{c.number}]" in sources.text for c in sources.citations)
    assert "use_libuv=False" in code.text and "```python" in code.text


@pytest.mark.parametrize(
    ("question", "turn"), [("What is FlexAttention?", "tell me more"), ("FlexAttention 是什么？", "详细点")]
)
def test_more_tells_what_was_not_told(assistant: Assistant, question: str, turn: str) -> None:
    quotes = {citation.quote for citation in last(assistant, question).citations}
    more = last(assistant, question, "ok", turn)
    assert more.act == "more" and not more.abstained
    assert more.citations and not {citation.quote for citation in more.citations} & quotes


def test_shorter_again_is_shorter_still_and_more_comes_to_an_end(assistant: Assistant) -> None:
    once = last(assistant, EARLIER["en"], "shorter")
    twice = last(assistant, EARLIER["en"], "shorter", "even shorter please", "shorter")
    assert len(twice.citations) == 1 < len(once.citations)
    ended = last(assistant, EARLIER["en"], *["more"] * 6)
    assert ended.abstained and ended.text == ALL_TOLD["en"] and not ended.declines


def test_a_section_without_code_says_so(assistant: Assistant) -> None:
    answer = last(assistant, "What is the docstring example of Muon in 2.12?", "code?")
    lead = CHECK_OFFERED["en"].split("{", maxsplit=1)[0]
    assert answer.text.startswith(NO_CODE["en"]) or "```" in answer.text
    assert answer.citations or answer.text == NO_CODE["en"] or lead in answer.text


def test_the_answer_is_told_in_the_other_language(assistant: Assistant) -> None:
    chinese = last(assistant, EARLIER["en"], "thanks", "in Chinese please")
    assert chinese.language == "zh" and not chinese.abstained and "libuv" in chinese.text
    assert {c.passage.language for c in chinese.citations} == {"zh"}
    assert last(assistant, EARLIER["en"], "in Chinese please", "shorter").language == "zh"
    assert last(assistant, EARLIER["zh"], "用英文说").language == "en"
    assert last(assistant, f"{EARLIER['en']} In Chinese please.").language == "zh"
    declined = last(assistant, "Does PyTorch run on the Commodore 64?", "in Chinese please")
    assert declined.abstained and declined.declines and declined.language == "zh"


def test_forms_of_no_answer_say_so(assistant: Assistant) -> None:
    for turn in ("shorter", "are you sure?", "in English", "source?"):
        assert last(assistant, turn).text == NO_ANSWER_YET["en"]
        assert last(assistant, "thanks", turn).text == NO_ANSWER_YET["en"]
    declined = "Does PyTorch run on the Commodore 64?"
    assert last(assistant, declined, "show me code").text == NOTHING_TOLD["en"]
    again = last(assistant, declined, "are you sure?")
    assert again.declines and last(assistant, declined).text in again.text


def test_small_talk_and_forms_between_do_not_hide_the_question(assistant: Assistant) -> None:
    between = ["thanks!", "shorter", "红烧肉怎么做", "ok", "and the source?", "haha"] * 3
    answer = last(assistant, EARLIER["en"], *between, "and in 2.3?")
    assert answer.standalone == "Which backend does TCPStore use by default in 2.3?"


def test_a_follow_up_does_not_repeat_the_answer(assistant: Assistant) -> None:
    question = "What is FlexAttention and when did it appear?"
    before = {citation.quote for citation in last(assistant, question).citations}
    removed = last(assistant, question, "thanks", "and when is it removed?")
    assert removed.standalone == f"{question} and when is it removed?"
    told = {citation.quote for citation in removed.citations}
    assert not removed.abstained and len(told - before) > len(told & before) <= 2  # the nearest ones


def test_a_follow_up_keeps_the_sentence_that_answers_it(assistant: Assistant) -> None:
    question = "What changed with weights_only in torch.load?"
    for turn in ("why?", "thanks. why?"):
        answer = last(assistant, question, "since when?", turn)
        assert "security" in answer.text and len(answer.citations) <= 4
    back = last(assistant, question, "why?", "how do I get the old behaviour back?")
    assert back.standalone == f"{question} how do I get the old behaviour back?"
    assert "brings back the behaviour" in back.text


def test_a_follow_up_on_a_platform_that_is_not_mentioned_is_declined(assistant: Assistant) -> None:
    assert last(assistant, "FlexAttention 怎么用？", "那 Windows 上呢").declines
    answer = last(assistant, "FlexAttention 怎么用？", "那 Windows 上呢", "那 Mac 上呢")
    assert not answer.abstained and "MPS" in answer.text


def test_any_text_is_searched_for(assistant: Assistant) -> None:
    assert assistant.passages("code example") and not assistant.ask("code example").passages
    assert {p.version for p in assistant.passages("TCPStore", releases=["2.4"], top_k=3)} == {"2.4"}
