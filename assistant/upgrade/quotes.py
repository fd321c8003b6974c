"""The digests' own words on a change, with the address of their source."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from corpus.changes import Change
from corpus.shipped import DIGESTS
from ingest.document import Language
from ingest.markup import inline_text

#: Digests are ours: each section has an id, and its source on a line of its own.
_HEADING = re.compile(r"^#+ .*\{#[a-z0-9-]+\}\s*$", re.M)
_SOURCE = re.compile(r"^(?:Source|来源)[:：]\s*<(?P<url>[^>\s]+)>", re.M)
_SENTENCE = re.compile(r"(?:(?<=[.!?])|(?<=[.!?]`))\s+(?=[A-Z`])|(?<=。)")
_CODE_SPAN = re.compile(r"`[^`]+`")


@dataclass(frozen=True, slots=True)
class ChangeQuote:
    """Words of a digest.

    Attributes:
        text: a sentence, as plain text.
        url: address of the source of its section.
    """

    text: str
    url: str


def quote_of(change: Change, name: str, language: Language = "en") -> ChangeQuote:
    """Return the sentence of a change's section that speaks of a name, or else its first sentence.

    Args:
        change: the change.
        name: the name, as in `Change.names`.
        language: language of the digest.
    """
    summary = change.summary_zh if language == "zh" else change.summary_en
    quote = section_quote(change.release, change.section, name, language)
    return quote if quote.text else ChangeQuote(inline_text(summary), quote.url)


@lru_cache(maxsize=4_096)  # a file may hold as many findings as lines
def section_quote(release: str, section: str, name: str, language: Language = "en") -> ChangeQuote:
    """Return the sentence of a section that speaks of a name, or else its first one; no text if it has none.

    Args:
        release: release of the digest.
        section: id of the section.
        name: name of an API, or of an argument as `f(argument=)`.
        language: language of the digest.
    """
    sentences, url = _section(release, section, language)
    path, _, inside = name.partition("(")
    wanted = [word for word in (inside.partition("=")[0].strip(")'\""), path.rpartition(".")[2]) if word]
    for words in (wanted, wanted[:1]):
        found = next((each for each in sentences if all(word in each for word in words)), None)
        if found:
            return ChangeQuote(inline_text(found), url)
    return ChangeQuote(inline_text(sentences[0]) if sentences else "", url)


def saying_quote(release: str, section: str, pattern: str, language: Language = "en") -> ChangeQuote:
    """Return the sentence of a section that says something, or else its first one; no text if it has none.

    Args:
        release: release of the digest.
        section: id of the section.
        pattern: what says it.
        language: language of the digest.
    """
    sentences, url = _section(release, section, language)
    said = (each for each in sentences if re.search(pattern, each, re.I | re.A))
    return ChangeQuote(inline_text(next(said, sentences[0] if sentences else "")), url)


@lru_cache(maxsize=64)
def platform_quote(release: str, word: str, language: Language = "en") -> ChangeQuote:
    """Return the sentence on platforms in the digest of a release that has a word.

    Args:
        release: the release.
        word: for instance "Python" or "CUDA".
        language: language of the digest.
    """
    sentences, url = _section(release, "platform", language)
    return ChangeQuote(inline_text(next((each for each in sentences if word in each), "")), url)


@lru_cache(maxsize=512)
def _section(release: str, section: str, language: Language) -> tuple[tuple[str, ...], str]:
    """Return the sentences of the paragraphs of a section as Markdown, and the address of its source."""
    path = DIGESTS / language / f"{release}.md"
    text = _digest(path) if path.is_file() else ""
    opened = re.search(rf"^#+ .*\{{#{re.escape(section)}\}}\s*$", text, re.M)
    if opened is None:
        return (), ""
    closed = _HEADING.search(text, opened.end())
    body = text[opened.end() : closed.start() if closed else len(text)]
    source = _SOURCE.search(body) or _SOURCE.search(text)
    paragraphs = [
        part
        for part in re.split(r"\n\s*\n", re.sub(r"^```.*?^```", "", body, flags=re.S | re.M))
        if not part.lstrip().startswith(("Source:", "来源", "Related:", "相关", "|", "- ", "* "))
    ]
    sentences = [" ".join(each.split()) for part in paragraphs for each in _sentences(part)]
    return tuple(each for each in sentences if each), source["url"] if source else ""


def _sentences(paragraph: str) -> list[str]:
    """Split a paragraph into sentences; what is quoted as code holds no end of one."""
    masked = _CODE_SPAN.sub(lambda span: "`" + "x" * (len(span[0]) - 3) + span[0][-2:], paragraph)
    ends = [0, *(place for end in _SENTENCE.finditer(masked) for place in end.span()), len(paragraph)]
    return [paragraph[start:end] for start, end in zip(ends[::2], ends[1::2], strict=True)]


@lru_cache(maxsize=32)
def _digest(path: Path) -> str:
    return path.read_text(encoding="utf-8")
