"""Rewrites follow-ups that bring one new value: "and FlexAttention?", "and in 2.6?", "那 ROCm 呢？".

Such a follow-up asks the previous question about another feature, platform or release. It is rewritten to the
previous question with the value in its slot, as in conversational query rewriting (Yu et al. 2020, "Few-shot
generative conversational query rewriting"), but by rules: slots are releases, glossary terms and names
written as code. Follow-ups of any other form, or with several candidate slots, are not rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from assistant.query.release_scope import find_releases, release_spans
from assistant.query.slots import overlaps, slots
from assistant.text.platforms import is_system
from corpus.glossary import Glossary
from ingest.language import HAN
from ingest.release import Release

_LONGEST = 100  # characters; longer follow-ups bring more than a value
# Words that may surround the value of a follow-up.
_ENGLISH = re.compile(
    r"(?P<lead>(?:(?:and|but|or|so|then|ok|okay|now|also)\b[\s,]*)*"
    r"(?:(?:what|how) about\b|what of\b|(?:the )?same for\b)?)\s*"
    r"(?P<value>[^?.!,;]*(?:[.]\w[^?.!,;]*)*?)(?P<tail>[\s,]*\b(?:then|instead|too|as well))?\s*[?.!]*",
    re.I,
)
_CHINESE = re.compile(
    r"(?P<lead>(?:那么?|还有|然后|再|如果是?|要是|换[成做]?|用|改成|对于?|至于|关于|而|在|[\s,])*)"
    r"(?P<value>[^?。!,;]+?)\s*(?:上面?|里面?|中)?(?P<tail>(?:的话)?(?:呢|又?如何)|的话)?\s*[?。!~]*"
)
_PREPOSITION = r"(?:in|on|for|with|of|under|by|from|to|at|using)"
_OPENING = re.compile(rf"(?:(?P<preposition>{_PREPOSITION})\s+)?(?:(?:the|an?|its)\s+)?", re.I)
# Words that may surround the number of a release.
_BEFORE_RELEASE = re.compile(
    rf"(?:\b(?:{_PREPOSITION}|as of|the|pytorch|torch|releases?|version)\b\s*|[在到对用]\s*)*$", re.I
)
_AFTER_RELEASE = re.compile(r"(?:\s*(?:这一?版|版本?|里面?|中|上|的|\breleases?\b|\bversion\b))*", re.I)
_NUMBER = re.compile(r"(?<![\w.])\d+\.\d+t?(?![\w]|\.\d)", re.ASCII)  # version number
_ARTICLE = re.compile(r"\bthe\s+$")
_NO_NOUN = re.compile(rf"\s*(?:$|[?!.,;]|{_PREPOSITION}\b)")
_HAN = re.compile(f"[{HAN}]")
_END = re.compile(r"[\s?.!。]*$")


def asked_anew(
    topic: str, text: str, *, known: Collection[Release], glossary: Glossary, of_releases: bool
) -> str:
    """Rewrite a follow-up as the previous question with the follow-up's value in its slot.

    Args:
        topic: the previous question in standalone form.
        text: the follow-up, with full-width characters folded.
        known: releases that documents are about.
        glossary: terms that may fill a slot.
        of_releases: whether the previous question asks for a release, so that a release cannot fill a slot.

    Returns:
        The rewritten question, or "" if the follow-up does not bring exactly one new value per slot.
    """
    value, framed = _value(text)
    before = find_releases(topic, known)
    release, rest = _release(value, known, before.releases)
    # A bare name may be a question by itself, a bare release is not.
    if rest is None or (rest and not framed) or (release and of_releases):
        return ""
    out = topic
    if rest:
        numbered = _NUMBER.fullmatch(_OPENING.sub("", rest, count=1))
        out = _with_number(topic, numbered[0]) if numbered else _with_name(topic, rest, glossary)
        if not out:
            return ""
    if release:
        spans = release_spans(topic)
        written = {topic[slice(*span)] for span in spans}
        if len(before.releases) > 1 or len(written) != len(before.releases):
            return ""  # a range, several releases, or "the latest": no single one to replace
        out = _put(out, release_spans(out), str(release)) if spans else _within(out, release)
    return "" if out == topic else out


def _value(text: str) -> tuple[str, bool]:
    """Return a follow-up's value, and whether it has words that mark it as a follow-up."""
    if len(text) > _LONGEST:
        return "", False
    chinese = _HAN.search(text)
    match = (_CHINESE if chinese else _ENGLISH).fullmatch(text)
    if not match:
        return "", False
    value = match["value"].strip()
    preposition = not chinese and re.match(rf"{_PREPOSITION}\s", value, re.I)
    return value, bool(match["lead"].strip() or match["tail"] or preposition)


def _release(
    value: str, known: Collection[Release], before: Sequence[Release]
) -> tuple[Release | None, str | None]:
    """Return the release in a value and the rest of it; the rest is None if there are several releases."""
    spans = release_spans(value, relative=True)
    if not spans:
        return None, value
    found = find_releases(value, known, before=before).releases
    if len(spans) > 1 or len(found) != 1:
        return None, None
    start, end = spans[0]
    head = _BEFORE_RELEASE.sub("", value[:start])
    tail = _AFTER_RELEASE.sub("", value[end:], count=1)
    return found[0], f"{head} {tail}".strip()


def _with_name(topic: str, value: str, glossary: Glossary) -> str:
    """Replace the only name of the same kind in a question, or return "" if there is not exactly one."""
    opening = _OPENING.match(value)
    name = value[opening.end() :] if opening else value
    (new, *more) = slots(name, glossary) or (None,)
    # A plural denotes the name as well.
    if new is None or more or new.spans[0][0] or name[new.spans[0][1] :].strip() not in ("", "s"):
        return ""
    old = [slot for slot in slots(topic, glossary) if slot.place == new.place]
    if new.place:  # "since when are Intel GPUs supported?", "and on Windows?": not instead of the GPUs
        old = [slot for slot in old if is_system(topic[slice(*slot.spans[0])]) == is_system(name)]
    if any(slot.keys & new.keys for slot in old):
        return ""
    preposition = opening["preposition"] if opening else None
    if preposition and len(old) > 1:
        behind = re.compile(rf"\b{preposition}\s+(?:the\s+)?$", re.I)
        old = [slot for slot in old if any(behind.search(topic[:start]) for start, _ in slot.spans)]
    if len(old) != 1:
        return ""
    spans = old[0].spans
    if name == value:  # no article given: "the profiler" becomes "torch.export"
        spans = tuple((_without_article(topic, start, end), end) for start, end in spans)
    return _put(topic, spans, name)


def _without_article(text: str, start: int, end: int) -> int:
    """Return where a name begins, including its article unless a noun follows ("the TCPStore backend")."""
    article = _ARTICLE.search(text, 0, start)
    return article.start() if article and _NO_NOUN.match(text, end) else start


def _with_number(topic: str, number: str) -> str:
    """Replace the only version number in a question that is not a release, or return ""."""
    releases = release_spans(topic)
    spans = [m.span() for m in _NUMBER.finditer(topic) if not overlaps(m.span(), releases)]
    return _put(topic, spans, number) if len({topic[slice(*span)] for span in spans}) == 1 else ""


def _put(text: str, spans: Sequence[tuple[int, int]], value: str) -> str:
    """Replace several spans of a text by a value."""
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + value + text[end:]
    return text


def _within(text: str, release: Release) -> str:
    """Restrict a question without a release to one."""
    if _HAN.search(text):
        return f"{release} 里{' ' if text[:1].isascii() else ''}{text}"
    end = _END.search(text)
    stop = end.start() if end else len(text)
    return f"{text[:stop]} in {release}{text[stop:] or '?'}"
