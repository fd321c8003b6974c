"""Composes the text of an answer from picked sentences, each followed by its citation mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from assistant.answer import Citation
from assistant.answering.comparison import Row, comparable, sentences_of, table
from assistant.answering.quote_markdown import own_marks_only, shown
from assistant.query.answer_type import asks_for_code
from assistant.query.question import Question
from assistant.retrieval.pick import Pick
from assistant.text.key_points import is_chinese, key_points
from assistant.text.markdown import one_line_title
from assistant.text.messages import FOREIGN_NOTES, NAMES_KEPT, STATUS_NAMES, TERMS_HEAD
from corpus.glossary import Glossary
from index.search.passage import Passage, ScoredSentence
from ingest.document import Language
from ingest.release import Release
from ingest.sentence import SentenceKind
from ingest.status import status_of, without_opening_status

_EXPLAINED = 3  # terms explained below a Chinese answer with English quotes
_LIMITS = (160, 80, 30, 1)  # characters of a foreign sentence, tried in order if even one is too long


def compose(
    question: Question,
    picks: Sequence[Pick],
    glossary: Glossary,
    *,
    opening: str = "",
    closing: str = "",
    whole: bool = False,
) -> tuple[str, tuple[Citation, ...]]:
    """Compose the text of an answer.

    Quotes in the other language are dropped or truncated until the text as a whole is in the language of the
    question; names and code stay English.

    Args:
        question: parsed question.
        picks: sentences to quote, at least one, in order.
        glossary: translates and explains terms.
        opening: our words before the quotes, which prove them; "" for none.
        closing: our words after the quotes; "" for none.
        whole: whether to keep all quotes as they are, as for code that was asked for.

    Returns:
        The text, and the citations numbered in order of appearance.
    """
    language, frame = question.language, (opening, closing)
    if whole:
        return _text(language, picks, glossary, None, frame=frame)
    compares = question.intent == "compare" or len(question.scope.named) > 1
    # A list or a history is told whole: what looks foreign in it are names.
    complete = bool(opening or any(pick.above for pick in picks))
    complete = complete and all(pick.passage.language == language for pick in picks)
    kept: list[Pick] | None = list(picks)
    if language == "zh" and not asks_for_code(question.clean):
        text, _ = _text(language, picks, glossary, None, compares=compares, frame=frame)
        kept = list(picks) if is_chinese(text, with_code=True) else _without_code(picks)
    while kept:
        last = kept
        text, citations = _text(language, kept, glossary, None, compares=compares, frame=frame)
        if is_chinese(text) == (language == "zh"):
            return text, citations
        if language == "zh":  # Chinese notes made up of names: a lead may make the text Chinese
            text, citations = _text(
                language, kept, glossary, None, NAMES_KEPT, compares=compares, frame=frame
            )
            if complete or is_chinese(text):
                return text, citations
        kept = _shorter(kept, language)
    for limit in _LIMITS:
        text, citations = _text(language, last, glossary, limit, compares=compares, frame=frame)
        if is_chinese(text) == (language == "zh"):
            break
    return text, citations


def _without_code(picks: Sequence[Pick]) -> list[Pick]:
    """Return picks without their code, where they tell something beside it."""
    prose = [tuple(s for s in pick.sentences if s.span.kind != "code") for pick in picks]
    return [replace(p, sentences=told or p.sentences) for p, told in zip(picks, prose, strict=True)]


def _text(
    language: Language,
    picks: Sequence[Pick],
    glossary: Glossary,
    limit: int | None,
    lead: str = "",
    *,
    compares: bool = False,
    frame: tuple[str, str] = ("", ""),
) -> tuple[str, tuple[Citation, ...]]:
    """Render picks; with `limit`, quotes in the other language are truncated to that many characters."""
    citations: list[Citation] = []
    opening, closing = (f"**{words}**" if words else "" for words in frame)
    parts: list[str] = [opening] if opening else []
    # A quote after one of our labels is just a name, so it needs no notice about its language.
    quoting = {id(pick.passage) for pick in picks if pick.passage.language != language and not pick.label}
    if quoting and all(pick.label or pick.passage.language != language for pick in picks):
        parts.append(FOREIGN_NOTES[language])
    elif lead:
        parts.append(lead)

    def head(pick: Pick) -> str:
        """Return the line above a pick; sections of a list share a line with their status."""
        cut = limit is not None and pick.passage.language != language
        whole = not cut and not _listed(pick)
        return pick.above or title(pick.passage, language, glossary, heading=whole)

    if compares and comparable(picks):
        rowed = sentences_of(sorted(picks, key=lambda pick: pick.passage.release or Release(0, 0)))
        citations = [Citation(n, p, *_span(s)) for n, (p, s) in enumerate(rowed, 1)]
        kinds = [sentence.span.kind for _, sentence in rowed]
        rows = [_row(c, kind, language, glossary, limit) for c, kind in zip(citations, kinds, strict=True)]
        parts.append(table(rows, language))
        picks = []

    def cited(pick: Pick, sentence: ScoredSentence, mark: str) -> str:
        """Return a sentence after a list mark, or words of ours, with the mark of its citation."""
        citation = Citation(len(citations) + 1, pick.passage, *_span(sentence))
        citations.append(citation)
        line = shown(citation, sentence.span.kind, language, glossary)
        if sentence.span.kind != "code":
            line = without_opening_status(line) if sentence.span.kind == "heading" else line
            line = own_marks_only(_cut(line, limit if pick.passage.language != language else None))
            line = f"{mark}{line}"
        return f"{line} [{citation.number}]"

    if picks and picks[0].opening:
        first, *others = picks
        parts.append(cited(first, first.sentences[0], f"**{first.opening}** "))
        rest = replace(first, sentences=first.sentences[1:])
        picks = [rest, *others] if rest.sentences else others
    for name, group in groupby(picks, key=head):
        told = [(pick, sentence) for pick in group for sentence in pick.sentences]
        bullets = _headed(told[0][0]) or sum(s.span.kind != "code" for _, s in told) > 1
        lines = [f"**{name}**"]
        for pick, sentence in told:
            explains = _headed(pick) and sentence is not pick.sentences[0]
            mark = "  - " if explains else f"- {pick.label}"
            lines.append(cited(pick, sentence, mark if bullets else ""))
        parts.append("\n".join(lines))
    if language == "zh" and quoting:
        quoted = " ".join(c.quote for c in citations if id(c.passage) in quoting)
        terms = [f"- `{term.en}`：{term.what_zh}" for term in glossary.find(quoted)[:_EXPLAINED]]
        parts += ["\n".join([TERMS_HEAD, *terms])] if terms else []
    parts += [closing] if closing else []
    return "\n\n".join(parts), tuple(citations)


def _row(
    citation: Citation, kind: SentenceKind, language: Language, glossary: Glossary, limit: int | None
) -> Row:
    passage = citation.passage
    line = without_opening_status(shown(citation, kind, language, glossary))
    line = own_marks_only(_cut(line, limit if passage.language != language else None))
    return passage.version, STATUS_NAMES[language][passage.status], f"{line} [{citation.number}]"


def _listed(pick: Pick) -> bool:
    """Check whether a pick consists of headings only."""
    return all(sentence.span.kind == "heading" for sentence in pick.sentences)


def _headed(pick: Pick) -> bool:
    """Check whether a pick opens with a heading, which its other sentences explain."""
    return pick.sentences[0].span.kind == "heading"


def _span(sentence: ScoredSentence) -> tuple[int, int]:
    return sentence.span.start, sentence.span.end


def _cut(line: str, limit: int | None) -> str:
    """Truncate a line between words; its citation keeps the whole sentence."""
    return line if limit is None or len(line) <= limit else f"{line[:limit].rsplit(' ', 1)[0]} …"


def _shorter(picks: Sequence[Pick], language: Language) -> list[Pick] | None:
    """Drop a code block or the last sentence not in the language; return None if nothing can be dropped."""

    def reads_otherwise(pick: Pick, sentence: ScoredSentence) -> bool:
        if pick.passage.language != language:
            return True
        start, end = _span(sentence)
        return language == "zh" and not is_chinese(pick.passage.document.text[start:end])  # mostly names

    droppable = [
        (sentence.span.kind == "code", place, number)
        for place, pick in enumerate(picks)
        for number, sentence in enumerate(pick.sentences)
        if sentence.span.kind == "code" or reads_otherwise(pick, sentence)
    ]
    if sum(len(pick.sentences) for pick in picks) < 2 or not droppable:
        return None
    _, place, number = max(droppable)
    pick = picks[place]
    rest = replace(pick, sentences=pick.sentences[:number] + pick.sentences[number + 1 :])
    return [*picks[:place], *([rest] if rest.sentences else []), *picks[place + 1 :]]


def title(
    passage: Passage, language: Language, glossary: Glossary | None = None, *, heading: bool = True
) -> str:
    """Release, status and heading of a passage, for the line above its sentences.

    Args:
        passage: the passage.
        language: language of the line.
        glossary: names the key points of a Chinese heading in English; None: the heading stays as it is.
        heading: whether the heading belongs to the line.
    """
    own = without_opening_status(one_line_title(passage.chunk.headings[-1])) if passage.chunk.headings else ""
    if own in passage.title or status_of(own) or not heading:  # release and status stand there already
        own = ""
    if language == "en" and passage.language == "zh" and glossary:
        own = key_points(own, glossary)
    status = STATUS_NAMES[language][passage.status]
    name = f"PyTorch {passage.version}" if passage.version else one_line_title(passage.title)
    return own_marks_only(" · ".join(part for part in (name, status, own) if part))
