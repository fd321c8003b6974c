"""Labels of the interface in both languages."""

from __future__ import annotations

from ingest.document import Kind, Language

#: Between a label and what it labels.
COLON: dict[Language, str] = {"zh": "：", "en": ": "}
LANGUAGE_NAMES: dict[Language, str] = {"zh": "中文", "en": "English"}
SOURCES: dict[Language, str] = {"zh": "来源", "en": "Sources"}
NEAREST_QUOTES: dict[Language, str] = {"zh": "最接近的原文", "en": "Nearest passages"}
NEXT: dict[Language, str] = {"zh": "接着可以问", "en": "Next"}
ASK_INSTEAD: dict[Language, str] = {"zh": "可以改问", "en": "Ask instead"}
DECLINED_BADGE: dict[Language, str] = {"zh": "文档未提及", "en": "Not in the notes"}
PAIRED: dict[Language, dict[Language, str]] = {
    "zh": {"zh": "对照中文版", "en": "对照英文版"},
    "en": {"zh": "The same in Chinese", "en": "The same in English"},
}
READ_ORIGINAL: dict[Language, str] = {"zh": "查看原文", "en": "Read the source"}
KIND_NAMES: dict[Language, dict[Kind, str]] = {
    "zh": {"blog": "博客", "release-notes": "发布说明", "digest": "摘要", "user": "自有文档"},
    "en": {"blog": "Blog", "release-notes": "Release notes", "digest": "Digest", "user": "Own document"},
}
HISTORY_COUNT: dict[Language, str] = {
    "zh": "共 {count} 个功能；`torchnotes history 名称` 可查看其中一个及其各部分。",
    "en": "{count} features; `torchnotes history NAME` tells one with its parts.",
}
HISTORY_ELSEWHERE: dict[Language, str] = {
    "zh": "所问版本没有提到；提到它的版本：{releases}",
    "en": "not in the releases asked for; it is in {releases}",
}
WRITTEN_BY: dict[Language, str] = {
    "zh": "由 {model} 撰写，带编号的句子经原文证实",
    "en": "Written by {model}; the notes prove the sentences with numbers",
}
UNPROVED: dict[Language, str] = {
    "zh": "模型写的 {count} 句话已略去，原因如下",
    "en": "{count} of the model's sentences left out, and why",
}

#: Example questions.
EXAMPLES: dict[Language, tuple[str, ...]] = {
    "zh": (
        "2.4 里 TCPStore 默认用什么后端？",
        "FlexAttention 是哪个版本加入的？",
        "PyTorch 2.5 有哪些测试版功能？",
        "从 2.6 升级到 2.8 有哪些不兼容的改动？",
    ),
    "en": (
        "What is FSDP2, and in which release did it appear?",
        "How do I turn on FP16 inference on x86 CPUs in 2.6?",
        "What was deprecated in PyTorch 2.6?",
        "What breaks when I go from 2.6 to 2.8?",
    ),
}

#: Reasons why an answer was not right, by the key stored with the feedback.
REASONS: dict[Language, dict[str, str]] = {
    "zh": {
        "wrong": "内容不对",
        "incomplete": "不完整",
        "not-found": "文档里有却没答",
        "should-decline": "文档里没有却答了",
        "bad-citation": "出处不支持这句话",
        "language": "语言不对",
        "other": "其他",
    },
    "en": {
        "wrong": "It is wrong",
        "incomplete": "Something is missing",
        "not-found": "The notes do tell",
        "should-decline": "The notes do not tell",
        "bad-citation": "A source does not say it",
        "language": "Wrong language",
        "other": "Something else",
    },
}
