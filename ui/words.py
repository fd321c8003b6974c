"""The words of the interface that are ours, in both languages: one copy each."""

from __future__ import annotations

from ingest.document import Kind, Language

LANGUAGE_NAMES: dict[Language, str] = {"zh": "中文", "en": "English"}
SOURCES: dict[Language, str] = {"zh": "来源", "en": "Sources"}
NEAREST_QUOTES: dict[Language, str] = {"zh": "最接近的原文", "en": "Nearest passages"}
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
    "zh": "共 {count} 个功能；`torchnotes history 名称` 细说其中一个，连同它的各部分。",
    "en": "{count} features; `torchnotes history NAME` tells one with its parts.",
}
HISTORY_ELSEWHERE: dict[Language, str] = {
    "zh": "所问版本没有提到；提到它的版本：{releases}",
    "en": "not in the releases asked for; it is in {releases}",
}

TITLE = "torchnotes"
SUBTITLE: dict[Language, str] = {
    "zh": "查 PyTorch 各版本的发布说明，每句话都有出处；文档没写的，直接告诉你没有。",
    "en": "Answers from the PyTorch release notes: every sentence cited, a plain no where they are silent.",
}
EMPTY: dict[Language, str] = {
    "zh": "问一个关于 PyTorch 版本的问题，或从下面的例子开始。",
    "en": "Ask about any PyTorch release, or start from an example.",
}
ASK_HERE: dict[Language, str] = {
    "zh": "输入问题，中英文均可",
    "en": "Ask in English or Chinese",
}
SEND: dict[Language, str] = {"zh": "发送", "en": "Ask"}
NEW_CHAT: dict[Language, str] = {"zh": "新对话", "en": "New chat"}
RELEASES: dict[Language, str] = {
    "zh": "只看这些版本（不选则看全部）",
    "en": "Only these releases (none: all)",
}
BROKEN: dict[Language, str] = {
    "zh": "出了点问题，这个问题没能回答。请再试一次；仍然不行，请在终端运行 `torchnotes doctor`。",
    "en": "Something went wrong and the question was not answered. Try again, then type `torchnotes doctor`.",
}
EXAMPLES: tuple[str, ...] = (
    "2.4 里 TCPStore 默认用什么后端？",
    "FlexAttention 是哪个版本加入的？",
    "PyTorch 2.5 有哪些测试版功能？",
    "What is FSDP2, and in which release did it appear?",
    "How do I turn on FP16 inference on x86 CPUs in 2.6?",
    "What was deprecated in PyTorch 2.6?",
)
