"""Patterns of fake prompt framing in documents: prompt tags, speaker labels, and end markers."""

from __future__ import annotations

#: Matched line by line, including in code.
FRAMES: tuple[str, ...] = (
    r"<<\s*/?SYS\s*>>|\[/?INST\]|<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|eot_id)[^|]{0,40}\|>",
    r"(?<![\w>])</?\s*(?:passage|instruction)s?(?:\s[^>\n]{0,80})?>|</\s*(?:system|assistant|user)\s*>|^[^\w\n]{0,40}<(?:system|assistant|user)(?:\s[^>\n]{0,80})?>|</\s*(?:document|context|source|notes)s?\s*>"
    r"|(?<![\w>])<(?:document|context|notes)s?(?:\s[^>\n]{0,80})?>",
    r"^[^A-Za-z0-9\n]{0,40}(?:end|begin(?:ning)?|start) of (?:the )?(?:passages?|documents?|context|notes|data|sources?|prompt|instructions?)[^A-Za-z0-9\n]{0,40}$"
    r"|(?-i:\b(?:END|BEGIN|START) OF (?:PASSAGES?|DOCUMENTS?|CONTEXT|NOTES|DATA|SOURCES?|PROMPT|INSTRUCTIONS?)\b)",
    r"==\s*end of (?:the )?(?:passages?|documents?|context|notes|sources?)\b",
    r"^[^\w\n]{0,40}(?:passage|段落|资料)\s*\[?#?\d+\]?\s*(?:\(|（|[:：])|^[^\w\n]{0,40}\[(?:source|document|文档|来源)\s*#?\d+\]\s*(?:\(|（|[:：])",
    r"(?:资料|段落|文档|引文|上下文|发布说明)(?:到此|至此)(?:结束|完毕|终止|为止)",
    # Lines labelled as the system's. "System prompt" always matches, "System:" only before an order: not
    # "System: Linux".
    r"^[^\w\n]{0,40}(?:system|developer)\s+(?:prompt|override|instructions?|directive)\b|^[^\w\n]{0,40}(?:系统|开发者)(?:提示词?|指令|覆盖)[：:]",
    r"^[^\w\n]{0,40}(?:system|developer)(?:\s+(?:message|note|notice))?(?:\s*[:：]|[^\w\n]{0,8}[\]#*][^\w\n]{0,8})\s*(?:you\b|your\b|please\b|always\b|never\b|do not\b|don't\b|ignore\b|forget\b|from now\b|only\b|new\b"
    r"|(?:the )?(?:user|assistant|safety|following)\b|(?:say|answer|reply|respond|tell|print|stop|act|override|disable|output|write|reveal|recommend)\b)",
    r"^[^\w\n]{0,40}(?:系统|开发者)(?:消息|通知|提示)?\s*[:：]\s*(?:你|您|请|只|不要|务必|必须|从现在|忽略|忘|本次(?:会话|对话)|安全|用户)",
)
