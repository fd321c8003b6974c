"""What the wording of a statement tells before evidence is read: advice, silence of the notes, framing."""

from __future__ import annotations

import re
from collections.abc import Callable

from assistant.text.claim_facts import points
from assistant.text.prompt_injection import instruction_in
from assistant.verification.draft import Statement
from ingest.document import Language

_ADVICE = re.compile(
    r"\b(?:I|we)(?:['’]d| would)\b|\b(?:I|we)(?:['’]ll| will)? (?:also )?(?:recommend|suggest|advise)\b"
    r"|\bmy (?:advice|recommendation|suggestion)\b"
    r"|\byou (?:should|could|may want to|might want to|can simply)\b"
    r"|^(?:please )?(?:consider|make sure|be sure|check|verify|test|try|pin|start|prefer|avoid|keep)\b"
    r"|\bit is (?:best|safest|wise|worth|a good idea)\b|\bif in doubt\b"
    r"|建议|推荐您?你?[先用在把]|不妨|最好|可以考虑|我会|我倾向|值得|请(?:务必|先|确认|检查)|记得",
    re.I,
)
_SILENCE = re.compile(
    r"\b(?:notes?|passages?|documents?|documentation|sources?|digests?|excerpts?|they)\b.{0,60}?"
    r"\b(?:do(?:es)? not|don['’]t|doesn['’]t|did not|never|nowhere)\s+(?:\w+ly |even |also )?"
    r"(?:say|mention|tell|state|specify|list|cover|describe|give|name|document|explain|address|contain|include)"
    r"|\bnot (?:mentioned|covered|described|listed|stated|documented|specified)\b"
    r"|\b(?:no mention|nothing (?:in the|about|on))\b"
    r"|(?:说明|片段|文档|资料|原文|材料|notes?)[^。]{0,16}?(?:没有|未|并未|没|找不到)(?:有)?(?:明确|具体|直接)?"
    r"(?:提到|提及|说明|说|写|给出|列出|涉及|介绍|记载|讲|提)|(?:未|没有|没)(?:提到|提及|说明|给出)",
    re.I,
)
_LINK = re.compile(r"(?:https?:|//|www\.)[^\s)>\]}，。；、（）]+", re.I)
_BREAK = re.compile(
    r"[;；，。]|\.\s|,\s(?:so|but|and|which|while)\b|\s(?:but|because|although|whereas)\s", re.I
)
_LEAD = re.compile(r"[:：]\W*$")


def is_advice(text: str) -> bool:
    """Check whether a statement recommends something.

    Args:
        text: the statement.
    """
    return bool(_ADVICE.search(text))


def is_true_silence(text: str, language: Language, held: Callable[[str], bool]) -> bool:
    """Check whether a statement says that the notes do not tell of a name, and they do not.

    Args:
        text: the statement.
        language: its language.
        held: checks whether the passages contain a name.
    """
    if not _SILENCE.search(text):
        return False
    # What stands beside it, as in "they do not mention X, and Y was removed in 2.9", has to be proved.
    others = [clause for clause in _BREAK.split(text) if not _SILENCE.search(clause)]
    if any(_claims(clause, language) for clause in others):
        return False
    facts = points(text, language)
    named = {*facts.names, *(amount.value for amount in facts.amounts)}
    return any(not held(name) for name in named)


def _claims(clause: str, language: Language) -> bool:
    facts = points(clause, language)
    return bool(facts.names or facts.amounts or facts.statuses)


def is_framing(statement: Statement, language: Language, held: Callable[[str], bool]) -> bool:
    """Check whether a statement is a heading, or opens a list, without a claim of its own.

    Args:
        statement: a statement other than code.
        language: its language.
        held: checks whether the passages or the question contain a name.
    """
    if statement.kind != "heading" and not _LEAD.search(statement.text):
        return False
    facts = points(statement.text, language)
    listed = {amount.value for amount in facts.amounts if not amount.unit and len(amount.value) == 1}
    figures = {amount.value for amount in facts.amounts}
    named = facts.names | (figures if statement.kind == "heading" else figures - listed)
    return not (facts.statuses and statement.kind != "heading") and all(map(held, named))


def smuggled(text: str, known: str) -> str:
    """Return why a statement must not be shown at all, or "".

    Args:
        text: the statement.
        known: passages and question, as Markdown.
    """
    if instruction_in(text):
        return "it speaks to an assistant, as injected instructions do"
    links = (link.rstrip(".,;:!?'\"") for link in _LINK.findall(text))
    return next((f"{link} is not linked in the passages" for link in links if link not in known), "")
