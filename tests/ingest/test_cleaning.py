"""Cleaning takes out what is not the release, reports it, and leaves every other line as it was."""

from __future__ import annotations

import pytest

from ingest.cleaning import clean

ARTICLE = """# PyTorch 2.6 发布

新版本改进了 torch.compile 的性能，并支持 Python 3.13。编译后的模型在 CPU 后端上更快。

## 性能改进

FlexAttention 现在支持 X86 CPU 后端，torch.compile 的编译时间更短。
"""


def reasons(text: str) -> list[str]:
    return [removal.reason for removal in clean(text)[1]]


def test_a_clean_text_is_returned_as_it_is() -> None:
    assert clean(ARTICLE) == (ARTICLE, ())


@pytest.mark.parametrize(
    "line", ["Skip to content", "跳到内容", "[Back to top](#top)", "* Skip to main content"]
)
def test_navigation_goes(line: str) -> None:
    text, removed = clean(f"{line}\n\n{ARTICLE}")
    assert text == ARTICLE
    assert [(r.reason, r.lines, r.excerpt) for r in removed] == [("navigation", 1, line)]


@pytest.mark.parametrize(
    "box",
    [
        "> 发布: 2025年01月29日\n> \n> 译者：[@某人](https://a.b)\n> \n> 原文: <https://c.d>",
        "发布: 2025年01月29日\n\n译者:@某人\n\n原文: https://c.d",
        "> Published: 2025-01-29\n> **Translator**: someone",
    ],
    ids=["quoted", "bare", "english"],
)
def test_a_translation_box_goes(box: str) -> None:
    text, removed = clean(f"# 标题\n\n{box}\n\n正文在这里。\n")
    assert text.split() == ["#", "标题", "正文在这里。"]
    assert [r.reason for r in removed] == ["translation box"]


def test_one_labelled_line_is_a_statement_not_a_box() -> None:
    text = "# T\n\nSource: <https://a.b>\n\nProse of the text.\n"
    assert clean(text) == (text, ())


@pytest.mark.parametrize(
    "line", ["**来自 PyTorch团队**", "来自 PyTorch 团队", "By Team PyTorch", "*by the PyTorch Team*"]
)
def test_a_byline_at_the_top_goes(line: str) -> None:
    assert reasons(f"# T\n\n{line}\n\nProse.\n") == ["byline"]


def test_thanks_to_a_team_below_the_top_stay() -> None:
    text = f"{ARTICLE}\n来自 PyTorch 团队\n\nCheers!\n\nPyTorch 团队\n"
    assert clean(text) == (text, ())


def test_a_table_of_contents_goes_but_lists_with_text_stay() -> None:
    contents = "- [Highlights](#highlights)\n- [Deprecations](#deprecations)\n- [Bug fixes](#bug-fixes)\n"
    summary = "- [FlexAttention](#flex) runs on CPU\n- [A](#a)\n- [Docs](https://a.b/c)\n"
    text, removed = clean(f"# Notes\n{contents}\n# Highlights\n{summary}")
    assert text == f"# Notes\n\n# Highlights\n{summary}"
    assert [(r.reason, r.lines) for r in removed] == [("table of contents", 3)]


@pytest.mark.parametrize(
    "footer",
    [
        "我们一直在努力\n\napachecn/AiLearning\n\n【布客】中文翻译组",
        "© 2024 The Foundation. All rights reserved.",
        "Powered by Jekyll",
    ],
    ids=["translators", "copyright", "powered by"],
)
def test_a_site_footer_goes(footer: str) -> None:
    text, removed = clean(f"{ARTICLE}\n\n{footer}")
    assert text.rstrip() == ARTICLE.rstrip()
    assert [r.reason for r in removed] == ["site footer"]


def test_a_closing_sentence_about_copyright_stays() -> None:
    text = f"{ARTICLE}\nThe linter now checks the copyright header of every file.\n"
    assert clean(text) == (text, ())


def test_nothing_inside_a_code_fence_goes() -> None:
    text = "# T\n\n```\nSkip to content\n相关文章:\n© 2024\n- [A](#a)\n- [B](#b)\n- [C](#c)\n```\n"
    assert clean(text) == (text, ())


TEASERS = """相关文章:
RabbitMQ 死信队列入门
当消息成为死信后,消息中间件可以将其从当前队列发送到另一个队列中,这个队列就是死信队列…...
为什么要学习 CSS 布局?
盒子的水平宽度必须等于父元素内容区的宽度,否则浏览器会自动调整外边距…...
拉力测试cuda pytorch 把显卡拉满
import torch import time 对GPU进行压力测试,通过持续的矩阵乘法来最大化GPU利用率…...
"""


def test_teasers_of_other_articles_go_even_if_they_name_pytorch() -> None:
    text, removed = clean(ARTICLE + TEASERS)
    assert text.rstrip() == ARTICLE.rstrip()
    assert [(r.reason, r.lines) for r in removed] == [("unrelated tail", 8)]
    assert removed[0].excerpt.startswith("相关文章:")
    assert len(removed[0].excerpt) <= 80


def test_teasers_without_a_marker_go_too() -> None:
    text, _ = clean(ARTICLE + TEASERS.partition("\n")[2])
    assert text.rstrip() == ARTICLE.rstrip()


def test_prose_of_another_subject_after_the_marker_goes() -> None:
    tail = "\nRelated articles\n\nKubernetes schedules containers over a cluster and restarts failed pods.\n"
    text, removed = clean(ARTICLE + tail)
    assert text.rstrip() == ARTICLE.rstrip()
    assert [r.reason for r in removed] == ["unrelated tail"]


def test_prose_of_the_article_after_the_marker_stays() -> None:
    own = "\n## 改进\n\ntorch.compile 支持 Python 3.13，FlexAttention 在 X86 CPU 后端上的性能更好。\n"
    assert clean(ARTICLE + TEASERS + own)[0] == ARTICLE + own
    plain = own.replace("## ", "")
    assert clean(ARTICLE + TEASERS + plain)[0] == ARTICLE + plain
    assert clean(ARTICLE + "\n相关文章:\n" + plain)[0].endswith(plain)


def test_a_marker_heading_rules_only_its_own_section() -> None:
    related = "## Related posts\n\n- [Redis](https://a.b)\n"
    text, _ = clean(f"# T\n\nProse.\n\n{related}\n## Bug fixes\n\nA fix of c10d.\n")
    assert [line for line in text.split("\n") if line] == ["# T", "Prose.", "## Bug fixes", "A fix of c10d."]


def test_sentences_that_trail_off_are_no_teasers() -> None:
    text = ARTICLE + "\n我们还有更多关于 torch.compile 的性能改进正在进行之中，敬请期待后续的版本发布……\n"
    assert clean(text) == (text, ())


def test_hostile_lines_take_no_time() -> None:
    for line in ("." * 200_000 + "x", "> " * 100_000, "[" * 200_000, "相关文章:\n" * 3_000, "*_" * 100_000):
        clean(f"# T\n\n{line}\n")
