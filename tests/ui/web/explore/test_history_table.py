"""The history of features in words."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest

from assistant.timeline.model import Histories
from corpus.glossary import load_glossary
from ingest.document import Language
from tests.ui.web.lives import lives
from ui.web.explore.features import Choice, alone, choose
from ui.web.explore.history_table import history_table, legend, summary

GLOSSARY = load_glossary()


@pytest.fixture(scope="module")
def features(tmp_path_factory: pytest.TempPathFactory) -> Histories:
    return lives(tmp_path_factory.mktemp("lives"))[1]


def counted(features: Histories, choice: Choice, language: Language = "en", shown: int = 40) -> str:
    chosen = choose(features, GLOSSARY, choice)
    html = summary(choice, chosen, len(alone(features)), shown, language)
    return re.sub("<[^>]+>", "", html)


@pytest.mark.parametrize(
    ("choice", "language", "words"),
    [
        pytest.param(Choice(), "en", "3 of 4 features changed status.", id="changed-en"),
        pytest.param(Choice(), "zh", "4 个功能里有 3 个的状态有变化。", id="changed-zh"),
        pytest.param(Choice(changed=False), "en", "Features: 4.", id="all"),
        pytest.param(
            Choice("parallel"), "en", "“parallel” in all features: 2 found.", id="found-whatever-is-shown"
        ),
        pytest.param(
            Choice(status="deprecated"),
            "en",
            "1 of 4 features changed status, with status Deprecated at some time.",
            id="status",
        ),
        pytest.param(
            Choice("FlexAtention"),
            "zh",
            "发布说明里没有叫“FlexAtention”的功能。 名称相近的有：FlexAttention。",
            id="near",
        ),
        pytest.param(Choice("qqqqqq"), "en", "No feature in the notes is called “qqqqqq”.", id="far"),
        pytest.param(
            Choice("FlexAttention", "stable"),
            "en",
            "“FlexAttention” finds FlexAttention, but none of it was ever Stable; "
            "choose “any” status to see it.",
            id="named-without-the-status",
        ),
        pytest.param(
            Choice(status="stable"),
            "en",
            "No feature is like that; show all features, or choose “any” status.",
            id="none",
        ),
    ],
)
def test_how_much_there_is_or_why_not(
    features: Histories, choice: Choice, language: Language, words: str
) -> None:
    assert counted(features, choice, language) == words


def test_what_is_left_is_counted(features: Histories) -> None:
    assert counted(features, Choice(changed=False), shown=2) == "Features: 4; the first 2 are shown."


def test_an_index_without_features_says_so() -> None:
    assert counted({}, Choice()) == "No document in the index tells the status of a feature."


def test_what_was_typed_stays_text(features: Histories) -> None:
    choice = Choice("<img src=x onerror=alert(1)>")
    html = summary(choice, choose(features, GLOSSARY, choice), 4, 0, "en")
    assert "<img" not in html and "&lt;img src=x" in html


def test_the_legend_has_what_is_shown(features: Histories) -> None:
    html = legend(alone(features), "en")
    assert re.findall(r"</span>([^<]+)</li>", html) == ["Prototype", "Beta", "Deprecated"]
    assert legend([], "en") == ""


def test_every_step_has_its_words_its_source_and_a_question(features: Histories) -> None:
    flex = choose(features, GLOSSARY, Choice("FlexAttention")).features
    html = history_table(flex, "zh")
    assert '<th scope="row">' in html and html.count("<li>") == 2
    assert "2025-01-15 · 原型（Prototype）" in html and "测试版（Beta），此前为原型（Prototype）" in html
    assert '<span lang="zh">FlexAttention 用几行代码写出各种注意力机制。</span>' in html
    assert 'href="https://example.org/2.10-zh-user"' in html
    asked = [unquote(question) for question in re.findall(r'href="#ask=([^"]+)"', html)]
    assert asked == [
        "FlexAttention 从哪个版本开始，状态怎么变的？",
        "PyTorch 2.5 的 FlexAttention 是什么？",
        "PyTorch 2.10 的 FlexAttention 是什么？",
    ]
    assert history_table([], "zh") == ""


def test_documents_that_mean_harm_are_inert(features: Histories) -> None:
    html = history_table(alone(features), "en")
    assert "&lt;script&gt;alert(2)&lt;/script&gt;" in html
    assert not re.search(r"<(?:script|img)|href=\"(?!https?:|#ask=)|\son\w+=", html)
