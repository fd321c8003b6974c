"""Texts of the bot in both languages."""

from __future__ import annotations

from ingest.document import Language

THINKING: dict[Language, str] = {"zh": "正在查发布说明……", "en": "Looking in the release notes ..."}
BROKEN: dict[Language, str] = {
    "zh": "出了点问题，这个问题没能回答；问题还在上面，请再问一次。管理员可在服务器日志里看到原因。",
    "en": "Something went wrong and this was not answered; your question is still above, ask it again. "
    "The server's log tells why.",
}
QUEUED: dict[Language, str] = {
    "zh": "现在提问的人很多，这个问题排上队了，轮到就在这里回答……",
    "en": "Many people are asking right now; this waits for its turn and is answered here ...",
}
STOPPED: dict[Language, str] = {
    "zh": "好，停下了。要我再说话，@ 我就行。",
    "en": "Stopped. Mention me when you want me back.",
}
CANCELLED: dict[Language, str] = {"zh": "已按要求停止，没有回答。", "en": "Stopped before it was answered."}
TOO_LONG: dict[Language, str] = {
    "zh": "这条消息有 {count} 个字符，最多读 {most} 个；请缩短，长日志请作为文件附上。",
    "en": "This message has {count} characters; at most {most} are read. Shorten it, and attach a long log "
    "as a file.",
}
CANNOT: dict[Language, str] = {"zh": "现在无法回答：{reason}", "en": "{reason}"}
HELP: dict[Language, str] = {
    "zh": "我根据 PyTorch 各版本的发布说明回答，每句话都有出处。\n"
    "• 频道里 @ 我，或发私信；在我的消息列里接着问版本问题，不用再 @\n"
    "• 可以附上日志或脚本（文本文件）\n"
    "• `/torchnotes 问题`：只有你看得到，可以再分享到频道\n"
    "• `stop`：我在这个消息列里不再说话，直到再 @ 我\n"
    "例如：2.4 的 torch.compile 有什么新功能？",
    "en": "I answer from the release notes of PyTorch, every sentence cited.\n"
    "• Mention me in a channel, or write to me; in my threads go on asking about releases without a mention\n"
    "• Attach a log or a script, as a text file\n"
    "• `/torchnotes question`: only you see the answer, and may share it\n"
    "• `stop`: I am silent in this thread until I am mentioned again\n"
    "For example: what is new in torch.compile in 2.4?",
}
HELLO: dict[Language, str] = {
    "zh": "你好！问我 PyTorch 的版本吧，比如：2.4 的 torch.compile 有什么新功能？",
    "en": "Hi! Ask me about a release of PyTorch, such as: what is new in torch.compile in 2.4?",
}
WHO: dict[Language, str] = {
    "zh": "我是 torchnotes，一个只根据 PyTorch 发布说明回答的机器人：有出处才说，说明里没有的就说没有。"
    "输入 `help` 看用法。",
    "en": "I am torchnotes, a bot that answers from the release notes of PyTorch only: what they say, with "
    "the source, or that they do not say it. Type `help` to see how.",
}
WELCOME: dict[Language, str] = {"zh": "不客气。", "en": "You are welcome."}
READ_WITH: dict[Language, str] = {
    "zh": "连同前面的消息一起读：{said}",
    "en": "Read with what was said before: {said}",
}
READ_FILE: dict[Language, str] = {"zh": "已读 {name}", "en": "Read {name}"}
READ_PART: dict[Language, str] = {
    "zh": "{name} 读了一部分（{count} 行）",
    "en": "Read a part of {name} ({count} lines)",
}
LEFT_OUT: dict[Language, str] = {"zh": "没有读 {name}：{reason}", "en": "Left out {name}: {reason}"}
NO_TEXT: dict[Language, str] = {"zh": "不是文本文件", "en": "no text file"}
TOO_LARGE: dict[Language, str] = {"zh": "太大", "en": "too large"}
NOT_GIVEN: dict[Language, str] = {
    "zh": "Slack 没有给（需要 files:read 权限）",
    "en": "Slack does not give it (scope files:read)",
}
NOT_NOW: dict[Language, str] = {"zh": "Slack 眼下读不到它", "en": "Slack does not give it now"}
NO_ROOM: dict[Language, str] = {"zh": "问题里放不下了", "en": "no room beside the question"}
EMPTY: dict[Language, str] = {
    "zh": "请带上问题，比如：2.4 的 torch.compile 有什么新功能？",
    "en": "Ask me something about PyTorch releases, such as: what is new in torch.compile in 2.4?",
}
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
DELETE: dict[Language, str] = {"zh": "删除", "en": "Delete"}
DELETE_SURE: dict[Language, str] = {"zh": "删除这个回答？", "en": "Delete this answer?"}
NOT_YOURS: dict[Language, str] = {
    "zh": "只有提问的人可以删除这个回答。",
    "en": "Only who asked can delete this answer.",
}
DELETED: dict[Language, str] = {"zh": "已删除。", "en": "Deleted."}
SHARE: dict[Language, str] = {"zh": "分享到频道", "en": "Share in channel"}
SHARED: dict[Language, str] = {"zh": "已分享到频道。", "en": "Shared in the channel."}
SHARED_BY: dict[Language, str] = {
    "zh": "<@{user}> 分享 · 问：{question}",
    "en": "Shared by <@{user}> · {question}",
}
UNSHARED: dict[Language, str] = {
    "zh": "这里发不了消息；先 /invite @torchnotes，再分享。",
    "en": "I cannot post here; /invite @torchnotes first, then share it again.",
}
NEEDS_HELP: dict[Language, str] = {"zh": "还需要帮助", "en": "Still needs help"}
HELP_WANTED: dict[Language, str] = {
    "zh": "{helper} <@{user}> 的这个问题还需要帮助。",
    "en": "{helper} <@{user}> still needs help with this question.",
}
HELP_ELSEWHERE: dict[Language, str] = {
    "zh": "<@{user}> 的一个问题还需要帮助：{link}",
    "en": "<@{user}> still needs help with a question: {link}",
}
HELP_THREAD: dict[Language, str] = {"zh": "消息列", "en": "the thread"}
HELP_ASKED: dict[Language, str] = {"zh": "已转到 {helper}。", "en": "Passed on to {helper}."}
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
    "• 其他聊天我不插话；`help` 看用法，`stop` 让我在消息列里安静\n"
    "• `{command} 问题`：答案只有你看得到",
    "en": "Answers from the PyTorch release notes: every sentence cited, a plain no where they are silent.\n"
    "• Write me a direct message, or mention me in a channel; in the thread just go on asking\n"
    "• I stay out of other talk; `help` tells how to ask, `stop` keeps me silent in a thread\n"
    "• `{command} question`: only you see the answer",
}
EXAMPLES: dict[Language, str] = {"zh": "可以这样问", "en": "For example"}
INDEXED: dict[Language, str] = {
    "zh": "索引里有 {documents} 篇文档，涉及 PyTorch {releases}",
    "en": "Indexed: {documents} documents, on PyTorch {releases}",
}
#: On code in a message.
LINES: dict[Language, str] = {"zh": "第 {lines} 行", "en": "line {lines}"}
ONLY_POSSIBLE: dict[Language, str] = {"zh": "只是可能", "en": "only possible"}
MORE_FINDINGS: dict[Language, str] = {
    "zh": "… 还有 {count} 项；`torchnotes upgrade PATH` 会全部列出。",
    "en": "… {count} more; `torchnotes upgrade PATH` lists them all.",
}
