"""The notes of one release as sections, read from its best document, for answers to broad questions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from assistant.retrieval.pick import Pick
from assistant.retrieval.sentences import text_of
from assistant.text.markdown import points_elsewhere
from assistant.timeline.heading_parser import bare, is_item
from assistant.timeline.model import Source
from index.search.passage import Passage, ScoredSentence
from index.search.retriever import Retriever
from ingest.document import Document, Language
from ingest.locked_property import locked_cached_property
from ingest.release import Release
from ingest.segment import Segmenter
from ingest.sentence import Sentence
from ingest.status import MATURITIES, Status, names_status_only, status_of

#: Statuses of sections on something that is new or better than before.
_GAINS: tuple[Status, ...] = (*MATURITIES, "new", "performance", "improvement")
_OVERVIEW, _STATUS = "overview", "status"  # ids of the sections that sum up a release and its statuses
_FEWEST_SUMMED = 3  # sections; fewer need no sentence that sums them up
_MANY_CHANGES = 3  # least breaking changes of notes that list them all; announcements name one or two
_MENTIONED = 0.5  # least share of a heading's words in a sentence that mentions the thing


@dataclass(frozen=True)
class ReleaseSection:
    """A section of the notes.

    Attributes:
        passage: the whole section as one passage.
        introduces: whether it only introduces the sections below it.
    """

    passage: Passage
    introduces: bool

    @property
    def id(self) -> str:
        """Id of the section, "" if it has none."""
        return self.passage.chunk.section_id or ""

    @property
    def status(self) -> Status:
        """Status of the section, "" if it has none."""
        return self.passage.chunk.status

    @property
    def release(self) -> Release:
        """Release that the section is of."""
        return self.passage.release or Release(0, 0)

    @property
    def title(self) -> str:
        """Its own heading without the status, "" before the first heading."""
        headings = self.passage.chunk.headings
        return bare(headings[-1]) if headings else ""

    @property
    def is_item(self) -> bool:
        """Whether its heading opens with a status: it is about one feature or one change."""
        headings = self.passage.chunk.headings
        return bool(headings) and is_item(headings[-1])

    @property
    def is_single(self) -> bool:
        """Whether it is about one thing, rather than about all that have its status."""
        headings = self.passage.chunk.headings
        return bool(headings) and not self.introduces and not names_status_only(headings[-1])

    @property
    def is_gain(self) -> bool:
        """Whether it is about a headline feature, rather than about one of many in a list by component."""
        above = self.passage.chunk.headings[:-1]
        listed = any(status_of(heading) not in ("", *MATURITIES) or is_item(heading) for heading in above)
        return self.is_item and self.status in _GAINS and not listed

    @property
    def heading(self) -> ScoredSentence | None:
        """Its own heading, None if it cannot be quoted."""
        source = Source(self.passage.chunk, self.passage.document)
        return self._spanning(source.heading if self.passage.chunk.headings else None)

    @property
    def saying(self) -> ScoredSentence | None:
        """First sentence that makes sense on its own, or None."""
        return self._spanning(Source(self.passage.chunk, self.passage.document).sentence)

    @property
    def told(self) -> list[ScoredSentence]:
        """The sentences that make sense on their own."""
        return [
            sentence
            for sentence in self.passage.sentences
            if sentence.span.kind in ("prose", "item") and not points_elsewhere(self.text(sentence))
        ]

    def text(self, sentence: ScoredSentence) -> str:
        """Return the text of a sentence.

        Args:
            sentence: a sentence of this section.
        """
        return text_of(self.passage, sentence)

    def _spanning(self, span: Sentence | None) -> ScoredSentence | None:
        return next((sentence for sentence in self.passage.sentences if sentence.span == span), None)

    def heading_pick(self, above: str, label: str = "") -> Pick | None:
        """Quote the heading, without the status in it.

        Args:
            above: the line above it.
            label: our words before it.
        """
        heading = self.heading
        return Pick(self.passage, (heading,), above=above, label=label) if heading else None

    def saying_pick(self, above: str, label: str = "") -> Pick | None:
        """Quote the first sentence that makes sense on its own, else the heading.

        Args:
            above: the line above it.
            label: our words before it.
        """
        saying = self.saying
        if saying is None:
            return self.heading_pick(above, label)
        return Pick(self.passage, (saying,), above=above, label=label)


@dataclass(frozen=True)
class ReleaseNotes:
    """The best document on a release.

    Attributes:
        release: the release.
        document: the document.
        sections: its sections in order.
    """

    release: Release
    document: Document
    sections: tuple[ReleaseSection, ...]
    _segmenter: Segmenter

    @locked_cached_property
    def overview(self) -> ReleaseSection | None:
        """The section that sums up the release, None if the document has none."""
        return next((section for section in self.sections if section.id == _OVERVIEW), None)

    def of_status(self, *statuses: Status) -> list[ReleaseSection]:
        """Return the sections on one feature or change each that have one of the statuses.

        Args:
            statuses: statuses to match.
        """
        return [s for s in self.sections if s.status in statuses and s.is_single]

    @property
    def is_whole(self) -> bool:
        """Whether they tell what breaks: those that only tell of highlights list no fixes and few changes."""
        found = Counter(section.status for section in self.sections if section.is_single)
        changes = found["breaking"] >= _MANY_CHANGES and found["deprecated"] > 0
        return changes or any(section.status == "bug-fix" for section in self.sections)

    @locked_cached_property
    def gains(self) -> list[ReleaseSection]:
        """Its headline features, in the order in which its overview mentions them, then the others."""
        return sorted((section for section in self.sections if section.is_gain), key=self.mention)

    def mention(self, section: ReleaseSection) -> int:
        """Return which sentence of the overview mentions a thing first; what it mentions matters most.

        Args:
            section: a section of this release on the thing.

        Returns:
            Number of the sentence; that of all sentences if none does.
        """
        sentences = self._overview_sentences
        telling = (number for number, words in enumerate(sentences) if self._holds(words, section))
        return next(telling, len(sentences))

    def summary(self, sections: Sequence[ReleaseSection], above: str) -> Pick | None:
        """Quote the sentences of the status section that name most of some sections and few others.

        Args:
            sections: sections of this release.
            above: the line above them.

        Returns:
            None for fewer than three sections, or if the sentences do not name half of them together.
        """
        table = next((section for section in self.sections if section.id == _STATUS), None)
        if table is None or len(sections) < _FEWEST_SUMMED:
            return None
        others = [s for s in self.sections if s.is_single and s.is_item and s not in sections]
        told, named = [], set[str]()
        for sentence in table.told:
            words = self._words(table.text(sentence))
            here = {s.id for s in sections if self._holds(words, s)}
            if len(here) > sum(self._holds(words, other) for other in others):
                told.append(sentence)
                named |= here
        return Pick(table.passage, tuple(told), above=above) if 2 * len(named) >= len(sections) else None

    def is_mentioned(self, section: ReleaseSection) -> bool:
        """Check whether the overview mentions what a section is about.

        Args:
            section: a section of this release.
        """
        return self.mention(section) < len(self._overview_sentences)

    @locked_cached_property
    def _overview_sentences(self) -> list[frozenset[str]]:
        return (
            [self._words(self.overview.text(sentence)) for sentence in self.overview.told]
            if self.overview
            else []
        )

    @locked_cached_property
    def _frequencies(self) -> Counter[str]:
        """In how many headings each word occurs."""
        return Counter(word for section in self.sections for word in self._words(section.title))

    def _holds(self, words: frozenset[str], section: ReleaseSection) -> bool:
        """Check whether words hold most of a section's heading."""
        weights = {word: self._weight(word) for word in self._words(section.title)}
        held = sum(weight for word, weight in weights.items() if word in words)
        return held > 0 and held >= _MENTIONED * sum(weights.values())

    def _weight(self, word: str) -> float:
        return math.log((1 + len(self.sections)) / self._frequencies[word])

    def _words(self, text: str) -> frozenset[str]:
        return self._segmenter.vocabulary(text) - {str(self.release), "pytorch", "torch"}


def read_release(retriever: Retriever, release: Release, language: Language) -> ReleaseNotes | None:
    """Read the best document on a release: in the preferred language, a digest, or the longest.

    Args:
        retriever: provides the passages.
        release: the release.
        language: preferred language.

    Returns:
        The notes, None if no document is about the release.
    """
    by_document: dict[str, list[Passage]] = {}
    for passage in retriever.every(release):
        by_document.setdefault(passage.document_id, []).append(passage)

    def rank(passages: Sequence[Passage]) -> tuple[bool, bool, int]:
        document = passages[0].document
        return document.language == language, document.kind == "digest", len(passages)

    if not by_document:
        return None
    best = max(by_document.values(), key=rank)
    return ReleaseNotes(release, best[0].document, tuple(_sections(best)), retriever.segmenter)


def _sections(passages: Sequence[Passage]) -> Iterator[ReleaseSection]:
    above = {passage.chunk.headings[:-1] for passage in passages}
    for _, group in groupby(passages, key=lambda passage: passage.chunk.section):
        parts = list(group)
        # Not all of a section is in its passages: two of them may have something between that is not indexed.
        sentences = {sentence.span: sentence for part in parts for sentence in part.sentences}
        whole = replace(parts[0], end=parts[-1].end, sentences=tuple(sentences.values()))
        yield ReleaseSection(whole, whole.chunk.headings in above)
