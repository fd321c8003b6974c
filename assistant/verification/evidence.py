"""Grounds: the sentences of passages that may prove a statement, and what they speak of."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from assistant.text.claim_facts import code_in, holds_name
from assistant.text.markdown import column_titles
from corpus.glossary import Glossary
from index.search.passage import Passage, ScoredSentence
from ingest.language import HAN
from ingest.locked_property import locked_cached_property
from ingest.markup import reading_text

_CLAUSE_COVERAGE = 0.25
_CLAUSE_WORDS = 3  # content words of a clause that can be proved by itself
_CLAUSE = re.compile(r"[，；;。]|[:：]\s|,\s|\s(?=(?:while|whereas|but|although)\s)|而(?=[A-Za-z`\s])")
_HAN = re.compile(f"[{HAN}]")


@dataclass(frozen=True, slots=True, eq=False)
class EvidenceSentence:
    """A sentence of a passage that may prove something.

    Attributes:
        raw: as it stands.
        text: as a reader sees it.
        below: the same below its headings, a row of a table below the titles of its columns.
    """

    passage: Passage
    sentence: ScoredSentence
    raw: str
    text: str
    below: str


def grounds_of(passage: Passage) -> list[EvidenceSentence]:
    """The sentences of a passage."""
    headings = " ".join(passage.chunk.headings)
    document = passage.document.text
    out = []
    for sentence in passage.sentences:
        raw = document[sentence.span.start : sentence.span.end]
        text = reading_text(raw)
        above = column_titles(document, sentence.span.start) if sentence.span.kind == "row" else []
        out.append(
            EvidenceSentence(
                passage, sentence, raw, text, " ".join([headings, *above, passage.version, text])
            )
        )
    return out


@dataclass(frozen=True)
class TextMatcher:
    """Reads statements and grounds alike.

    Attributes:
        vocabulary: the terms of a text.
        glossary: the names of a thing in both languages.
    """

    vocabulary: Callable[[str], Collection[str]]
    glossary: Glossary

    def words(self, text: str) -> frozenset[str]:
        """The content words of a text; numbers are proved otherwise."""
        return frozenset(word for word in self.vocabulary(text) if not re.fullmatch(r"[\d.]+", word))

    def clauses(self, text: str) -> list[str]:
        """The clauses of a sentence; one too short to be proved by itself goes with the next."""
        out: list[str] = []
        for piece in _CLAUSE.split(text):
            if out and len(self.words(out[-1])) < _CLAUSE_WORDS:
                out[-1] += f", {piece}"
            elif re.search(r"\w", piece):
                out.append(piece)
        if len(out) > 1 and len(self.words(out[-1])) < _CLAUSE_WORDS:
            last = out.pop()
            out[-1] += f", {last}"
        return out or [text]

    def covered(self, words: Collection[str], grounds: Sequence[EvidenceSentence]) -> float:
        """The share of words that grounds hold; of Chinese ones beside English grounds, names alone count."""
        text = " ".join(ground.below for ground in grounds)
        if not _HAN.search(text) and any(map(_HAN.search, words)):
            words = [word for word in words if word.isascii()]
        return share(words, self.words(text))

    def fitting(
        self, names: Collection[str], words: Collection[str], ranked: Sequence[EvidenceSentence]
    ) -> list[EvidenceSentence]:
        """The grounds that speak of what a clause speaks of: those with most of its names come first."""
        near = [ground for ground in ranked if self.covered(words, [ground]) >= _CLAUSE_COVERAGE]
        ordered = sorted(near or ranked, key=lambda ground: -self.named(names, ground))
        # Where no sentence has enough of its words, those with its names may still hold its amounts.
        most = self.named(names, ordered[0]) if ordered else 0
        return ordered if near else [ground for ground in ordered if self.named(names, ground) == most]

    def named(self, names: Collection[str], ground: EvidenceSentence) -> int:
        """How many of the names a ground holds, its headings with it."""
        return sum(self.holds(name, ground.below) for name in names)

    def says(self, clause: str, names: Collection[str], ground: EvidenceSentence) -> bool:
        """Whether a ground has all names and code of a clause itself, not only below its headings."""
        named = all(self.holds(name, ground.text) for name in names)
        return named and all(bare_code(code) in bare_code(ground.text) for code in code_in(clause))

    def holds(self, name: str, text: str) -> bool:
        """Whether a name stands in a text, in either language.

        Aliases and identifiers of a term do not count: they may be other things of the same kind.
        """
        folded = text.casefold()
        return any(holds_name(form, folded) for form in (name, *self._forms.get(name, ())))

    @locked_cached_property
    def _forms(self) -> dict[str, set[str]]:
        """The names of each term in both languages, by each of them."""
        forms: dict[str, set[str]] = {}
        for term in self.glossary.terms:
            names = {form.casefold() for form in (term.en, *term.zh)}
            for name in names:
                forms.setdefault(name, set()).update(names)
        return forms


def share(words: Collection[str], held: Collection[str]) -> float:
    """The share of words that are held, 1 of none."""
    return sum(word in held for word in words) / len(words) if words else 1.0


def bare_code(text: str) -> str:
    """Code without white space and quotation marks, in lower case, to be compared."""
    return re.sub(r"[\s'\"`]", "", text).casefold()
