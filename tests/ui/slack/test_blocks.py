"""Answers as messages: within Slack's limits however long, with all that an answer tells."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from assistant.answer import Answer, DraftSentence
from tests.ui.answers import answer
from tests.ui.slack.app_states import OtherDesk
from tests.ui.slack.block_kit import problems
from tests.ui.slack.conftest import Start
from tests.ui.slack.server import FakeSlack
from tests.ui.slack.test_conversation import mention, slash, text_of
from ui.shared.app_state import AppState
from ui.slack import bot_messages as words
from ui.slack.blocks import answer_messages, line_message, nearest_messages, quote_messages

QUOTE = "A sentence of the notes with `code<T>` & more. "


def long_answer(sentences: int = 400) -> Answer:
    """An answer of many sentences, each cited."""
    lines = [
        f"- Sentence {n} of a long answer tells something of `name_{n}`. [{n}]" for n in range(1, sentences)
    ]
    return answer("**PyTorch 2.4**\n" + "\n".join(lines), [f"{QUOTE}{n}" for n in range(1, sentences)])


@pytest.mark.parametrize("sentences", [1, 2, 40, 400])
def test_every_length_keeps_the_limits(sentences: int) -> None:
    whole = long_answer(sentences)
    for messages in (answer_messages(whole, "k" * 16, "1.1"), quote_messages(whole), nearest_messages(whole)):
        assert [wrong for message in messages for wrong in problems(message.to_dict())] == []


def test_what_to_ask_next_is_one_small_line() -> None:
    told = replace(answer("A [1]"), suggestions=("Is <it> fast?", "Since when?"))
    (message,) = answer_messages(told, "k" * 16)
    lines = [block["elements"][0]["text"] for block in message.blocks if block["type"] == "context"]
    assert lines == ["Next: Is &lt;it&gt; fast? · Since when?"] and not problems(message.to_dict())


def test_a_long_answer_is_continued_in_the_thread(
    slack: FakeSlack, app_state: AppState, start: Start
) -> None:
    whole = long_answer()
    start(OtherDesk(app_state, lambda *_, **__: whole))
    event = mention(slack, "All of it?")
    slack.until(lambda: any(b["type"] == "actions" for m in slack.said() for b in m.get("blocks", ())))
    said = slack.said()
    assert len(said) > 2 and {message["thread_ts"] for message in said} == {event["ts"]}
    assert [m for m in said if any(b["type"] == "actions" for b in m["blocks"])] == [said[-1]]
    assert len(slack.answers()) == 1 and slack.answers()[0] is said[0]
    text = "\n".join(map(text_of, said))
    places = [
        text.index(f"• Sentence {n} of a long answer tells something of `name_{n}`. [{n}]")
        for n in range(1, 400)
    ]
    assert places == sorted(places) and all(f"[{n}] " in text.split("*Sources*")[1] for n in range(1, 400))


def test_a_long_private_answer_says_where_the_rest_is(
    slack: FakeSlack, app_state: AppState, start: Start
) -> None:
    whole = long_answer(900)
    start(OtherDesk(app_state, lambda *_, **__: whole))
    slash(slack, "All of it?")
    slack.until(lambda: len(slack.called("respond")) == 5)
    sent = slack.called("respond")
    assert [each["replace_original"] for each in sent] == [True, False, False, False, False]
    assert sent[3]["text"] == words.CUT["en"] and sent[4]["blocks"][-1]["type"] == "actions"


def test_an_answer_tells_how_it_came_about() -> None:
    plain = answer("Yes. [1]", [QUOTE])
    written = replace(
        plain,
        model="m<1>",
        notices=("a notice & *more*", "one\nmore"),
        sentences=(DraftSentence("x", "contradicted", "y", shown=False),),
        abstained=True,
    )
    (message,) = answer_messages(written, "kept-1234")
    told: list[dict[str, Any]] = [e for b in message.blocks if b["type"] == "context" for e in b["elements"]]
    texts = [element["text"] for element in told]
    assert texts[0] == "*Not in the notes* · a notice &amp; `*more*` · one more"
    assert "Written by m&lt;1&gt;" in texts[1]
    assert problems(message.to_dict()) == []


def test_only_addresses_of_the_web_become_links() -> None:
    (message,) = answer_messages(answer("Yes. [1]", [QUOTE], url="javascript:alert(1)"), "kept-1234")
    assert "[1] PyTorch 2.4 › New &lt;i&gt;things&lt;/i&gt;" in str(message.blocks)
    assert "javascript" not in str(message.blocks)


def test_an_answer_without_sources_has_no_buttons_for_them() -> None:
    (message,) = answer_messages(replace(answer("Nothing."), passages=()), "kept-1234")
    names = [element["action_id"] for element in message.blocks[-1]["elements"]]
    assert names == ["torchnotes_other", "torchnotes_good", "torchnotes_bad", "torchnotes_delete"]
    assert quote_messages(replace(answer("Nothing."), passages=())) == []


def test_a_line_is_one_line_however_long() -> None:
    message = line_message("one\ntwo " + "x" * 9000)
    assert message.text.startswith("one two ") and problems(message.to_dict()) == []


def test_a_quote_of_code_stands_in_a_fence_and_words_behind_a_mark() -> None:
    quoted = answer(
        "One [1] and two [2]", ["```python\nif a < b:\n    use(*args)\n```", "Call `__init__` & __exit__."]
    )
    (message,) = quote_messages(quoted)
    text = message.blocks[0]["text"]["text"]
    assert "[1]\n```\nif a &lt; b:\n    use(*args)\n```\n[2]\n> Call `__init__` &amp; `__exit__`." in text
    assert problems(message.to_dict()) == []


def test_small_talk_has_neither_badge_nor_buttons() -> None:
    thanks = replace(answer("You are welcome!"), abstained=True, passages=(), act="thanks")
    (message,) = answer_messages(thanks, "k" * 16)
    assert [block["type"] for block in message.blocks] == ["section"]
    assert "Not in the notes" not in str(message.blocks)
