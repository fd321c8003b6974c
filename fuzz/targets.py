"""What is fuzzed: each target takes a text, and fails where something that always holds does not.

What is refused in one clear line is no failure.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from itertools import pairwise

from assistant.answering.quote_markdown import own_marks_only
from assistant.api_usage.snippet_run import _fact
from assistant.checks.measurement import read
from assistant.query.answer_type import asked_kinds
from assistant.query.entities import entities
from assistant.query.pinyin import Pinyin
from assistant.query.question import understand
from assistant.query.slots import slots
from assistant.query.spelling import Spelling
from assistant.query.validation import check_question
from assistant.verification.draft import statements, without_marks
from corpus.glossary import Glossary, load_glossary
from index.resemblance import resembling
from ingest.document import Document
from ingest.encoding import normalise_lines
from ingest.errors import SourceError, TorchnotesError
from ingest.fetch import Page
from ingest.github import read_releases
from ingest.loaders import read_page
from ingest.reading import read_document
from ingest.release import Release
from ingest.section import parse_sections
from ingest.segment import Segmenter
from ingest.sentence import sentences_of, split_prose
from ingest.splitter import ReleaseNoteSplitter
from ui.slack.incoming import spoken
from ui.slack.mrkdwn import joined, pieces, plain

_KNOWN = tuple(Release(2, minor) for minor in range(12))
_COMMON = 5000  # how often a word is in jieba's texts; with all words the first use takes seconds
_ORIGIN = "https://example.org/notes"


def pages(text: str) -> None:
    """A web page becomes a document, or is refused."""
    _document_of(Page(_ORIGIN, "text/html", text.encode("utf-8", "surrogatepass")))


def loaders(text: str) -> None:
    """Markdown and the JSON of GitHub's API become documents that can be written, or are refused."""
    _document_of(Page(_ORIGIN, "text/markdown", text.encode("utf-8", "surrogatepass")))
    try:
        releases = list(read_releases(text))
    except ValueError as error:
        assert "\n" not in str(error)
        return
    for notes in releases:
        try:
            read_document(notes.body, notes.name, facts=notes.facts)
        except SourceError as error:
            assert "\n" not in str(error)


def sections(text: str) -> None:
    """Sections follow each other, and no sentence reaches out of its own."""
    document = _document(text)
    found = parse_sections(document)
    assert all(left.end == right.start for left, right in pairwise(found))
    for section in found:
        for block in section.blocks:
            assert section.start <= block.start < block.end <= section.end
            for sentence in sentences_of(document.text, block):
                assert block.start <= sentence.start <= sentence.end <= block.end


def splitter(text: str) -> None:
    """No word is lost between chunks, and none is longer than the cap allows."""
    document = _document(text)
    chunks = ReleaseNoteSplitter(_count, _segmenter(), max_tokens=40).split_document(document)
    covered = 0
    for chunk in chunks:
        assert 0 <= chunk.start < chunk.end <= len(document.text)
        covered = max(covered, chunk.end)
    assert not document.text[covered:].strip("` ~\n\t\r\x0b\x0c") or not document.text[covered:].strip()


def segmenter(text: str) -> None:
    """The pieces of a text and its sentences are the text; every term can be looked up."""
    assert "".join(_segmenter().words(text)) == text
    assert "".join(split_prose(text)) == text
    assert all(_segmenter().terms(text))


def question(text: str) -> None:
    """A question is refused, or read: alone, and after the question that its first line is."""
    try:
        check_question(text)
    except TorchnotesError as error:
        str(error).encode()
        return
    glossary, (before, _, after) = load_glossary(), text.partition("\n")
    right, pinyin = _spelling(glossary), _pinyin()
    for words, history in ((text, []), (after, [before] if after.strip() else [])):
        read_so = right.right(pinyin.read(words))
        asked = understand(read_so, history, known=_KNOWN, glossary=glossary)
        for slot in slots(asked.standalone, glossary):
            assert all(0 <= start < end <= len(asked.standalone) for start, end in slot.spans)
        entities(asked), asked_kinds(asked.clean)
    resembling(text, ["quantization", "torch"])


def marks(text: str) -> None:
    """No mark of a draft or of a quote is left but those that are ours."""
    for whole in (True, False):
        for statement in statements(text, whole=whole):
            assert all(isinstance(number, int) for number in statement.marks)
    without_marks(text)
    line = own_marks_only(" ".join(text.split()))
    assert without_marks(line.replace("\\[", "").replace("`", "")) is not None


def slack(text: str) -> None:
    """What is said in Slack mentions nobody, and what is typed there is read."""
    spoken(text)
    for said in (plain(text), joined(pieces(text))):
        assert not any(call in said for call in ("<!", "<@", "<#"))


def reports(text: str) -> None:
    """What a program tells of itself is read, whatever it tells."""
    told = read(text)
    for ratio in told.ratios.values():
        json.dumps(ratio.to_dict())
    _fact(text)


def _document_of(page: Page) -> None:
    try:
        document = read_page(page, trusted={}, origin=_ORIGIN)
    except SourceError as error:
        assert "\n" not in str(error)
    else:
        assert Document.from_dict(document.to_dict()) == document
        document.text.encode()


def _document(text: str) -> Document:
    whole = normalise_lines(text.encode("utf-8", "replace").decode())
    return Document("fuzz", "Notes", "", Release(2, 4), "user", "en", None, whole, "fuzz")


def _count(text: str) -> int:
    return -(-len(text) // 3)


@cache
def _segmenter() -> Segmenter:
    return Segmenter(load_glossary().chinese_names)


@cache
def _spelling(glossary: Glossary) -> Spelling:
    return Spelling(glossary, lambda word: False)


@cache
def _pinyin() -> Pinyin:
    common = {word: count for word, count in _segmenter().frequencies().items() if count > _COMMON}
    return Pinyin(lambda: common, lambda word: False)


TARGETS: dict[str, Callable[[str], None]] = {
    target.__name__: target
    for target in (loaders, pages, sections, splitter, segmenter, question, marks, slack, reports)
}
