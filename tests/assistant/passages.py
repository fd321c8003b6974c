"""Passages and questions by hand, for tests of what is made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assistant.query.question import Question, understand
from assistant.retrieval.relevance import Relevance
from corpus.glossary import load_glossary
from index.search.passage import Passage, ScoredSentence
from ingest.release import Release
from ingest.splitter import ReleaseNoteSplitter
from tests.assistant.notes import note
from tests.ingest.splitting import count_thirds, segmenter

KNOWN = tuple(Release(2, minor) for minor in range(2, 9))


def question(text: str, history: Sequence[str] = ()) -> Question:
    """A question as understood."""
    return understand(text, history, known=KNOWN, glossary=load_glossary())


def passage(
    body: str, name: str = "en-2.4", *, score: float = 1.0, cosine: Callable[[str], float] = lambda text: 0.8
) -> Passage:
    """The whole of a short document as a passage; `cosine` tells how near each of its sentences is."""
    document = note(name, f"# PyTorch {name.split('-')[1]}\n\n{body}")
    splitter = ReleaseNoteSplitter(count_thirds, segmenter(), max_tokens=4000)
    (chunk,) = splitter.split_document(document)
    sentences = tuple(
        ScoredSentence(span, cosine(document.text[span.start : span.end]), row)
        for row, span in enumerate(chunk.sentences)
    )
    best = max(sentence.cosine for sentence in sentences)
    return Passage(chunk, document, chunk.start, chunk.end, score, {}, best, sentences)


def relevance(asked: Question) -> Relevance:
    """Every word of a question counts the same."""
    return Relevance(dict.fromkeys(segmenter().terms(asked.standalone), 1.0), {}, segmenter().vocabulary)


def quotes(found: Passage, sentences: Sequence[ScoredSentence]) -> list[str]:
    """What sentences say."""
    return [found.document.text[s.span.start : s.span.end] for s in sentences]
