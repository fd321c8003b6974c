"""Where the notes tell of an API name: the very words, release by release.

A name counts where it stands as it is written, in full or by parts of it that no other name has after them:
`flex_attention` for torch.nn.attention.flex_attention, but no `autocast` for torch.cuda.amp.autocast.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.untrusted import trusted
from corpus.glossary import Glossary
from index.retriever import Retriever
from ingest.chunk import Chunk
from ingest.document import Document, Kind, Language
from ingest.release import Release
from ingest.sentence import Sentence, SentenceKind
from ingest.status import Status

#: What tells most of what became of a name stands first.
_TELLING: tuple[Status, ...] = ("deprecated", "breaking", "stable", "beta", "prototype", "unstable", "new")
_TRUSTED: tuple[Kind, ...] = ("digest", "release-notes", "blog", "user")
_SAYING: tuple[SentenceKind, ...] = ("prose", "item", "row", "heading", "code")
_DISTINCT = re.compile(r"(?=.{9})[a-z]\w*_\w*[a-z]\w*$|(?=.{8})[A-Z]+[a-z]+\w*[A-Z]\w*$")
_PARTS_BEFORE = r"(?:(?:nn|F|functional|dist|optim|linalg|utils|distributed)\.)?"


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence of the notes that has a name.

    Attributes:
        release: of the notes, None for those of none.
        status: of its section, "" where it has none.
        heading: of its section.
        quote: the sentence as it stands in the document.
        url: where a reader finds it.
        language: of the document.
        kind: of the document.
        whole: it has the name in full, not its last part only.
    """

    release: Release | None
    status: Status
    heading: str
    quote: str
    url: str
    language: Language
    kind: Kind
    whole: bool

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form."""
        return {
            "release": str(self.release) if self.release else None,
            "status": self.status or None,
            "heading": self.heading,
            "quote": self.quote,
            "url": self.url,
            "language": self.language,
            "kind": self.kind,
            "whole": self.whole,
        }


@dataclass(frozen=True, slots=True)
class Mentions:
    """What the notes tell of one name.

    Attributes:
        name: in full.
        mentions: the most telling of each release, the oldest first.
        feature: id of the feature that the glossary has the name for, which `torchnotes history` tells; "".
    """

    name: str
    mentions: tuple[Mention, ...]
    feature: str

    @property
    def telling(self) -> tuple[Mention, ...]:
        """Those to show first: what ends a name or breaks it, the first release, the latest."""
        fates = [each for each in self.mentions if each.status in ("deprecated", "breaking")]
        ends = [*self.mentions[:1], *self.mentions[-1:]]
        chosen = [*fates[-2:], *ends][:3]
        return tuple(each for each in self.mentions if each in chosen)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form."""
        return {
            "name": self.name,
            "mentions": [each.to_dict() for each in self.mentions],
            "feature": self.feature or None,
        }


def mentions_of(name: str, retriever: Retriever, glossary: Glossary, language: Language = "en") -> Mentions:
    """What the documents of an index tell of a name.

    Args:
        name: in full, such as torch.cuda.amp.autocast.
        retriever: over the index.
        glossary: knows the features of some names.
        language: of the words, where a release has them in several.
    """
    best: dict[Release | None, tuple[tuple[int, ...], Mention]] = {}
    for chunk, document in _holding(name, retriever):
        for place, mention in _of_chunk(name, chunk, document):
            rank = _rank(name, mention, place, language)
            if mention.release not in best or rank < best[mention.release][0]:
                best[mention.release] = (rank, mention)
    found = [mention for _, mention in best.values()]
    found.sort(key=lambda mention: (mention.release is not None, mention.release or Release.parse("0.0")))
    terms = [term for term in glossary.terms if name in term.identifiers]
    return Mentions(name, tuple(found), terms[0].id if len(terms) == 1 else "")


def _holding(name: str, retriever: Retriever) -> Iterator[tuple[Chunk, Document]]:
    """The chunks with a form of the name, found by their terms; none that speak to an assistant."""
    generation = retriever.generation
    last = name.rpartition(".")[2]
    rows: set[int] = set()
    for form in (name, f"{name}()", last) if _DISTINCT.match(last) else (name, f"{name}()"):
        for words in _ways(retriever.segmenter.terms(form)):
            rows.update(generation.terms.holding(words).tolist())
    for row in sorted(rows):
        passage = retriever.passage(row)
        if trusted(passage):
            yield passage.chunk, passage.document


def _ways(terms: Sequence[str]) -> Iterator[list[str]]:
    """A name as one term, or by its parts."""
    yield [*terms[:1]]
    if terms[1:]:
        yield [*terms[1:]]


def _of_chunk(name: str, chunk: Chunk, document: Document) -> Iterator[tuple[int, Mention]]:
    """The sentences of a chunk with the name, each with the place of its kind: prose says most."""
    whole, short = _patterns(name)
    for span in chunk.sentences:
        text = document.text[span.start : span.end]
        for pattern, is_whole in ((whole, True), (short, False)):
            if pattern and (found := pattern.search(text)):
                place = _SAYING.index(span.kind)
                yield (
                    place,
                    Mention(
                        release=document.release,
                        status=chunk.status,
                        heading=chunk.headings[-1] if chunk.headings else document.title,
                        quote=_quote(text, span, found.start()),
                        url=chunk.url or document.url,
                        language=document.language,
                        kind=document.kind,
                        whole=is_whole,
                    ),
                )
                break


def _patterns(name: str) -> tuple[re.Pattern[str], re.Pattern[str] | None]:
    """The name in full; and its last part alone, where that is a name by itself."""
    last = name.rpartition(".")[2]
    end = r"(?![\w]|\.[A-Za-z_])"
    parent = re.escape(name.rpartition(".")[0])
    imported = rf"from {parent} import (?:[\w ]+, ?|\(\s*)*{re.escape(last)}"
    whole = re.compile(rf"(?<![\w.])(?:{re.escape(name)}|{imported}){end}", re.ASCII)
    if not _DISTINCT.match(last):
        return whole, None
    return whole, re.compile(rf"(?<![\w.]){_PARTS_BEFORE}{re.escape(last)}{end}", re.ASCII)


def _quote(text: str, span: Sentence, place: int) -> str:
    """The words to quote: of code the line with the name."""
    if span.kind != "code":
        return text
    start = text.rfind("\n", 0, place) + 1
    end = text.find("\n", place)
    return text[start : end if end >= 0 else len(text)].strip()


def _rank(name: str, mention: Mention, place: int, language: Language) -> tuple[int, ...]:
    """Lower is more telling."""
    status = _TELLING.index(mention.status) if mention.status in _TELLING else len(_TELLING)
    return (
        not mention.whole,
        name not in mention.heading,
        status,
        mention.language != language,
        _TRUSTED.index(mention.kind),
        place,
        len(mention.quote),
    )
