"""Labels of the page in both languages."""

from __future__ import annotations

from ingest.document import Language
from ui.shared.labels import EXAMPLES, REASONS
from ui.web.components import check_labels as words_checks

TITLE = "torchnotes"
SUBTITLE: dict[Language, str] = {
    "zh": "查 PyTorch 各版本的发布说明，每句话都有出处；文档没写的，直接告诉你没有。",
    "en": "Answers from the PyTorch release notes: every sentence cited, a plain no where they are silent.",
}
#: The newest release of the index; without a hint at `torchnotes sync`, which only the operator can run.
REACH: dict[Language, str] = {
    "zh": "发布说明收录到 PyTorch {newest}",
    "en": "Notes up to PyTorch {newest}",
}
LANGUAGE: dict[Language, str] = {"zh": "语言", "en": "Language"}
LANGUAGE_CHOICES: dict[Language, list[tuple[str, str]]] = {
    "zh": [("自动", "auto"), ("中文", "zh"), ("English", "en")],
    "en": [("Auto", "auto"), ("中文", "zh"), ("English", "en")],
}
CHAT: dict[Language, str] = {"zh": "问答", "en": "Chat"}
EXPLORE: dict[Language, str] = {"zh": "功能历程", "en": "Features"}
COMPARE: dict[Language, str] = {"zh": "版本对比", "en": "Compare"}
UPGRADE: dict[Language, str] = {"zh": "我的代码", "en": "Your code"}
DOCUMENTS: dict[Language, str] = {"zh": "文档", "en": "Documents"}
API: dict[Language, str] = {"zh": "接口", "en": "API"}

ASK_HERE: dict[Language, str] = {"zh": "输入问题，中英文均可", "en": "Ask in English or Chinese"}
QUESTION: dict[Language, str] = {"zh": "问题", "en": "Question"}
SEND: dict[Language, str] = {"zh": "发送", "en": "Ask"}
STOP: dict[Language, str] = {"zh": "停止", "en": "Stop"}
NEW_CHAT: dict[Language, str] = {"zh": "新对话", "en": "New chat"}
RELEASES: dict[Language, str] = {
    "zh": "只看这些版本（不选则看全部）",
    "en": "Only these releases (none: all)",
}
MODEL_ON: dict[Language, str] = {"zh": "用语言模型撰写：{model}", "en": "Language model: {model}"}
MODEL_OFF: dict[Language, str] = {"zh": "未配置语言模型", "en": "No language model configured"}
BROKEN: dict[Language, str] = {
    "zh": "出了点问题，这个问题没能回答。请再试一次；如果还不行，请在终端运行 `torchnotes doctor`。",
    "en": "Something went wrong and the question was not answered. Try again, then type `torchnotes doctor`.",
}
BUSY: dict[Language, str] = {
    "zh": "现在提问的人太多，这个问题还没有回答。请稍等片刻再点“重试”。",
    "en": "Many people are asking right now, and this question was not answered. Try again in a moment.",
}
IN_LINE: dict[Language, str] = {
    "zh": "前面还有人在问，请稍候……",
    "en": "Others are asking; yours is next in line ...",
}


#: Texts of the page's scripts.
SCRIPTS: dict[Language, dict[str, object]] = {
    "zh": {
        "empty": "问一个关于 PyTorch 版本的问题，或从下面的例子开始。",
        "examples": EXAMPLES["zh"],
        "log": "对话",
        "sources": "来源",
        "noSources": "点击回答里的编号，原文会显示在这里，引用的句子会标出来。",
        "source": "来源 {number}",
        "close": "关闭",
        "copy": "复制",
        "copied": "已复制",
        "retry": "重试",
        "edit": "修改问题",
        "good": "有帮助",
        "bad": "有问题",
        "thanks": "已记下，只保存在运行本服务的机器上。",
        "reason": "哪里有问题？",
        "reasons": REASONS["zh"],
        "comment": "补充说明（可不填）",
        "submit": "提交",
        "stopped": "已停止。",
        "unanswered": "这个问题没有答完。",
        "offline": "连不上服务，问题还在；恢复后点“重试”。",
        "history": "历史对话",
        "noHistory": "还没有对话。对话只保存在这个浏览器里。",
        "delete": "删除",
        "deleteAll": "全部删除",
        "export": "导出",
        "you": "问",
        "checks": words_checks.SCRIPTS["zh"],
    },
    "en": {
        "empty": "Ask about any PyTorch release, or start from an example.",
        "examples": EXAMPLES["en"],
        "log": "Conversation",
        "sources": "Sources",
        "noSources": "Click a number in an answer: the passage is shown here with the very words marked.",
        "source": "Source {number}",
        "close": "Close",
        "copy": "Copy",
        "copied": "Copied",
        "retry": "Retry",
        "edit": "Edit",
        "good": "Helpful",
        "bad": "Not right",
        "thanks": "Noted; it stays on the machine that runs this server.",
        "reason": "What is not right?",
        "reasons": REASONS["en"],
        "comment": "More about it (optional)",
        "submit": "Send",
        "stopped": "Stopped.",
        "unanswered": "This question was not answered to the end.",
        "offline": "The server cannot be reached. The question is kept: retry when it is back.",
        "history": "History",
        "noHistory": "No conversations yet. They are kept in this browser only.",
        "delete": "Delete",
        "deleteAll": "Delete all",
        "export": "Export",
        "you": "Question",
        "checks": words_checks.SCRIPTS["en"],
    },
}
