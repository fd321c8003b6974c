"""Remarks: messages that are no questions, and have short replies of their own."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

Remark = Literal["help", "hello", "who", "stop", "thanks"]

EMOJI = re.compile(r":[a-z0-9_+'-]+:")
_TEXTS: dict[Remark, str] = {
    "help": """
        help, help me, usage, how do i use you, how to use you, how does this work, what can you do
        帮助, 怎么用, 使用说明, 使用方法, 你能做什么, 你会什么
    """,
    "hello": """
        hi, hello, hey, hi there, hello there, hey there, good morning, good afternoon, good evening
        你好, 您好, 嗨, 哈喽, 早, 早上好, 下午好, 晚上好, 在吗, 在么
    """,
    "who": """
        who are you, what are you, who is this, who r u, what is this bot, are you a bot
        你是谁, 你是什么, 你是机器人吗
    """,
    "stop": """
        stop, stop it, stop please, please stop, be quiet, quiet, shut up, cancel
        停, 停下, 停止, 别说了, 不要说了, 安静, 闭嘴, 取消
    """,
    "thanks": """
        thanks, thank you, thx, ty, cheers, great thanks, ok thanks, thanks a lot, many thanks
        thank you so much, 谢谢, 多谢, 好的谢谢, 谢了, 感谢, 谢谢你, 非常感谢
    """,
}
_REMARKS: dict[str, Remark] = {
    text: name for name, texts in _TEXTS.items() for text in re.split(r"\s*[,\n]\s*", texts.strip())
}


def remark(text: str) -> Remark | None:
    """Return which remark a message consists of, None if it says something else.

    Args:
        text: text of the message, without mentions.

    >>> remark("Thanks! :tada:"), remark("你是谁？"), remark("help with FSDP2?")
    ('thanks', 'who', None)
    """
    words = re.sub(r"[^\w\s]", " ", EMOJI.sub(" ", unicodedata.normalize("NFKC", text)))
    return _REMARKS.get(" ".join(words.split()).casefold())
