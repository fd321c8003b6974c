"""Which questions are broad, and of which kind; a topic makes a question narrow."""

from __future__ import annotations

from assistant.query.broad_kind import broad_kind, own_release, topic_names
from assistant.query.question import Question, understand
from corpus.glossary import load_glossary
from ingest.release import Release
from tests.ingest.splitting import segmenter
from tests.rows import each_row

KNOWN = tuple(Release(2, minor) for minor in range(16))


def read(text: str, history: tuple[str, ...] = ()) -> Question:
    return understand(text, history, known=KNOWN, glossary=load_glossary())


@each_row(
    ("kind", "text"),
    [
        ("overview", "what changed in 2.8?"),
        ("overview", "What's New in PyTorch 2.13?"),
        ("overview", "give me a quick overview of PyTorch 2.9"),
        ("overview", "what does 2.11 bring?"),
        ("overview", "what's new in the latest version?"),
        ("overview", "what's new in pytorch?"),
        ("overview", "2.9 有什么新东西"),
        ("overview", "2.13 这个版本主要改了啥"),
        ("overview", "最新版本有什么变化"),
        ("overview", "介绍一下 2.6"),
        ("comparison", "compare 2.7 and 2.8"),
        ("comparison", "what changed between 2.3 and 2.6?"),
        ("comparison", "2.7 vs 2.8"),
        ("comparison", "2.7 和 2.8 有什么区别"),
        ("comparison", "从 2.6 到 2.8 有什么变化"),
        ("comparison", "what's new since 2.6?"),
        ("comparison", "2.6 之后都更新了什么"),
        ("comparison", "2.8 比 2.7 多了什么"),
        ("upgrade", "should I upgrade?"),
        ("upgrade", "is 2.9 worth it?"),
        ("upgrade", "2.9 有什么坑"),
        ("upgrade", "I'm on 2.3, should I upgrade?"),
        ("upgrade", "should I upgrade from 2.3 to 2.6, what breaks, what do I gain?"),
        ("upgrade", "what breaks when I go from 2.3 to 2.12?"),
        ("upgrade", "我该不该升级"),
        ("upgrade", "从 2.3 升到 2.6"),
        ("upgrade", "2.4 升 2.8 会坏什么"),
        ("upgrade", "升级到 2.10 需要注意什么"),
        ("list", "list all prototype features in 2.5"),
        ("list", "breaking changes in 2.8"),
        ("list", "what breaks in 2.8?"),
        ("list", "after 2.3 but before 2.6, what breaks?"),
        ("list", "how many prototype features are in 2.5?"),
        ("list", "list all the new features in 2.8"),
        ("list", "2.8 有已知问题吗"),
        ("list", "what is deprecated in 2.9"),
        ("list", "2.5 的原型功能有哪些"),
        ("list", "list everything about DTensor in 2.8"),
        ("list", "2.6 里跟 AOTInductor 沾边的改动列一下"),
    ],
)
def test_broad_questions_have_their_kind(kind: str, text: str) -> None:
    assert broad_kind(read(text), segmenter()) == kind


@each_row(
    "text",
    [
        "what changed in DataLoader in 2.8",
        "2.8 的 DataLoader 有什么变化",
        "what's new in torch.compile in 2.8",
        "2.8 里分布式有什么新东西",
        "difference between torch.export in 2.7 and 2.8",
        "compare FSDP1 and FSDP2",
        "my code fails after upgrading to 2.6 with a pickle error",
        "升级到 2.6 后 torch.load 报错",
        "升级后速度变慢了",
        "新版内存占用变大",
        "when was 2.8 released?",
        "2.8 什么时候发布的",
        "how many commits are in 2.5",
        "which Python versions does 2.8 support",
        "2.8 支持哪些 CUDA 版本",
        "does 2.7 support Blackwell",
        "what is FlexAttention?",
        "is 2.8 out?",
        "what was removed in 2.9?",
        "hello",
        "你是谁",
        "",
    ],
)
def test_a_topic_or_a_single_fact_is_narrow(text: str) -> None:
    assert broad_kind(read(text), segmenter()) is None


def test_a_follow_up_has_the_topic_of_the_question_before() -> None:
    assert broad_kind(read("and in 2.9?", ("what is new in 2.8?",)), segmenter()) == "overview"
    assert broad_kind(read("and in 2.9?", ("what is new in FlexAttention in 2.8?",)), segmenter()) is None


@each_row(
    ("text", "release"),
    [
        ("should I upgrade from 2.3 to 2.6?", "2.3"),
        ("should I upgrade from 2.3?", "2.3"),
        ("I'm on 2.3 and want to upgrade", "2.3"),
        ("现在用的是 2.4，值得升级吗", "2.4"),
        ("从 2.3 升到 2.6", "2.3"),
        ("upgrade to 2.8", None),
        ("我该不该升级", None),
    ],
)
def test_the_release_that_one_has(text: str, release: str | None) -> None:
    found = own_release(read(text))
    assert (str(found) if found else None) == release


def test_words_to_ask_with_are_no_names() -> None:
    assert topic_names(read("What Is New in The Latest Release?")) == []
    assert ("dtensor",) in [names[:1] for names in topic_names(read("list everything about DTensor in 2.8"))]
