"""Search for mentions of API names in the notes.

A name is matched verbatim, in full or by its last part if that is distinctive: `flex_attention` matches
torch.nn.attention.flex_attention, but `autocast` does not match torch.cuda.amp.autocast.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assistant.api_usage.mention import Mention, Mentions
from assistant.text.prompt_injection import trusted
from corpus.glossary import Glossary, Term
from index.search.retriever import Retriever
from ingest.chunk import Chunk
from ingest.document import Document, Kind, Language
from ingest.release import Release
from ingest.sentence import Sentence, SentenceKind
from ingest.status import Status

#: Statuses, the most informative about a name first.
_TELLING: tuple[Status, ...] = ("deprecated", "breaking", "stable", "beta", "prototype", "unstable", "new")
_TRUSTED: tuple[Kind, ...] = ("digest", "release-notes", "blog", "user")
_SAYING: tuple[SentenceKind, ...] = ("prose", "item", "row", "heading", "code")
_DISTINCT = re.compile(r"(?=.{9})[a-z]\w*_\w*[a-z]\w*$|(?=.{8})[A-Z]+[a-z]+\w*[A-Z]\w*$")
_PARTS_BEFORE = r"(?:(?:nn|F|functional|dist|optim|linalg|utils|distributed)\.)?"


def mentions_of(name: str, retriever: Retriever, glossary: Glossary, language: Language = "en") -> Mentions:
    """Find the mentions of a name in an index.

    Args:
        name: full name, such as torch.cuda.amp.autocast.
        retriever: retriever of the index.
        glossary: glossary with the features of some names.
        language: preferred language of quotes.
    """
    term = _term(name, glossary)
    topic = _topic(name, term)
    best: dict[Release | None, tuple[tuple[int, ...], Mention]] = {}
    for chunk, document in _holding(name, retriever):
        for place, mention in _of_chunk(name, topic, chunk, document):
            rank = _rank(mention, place, language)
            if mention.release not in best or rank < best[mention.release][0]:
                best[mention.release] = (rank, mention)
    found = [mention for _, mention in best.values()]
    found.sort(key=lambda mention: (mention.release is not None, mention.release or Release.parse("0.0")))
    return Mentions(name, tuple(found), term.id if term else "")


def _topic(name: str, term: Term | None) -> re.Pattern[str]:
    """Return a pattern for headings about the name: its last parts, or names of its feature.

    Other API names of the feature do not count: what is told of the old name is not true of the new one.
    """
    ends = [name.split(".", count)[-1] for count in range(name.count(".") + 1)]
    names = [end for end in ends if "." in end or _DISTINCT.match(end)]
    names += [each for each in (term.names if term else ()) if not re.fullmatch(r"[a-z ]+|\S*[._]\S*", each)]
    return re.compile("|".join(rf"(?<![\w.]){re.escape(each)}(?![\w]|\.[A-Za-z_])" for each in names), re.A)


def _term(name: str, glossary: Glossary) -> Term | None:
    """Return the feature of a name, or else of the innermost module; None if there are several."""
    inside = [name.rsplit(".", count)[0] for count in range(name.count("."))]
    for form in (each for each in inside if each == name or each.count(".") > 1):
        terms = [term for term in glossary.terms if form in term.identifiers]
        if terms:
            return terms[0] if len(terms) == 1 else None
    return None


def _holding(name: str, retriever: Retriever) -> Iterator[tuple[Chunk, Document]]:
    """Yield trusted chunks that contain the terms of the name."""
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
    """Yield the terms to look up: the name as one term, or its parts."""
    yield [*terms[:1]]
    if terms[1:]:
        yield [*terms[1:]]


def _of_chunk(
    name: str, topic: re.Pattern[str], chunk: Chunk, document: Document
) -> Iterator[tuple[int, Mention]]:
    """Yield the sentences of a chunk that contain the name, each with the rank of its kind."""
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
                        about=bool(chunk.headings and topic.search(chunk.headings[-1])),
                        example=span.kind == "code",
                    ),
                )
                break


def _patterns(name: str) -> tuple[re.Pattern[str], re.Pattern[str] | None]:
    """Return patterns for the full name, and for its last part if that is distinctive."""
    last = name.rpartition(".")[2]
    end = r"(?![\w]|\.[A-Za-z_])"
    parent = re.escape(name.rpartition(".")[0])
    imported = rf"from {parent} import (?:[\w ]+, ?|\(\s*)*{re.escape(last)}"
    whole = re.compile(rf"(?<![\w.])(?:{re.escape(name)}|{imported}){end}", re.ASCII)
    if not _DISTINCT.match(last):
        return whole, None
    return whole, re.compile(rf"(?<![\w.]){_PARTS_BEFORE}{re.escape(last)}{end}", re.ASCII)


def _quote(text: str, span: Sentence, place: int) -> str:
    """Return the text to quote: of code, the line with the name."""
    if span.kind != "code":
        return text
    start = text.rfind("\n", 0, place) + 1
    end = text.find("\n", place)
    return text[start : end if end >= 0 else len(text)].strip()


def _rank(mention: Mention, place: int, language: Language) -> tuple[int, ...]:
    """Return a sort key; lower is more informative."""
    status = _TELLING.index(mention.status) if mention.status in _TELLING else len(_TELLING)
    return (
        not mention.about,
        mention.example,
        not mention.whole,
        status,
        mention.language != language,
        _TRUSTED.index(mention.kind),
        place,
        len(mention.quote),
    )
