"""Evidence sentences of passages, and how statements are matched against them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assistant.text.claim_facts import code_in, holds_name
from assistant.text.markdown import column_titles
from corpus.glossary import Glossary
from index.search.passage import Passage, ScoredSentence
from ingest.language import HAN
from ingest.locked_property import locked_cached_property
from ingest.markup import reading_text

_CLAUSE_COVERAGE = 0.25  # least share of a clause's words in a sentence on the same subject
_CLAUSE_WORDS = 3  # least content words of a clause that is verified by itself
_CLAUSE = re.compile(r"[，；;。]|[:：]\s|,\s|\s(?=(?:while|whereas|but|although)\s)|而(?=[A-Za-z`\s])")
_HAN = re.compile(f"[{HAN}]")
_VERBATIM = 0.9  # least share of pairs of adjacent words that a quote and its repetition have in common
_WORD = re.compile(f"[a-z0-9_]+|[{HAN}]")


@dataclass(frozen=True, slots=True, eq=False)
class EvidenceSentence:
    """A sentence of a passage that may support a statement.

    Attributes:
        passage: the passage.
        sentence: the sentence's span, score and vector row.
        raw: the sentence as Markdown.
        text: the sentence as plain text.
        below: `text` after its headings and release, and after its column titles if it is a table row.
    """

    passage: Passage
    sentence: ScoredSentence
    raw: str
    text: str
    below: str


def grounds_of(passage: Passage) -> list[EvidenceSentence]:
    """Return the evidence sentences of a passage.

    Args:
        passage: a passage with its sentences.
    """
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
    """Matches statements against evidence, across Chinese and English.

    Attributes:
        vocabulary: returns the terms of a text, as the index does.
        glossary: names of the same thing in both languages.
    """

    vocabulary: Callable[[str], Collection[str]]
    glossary: Glossary

    def words(self, text: str) -> frozenset[str]:
        """Return the content words of a text, without numbers, which are verified as amounts.

        Args:
            text: plain text.
        """
        return frozenset(word for word in self.vocabulary(text) if not re.fullmatch(r"[\d.]+", word))

    def clauses(self, text: str) -> list[str]:
        """Split a sentence into clauses, merging those too short to be verified by themselves.

        Args:
            text: one sentence.

        Returns:
            At least one clause.
        """
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
        """Compute the share of words that occur in evidence, 0 to 1.

        If the evidence is English and some words are Chinese, only words in ASCII are counted.

        Args:
            words: content words of a clause, from `words`.
            grounds: evidence sentences, taken together.
        """
        text = " ".join(ground.below for ground in grounds)
        if not _HAN.search(text) and any(map(_HAN.search, words)):
            words = [word for word in words if word.isascii()]
        return share(words, self.words(text))

    def fitting(
        self, names: Collection[str], words: Collection[str], ranked: Sequence[EvidenceSentence]
    ) -> list[EvidenceSentence]:
        """Select the evidence on the same subject as a clause.

        Args:
            names: names in the clause.
            words: content words of the clause.
            ranked: candidates, best first.

        Returns:
            Sentences that cover enough of the words or, if there are none, those with the most of the names.
            They are ordered by the number of names they contain.
        """
        near = [ground for ground in ranked if self.covered(words, [ground]) >= _CLAUSE_COVERAGE]
        ordered = sorted(near or ranked, key=lambda ground: -self.named(names, ground))
        # Without a sentence that shares enough words, those with the names may still hold the amounts.
        most = self.named(names, ordered[0]) if ordered else 0
        return ordered if near else [ground for ground in ordered if self.named(names, ground) == most]

    def named(self, names: Collection[str], ground: EvidenceSentence) -> int:
        """Count the names that an evidence sentence or its headings contain.

        Args:
            names: names in lower case.
            ground: evidence sentence.
        """
        return sum(self.holds(name, ground.below) for name in names)

    def says(self, clause: str, names: Collection[str], ground: EvidenceSentence) -> bool:
        """Check whether an evidence sentence, without its headings, contains all names and code of a clause.

        Args:
            clause: clause as Markdown, whose code spans are checked.
            names: names in the clause.
            ground: evidence sentence.
        """
        named = all(self.holds(name, ground.text) for name in names)
        return named and all(bare_code(code) in bare_code(ground.text) for code in code_in(clause))

    def holds(self, name: str, text: str) -> bool:
        """Check whether a text contains a name, or the name of the same term in the other language.

        Aliases and identifiers of a glossary term are not accepted: they may denote other things of the same
        kind.

        Args:
            name: name in lower case.
            text: text to search, in any case.
        """
        folded = text.casefold()
        return any(holds_name(form, folded) for form in (name, *self._forms.get(name, ())))

    @locked_cached_property
    def _forms(self) -> dict[str, set[str]]:
        """Names of each glossary term in both languages, keyed by each of them."""
        forms: dict[str, set[str]] = {}
        for term in self.glossary.terms:
            names = {form.casefold() for form in (term.en, *term.zh)}
            for name in names:
                forms.setdefault(name, set()).update(names)
        return forms


def share(words: Collection[str], held: Collection[str]) -> float:
    """Compute the share of words that are held, 1 if there are no words.

    Args:
        words: words to look up.
        held: words available.
    """
    return sum(word in held for word in words) / len(words) if words else 1.0


def is_verbatim(text: str, quotes: Sequence[EvidenceSentence]) -> bool:
    """Check whether a text repeats one of the quotes, but for punctuation and next to nothing else.

    Args:
        text: plain text.
        quotes: evidence sentences.
    """
    own = _pairs(text)
    told = (_pairs(quote.text) for quote in quotes)
    return any(own and len(own & each) >= _VERBATIM * len(own | each) for each in told)


def _pairs(text: str) -> set[tuple[str, str]]:
    """Return the pairs of adjacent words, or Chinese characters."""
    return set(pairwise(_WORD.findall(text.casefold())))


def bare_code(text: str) -> str:
    """Normalize code for comparison: no white space or quotation marks, case-folded.

    Args:
        text: code.
    """
    return re.sub(r"[\s'\"`]", "", text).casefold()
