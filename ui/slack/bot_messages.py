"""Texts of the bot in both languages."""

from __future__ import annotations

from assistant.text.messages import SMALL_TALK
from ingest.document import Language

THINKING: dict[Language, str] = {"zh": "正在查发布说明……", "en": "Looking in the release notes ..."}
BROKEN: dict[Language, str] = {
    "zh": "出了点问题，这个问题没能回答；问题还在上面，请再问一次。管理员可在服务器日志里看到原因。",
    "en": "Something went wrong and this was not answered; your question is still above, ask it again. "
    "The server's log tells why.",
}
BUSY: dict[Language, str] = {
    "zh": "现在提问的人太多，这个问题还没有回答。请稍等片刻再问一次。",
    "en": "Many people are asking right now, and this was not answered. Ask again in a moment.",
}
#: Of a mention without a question.
EMPTY: dict[Language, str] = {language: replies["greeting"] for language, replies in SMALL_TALK.items()}
NOT_HERE: dict[Language, str] = {
    "zh": "这个频道没有启用 torchnotes；管理员可以通过 TORCHNOTES_SLACK_CHANNELS 启用。",
    "en": "torchnotes is not enabled here; its administrator can enable it with TORCHNOTES_SLACK_CHANNELS.",
}
QUOTES: dict[Language, str] = {"zh": "查看引文", "en": "Show quotes"}
QUOTES_OF: dict[Language, str] = {"zh": "引文", "en": "Quotes"}
NEAREST: dict[Language, str] = {"zh": "相近章节", "en": "Nearest sections"}
OTHER: dict[Language, str] = {"zh": "In English", "en": "用中文回答"}
GOOD: dict[Language, str] = {"zh": "👍 有帮助", "en": "👍 Helpful"}
BAD: dict[Language, str] = {"zh": "👎 有问题", "en": "👎 Not right"}
THANKS: dict[Language, str] = {
    "zh": "已记下，只保存在运行本服务的机器上。",
    "en": "Noted; it stays on the machine that runs this bot.",
}
SHOWN: dict[Language, str] = {"zh": "已经在这个话题里显示过了。", "en": "It is in this thread already."}
FORGOTTEN: dict[Language, str] = {
    "zh": "这个回答太旧了，按钮已失效；请再问一次。",
    "en": "This answer is too old for its buttons; ask the question again.",
}
CUT: dict[Language, str] = {
    "zh": "回答太长，这里只能显示到此；私信或在频道里 @ 我可以看到全文。",
    "en": "The answer is longer than can be shown here; write to me directly or mention me to see it all.",
}
PRIVATE: dict[Language, str] = {"zh": "只有你能看到 · 问：{question}", "en": "Only you see this · {question}"}
REASON_TITLE: dict[Language, str] = {"zh": "哪里有问题？", "en": "What is not right?"}
REASON: dict[Language, str] = {"zh": "原因", "en": "Reason"}
COMMENT: dict[Language, str] = {"zh": "补充说明", "en": "More about it"}
SUBMIT: dict[Language, str] = {"zh": "提交", "en": "Send"}
CANCEL: dict[Language, str] = {"zh": "取消", "en": "Cancel"}

HOME_TITLE = "torchnotes"
HOME: dict[Language, str] = {
    "zh": "查 PyTorch 各版本的发布说明，每句话都有出处；文档没写的，直接告诉你没有。\n"
    "• 在这里发私信，或在频道里 @ 我；同一个话题里接着问就行，不用再 @\n"
    "• `{command} 问题`：答案只有你看得到",
    "en": "Answers from the PyTorch release notes: every sentence cited, a plain no where they are silent.\n"
    "• Write me a direct message, or mention me in a channel; in the thread just go on asking\n"
    "• `{command} question`: only you see the answer",
}
EXAMPLES: dict[Language, str] = {"zh": "可以这样问", "en": "For example"}
INDEXED: dict[Language, str] = {
    "zh": "索引里有 {documents} 篇文档，涉及 PyTorch {releases}",
    "en": "Indexed: {documents} documents, on PyTorch {releases}",
}
