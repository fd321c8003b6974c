"""What holds for every answer, whatever was asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.answer import Answer, Citation
from assistant.text.messages import COMPARISON_HEAD, FOREIGN_NOTES, NAMES_KEPT, TERMS_HEAD
from ingest.document import Language

_MARK = re.compile(r" \[(\d+)\](?: \|)?$", re.M)
_CODE = re.compile(r"^[ \t]*```.*?^[ \t]*```[ \t]*$|`[^`\n]+`", re.M | re.S)
_TAG = re.compile(
    r"</?(?:a|b|i|p|br|div|span|img|table|tr|td|th|ul|ol|li|pre|code|details|summary|strong|em|h[1-6])\b[^<>]*>"
)


def marks(text: str) -> list[int]:
    """The numbers of the marks at the ends of lines, in order."""
    return [int(number) for number in _MARK.findall(_CODE.sub("code", text))]


def unmarked(text: str) -> list[str]:
    """Lines that say something and prove nothing; titles, our own words and the glossary's lines apart."""
    heads = {f"| {' | '.join(cells)} |" for cells in COMPARISON_HEAD.values()}
    own = {*FOREIGN_NOTES.values(), NAMES_KEPT, TERMS_HEAD, "|---|---|---|", *heads}
    body = text.partition(TERMS_HEAD)[0]
    lines = [line.strip() for line in _CODE.sub("code", body).split("\n")]
    shown = [line for line in lines if line and line not in own and not re.fullmatch(r"\*\*.+\*\*", line)]
    return [line for line in shown if line != "code" and not _MARK.search(f" {line}")]


def reads_as_chinese(text: str) -> bool:
    """The rule for answers: a sixth of the letters are Chinese characters."""
    han = len(re.findall(r"[\u4e00-\u9fff]", text))
    return han * 6 >= len(re.findall(r"[A-Za-z\u4e00-\u9fff]", text))


def check_text(text: str, citations: Sequence[Citation], language: Language) -> None:
    """Every sentence has a mark, marks count from 1, quotes are verbatim, the language is right."""
    assert marks(text) == list(range(1, len(citations) + 1)) == [c.number for c in citations]
    assert unmarked(text) == []
    check_quotes(citations)
    assert not _TAG.search(_CODE.sub("code", text))
    assert text.count("```") % 2 == 0
    names = text.startswith(NAMES_KEPT)  # a list of names alone says so
    assert (names or reads_as_chinese(text)) == (language == "zh"), text


def check_quotes(citations: Sequence[Citation]) -> None:
    """Each quote is verbatim, and inside its passage."""
    for citation in citations:
        passage = citation.passage
        assert passage.start <= citation.start < citation.end <= passage.end
        assert citation.quote.strip() and citation.quote in passage.document.text
        assert citation.quote in citation.text


def check_answer(answer: Answer) -> None:
    """All of it, for a whole answer."""
    if answer.abstained:
        assert marks(answer.text) == list(range(1, len(answer.citations) + 1))
        check_quotes(answer.citations)
    else:
        assert answer.citations
        check_text(answer.text, answer.citations, answer.language)
    spoken = {c.passage.release for c in answer.citations if c.passage.release}
    assert list(answer.releases) == sorted(spoken)
    for citation in answer.citations:
        assert citation.version == citation.passage.version
