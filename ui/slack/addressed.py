"""Whether a message that does not mention the bot is meant for it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache

from assistant.query.release_scope import release_spans
from assistant.query.validation import MAX_QUESTION
from assistant.text.identifiers import CAMEL, FLAG, JOINED, VARIABLE
from corpus.glossary import Glossary, load_glossary
from ui.slack.message_limits import shortened
from ui.slack.remarks import EMOJI, remark

_ADDRESS = re.compile(r"https?://\S+")
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.S)
_ASKS = re.compile(
    r"[?？]|^(?:(?:and|so|but|also|then|hm+|btw)[\s,]+)*"
    r"(?:what|which|when|where|why|how|who|is|are|does|can|could|should|"
    r"tell me|explain|show me|list|compare|summari[sz]e)\b|"
    r"吗|呢|什么|哪|怎么|怎样|如何|为什么|是否|有没有|多少|能不能|可不可以|几时|介绍|讲讲|列出|对比|比较一下",
    re.I | re.M,
)
#: What is said to people, not to a bot that is not named.
_TO_PEOPLE = re.compile(r"\b(?:you|your|yours|u|ya|guys|folks)\b|[你您]|大家|各位", re.I)
_OF_PEOPLE = re.compile(
    r"\b(?:we|us|anyone|anybody|someone|somebody|he|she|they)\b|我们|[咱他她]|有人|谁", re.I
)
_GOES_ON = re.compile(r"^(?:and|also|what about|how about|same for|or)\b|^(?:那|那么|还有|换成|如果)", re.I)
_NAME = re.compile(f"{JOINED}|{CAMEL}|{FLAG}|{VARIABLE}", re.ASCII)
_PLAIN_WORD = re.compile(r"[a-z]+")
_LONGEST = 2 * MAX_QUESTION  # characters of a message that are looked at; one that long is not asked


def asks(text: str) -> bool:
    """Return whether a message has the form of a question, or asks to be told something.

    Args:
        text: text of the message.

    >>> asks("lol"), asks("and in 2.5?"), asks("see https://a.org/?b=c"), asks("那 ROCm 呢")
    (False, True, False, True)
    """
    bare = EMOJI.sub(" ", _ADDRESS.sub(" ", _CODE.sub(" ", text)))
    own = "\n".join(line.strip() for line in bare.split("\n") if not line.lstrip().startswith((">", "&gt;")))
    return bool(re.search(r"\w", _CODE.sub(r" x ", text))) and _ASKS.search(own) is not None


def names_subject(text: str, *, releases: bool = True, plain: bool = True) -> bool:
    """Return whether a text names a release, a feature or an identifier.

    Args:
        text: text of a message.
        releases: whether releases count.
        plain: whether features count whose names are plain words ("profiler", "faster").
    """
    clean = _ADDRESS.sub(" ", unicodedata.normalize("NFKC", text[:_LONGEST]))
    spans = release_spans(clean)
    if spans and releases:
        return True
    rest, at = "", 0
    for start, end in sorted(spans):
        rest, at = rest + clean[at:start], max(at, end)
    rest += clean[at:]
    if any(re.search("[A-Za-z]", name) for name in _NAME.findall(EMOJI.sub(" ", rest))):
        return True
    terms = _glossary().find(rest)
    return any(plain or not _PLAIN_WORD.fullmatch(term.en) for term in terms)


def for_bot(text: str, *, after_bot: bool, named: Collection[str] = ()) -> bool:
    """Return whether a question in a thread is clearly for the bot, which is not mentioned in it.

    Args:
        text: text of the message, which `asks`.
        after_bot: nobody has asked anything since the bot's last message.
        named: names that the bot's messages in the thread show as code.
    """
    if _TO_PEOPLE.search(text):
        return False
    if names_subject(text, plain=False) or {*re.findall(r"[A-Za-z_][\w.]+", text, re.A)} & {*named}:
        return True
    goes_on = _GOES_ON.match(text.strip()) is not None
    return goes_on or (after_bot and not _OF_PEOPLE.search(text))


def worth_reading(said: Collection[str], *, opens: bool = True) -> list[str]:
    """Return those of people's messages that tell what a question is about.

    Args:
        said: messages in order.
        opens: the first of them opened the conversation.
    """
    kept = []
    for number, text in enumerate(said):
        opening = opens and number == 0 and len(re.findall(r"\w+", text)) > 2
        if (opening or names_subject(text)) and remark(text) is None:
            kept.append(" ".join(text.replace("```", " ").split()))
    return kept


def needs_context(text: str) -> bool:
    """Return whether a question does not name its subject itself.

    Args:
        text: text of the question.
    """
    return not names_subject(text, releases=False, plain=False)


def in_context(text: str, said: Sequence[str]) -> str:
    """Return a question after what people said before, where it needs that.

    Args:
        text: text of the question.
        said: what people said that is `worth_reading`.
    """
    if not said or not needs_context(text):
        return text
    before = shortened("\n".join(said), MAX_QUESTION // 4)
    return f"{before}\n{text}"


@lru_cache(maxsize=1)
def _glossary() -> Glossary:
    return load_glossary()
