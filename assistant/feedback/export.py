"""Exports feedback as gold questions for `torchnotes eval`.

An answer rated as good provides its own criteria: its quotes are the evidence, and what it says of them the
facts. What a bad one should have said only a person knows, so its line must be completed first; `eval`
rejects it until then.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from assistant.answer import Answer
from assistant.evaluation.distinctive_terms import Cut, keys, names_and_figures, rarity, words
from assistant.evaluation.loader import parse_question
from assistant.evaluation.scoring import TOP, fold, score
from assistant.feedback.record import Feedback
from assistant.query.question_language import question_language
from ingest.errors import SourceError
from ingest.language import document_language
from ingest.locked_property import locked_cached_property
from ingest.release import Release

if TYPE_CHECKING:
    from index.storage.interface import Index
    from ingest.document import Language

GoldLine = dict[str, Any]  # a question in the format of `assistant.evaluation.loader`

CONFIRMED, CORRECTED = "confirmed", "corrected"  # kinds, which are rows of eval's table
_DECLINE = "unanswerable"
_FACTS = 3  # per question
_BY_A_PERSON = 'tell in "evidence" and "facts" what a right answer holds, or set "kind" to "unanswerable"'


@dataclass(frozen=True, slots=True)
class Questions:
    """Gold questions from feedback.

    Attributes:
        scored: lines that `eval` accepts.
        waiting: lines that a person must complete first. "todo" says how, and "note" what was answered;
            `eval` rejects lines with a "todo".
        repeated: number of ratings superseded by a later one of the same question.
    """

    scored: tuple[GoldLine, ...]
    waiting: tuple[GoldLine, ...]
    repeated: int


class Exporter:
    """Converts feedback to gold questions.

    Args:
        cut: word splitter, as `Segmenter.words`.
        generation: index whose other passages the evidence is distinguished from, or None.
    """

    def __init__(self, cut: Cut, generation: Index | None = None) -> None:
        self._cut = cut
        self._generation = generation

    def questions(self, feedback: Iterable[Feedback]) -> Questions:
        """Convert feedback to one line per question, using the newest of its ratings.

        Args:
            feedback: ratings in any order.
        """
        given = sorted(feedback, key=lambda each: (each.rated_at, each.id))
        newest = {(each.question.strip(), each.history, each.releases): each for each in given}
        scored: list[GoldLine] = []
        waiting: list[GoldLine] = []
        for each in sorted(newest.values(), key=lambda each: (each.rated_at, each.id)):
            line, why = self._line(each)
            if why:
                line = {"todo": f"{why}; then delete this", **line, "note": line["note"] | _said(each)}
            (waiting if why else scored).append(line)
        return Questions(tuple(scored), tuple(waiting), len(given) - len(newest))

    def _line(self, feedback: Feedback) -> tuple[GoldLine, str]:
        """Return the line of a rating, and what a person must do to complete it, or ""."""
        line: GoldLine = {
            "id": f"feedback-{feedback.answer_id}",
            "lang": question_language(feedback.question),
            "kind": CONFIRMED,
            "question": feedback.question,
            "history": [each for each in feedback.history if each.strip()],
            "evidence": [],
            "facts": [],
            "note": {"rated": feedback.rated_at.date().isoformat(), "good": feedback.good},
        }
        if feedback.comment:
            line["note"]["comment"] = feedback.comment
        named = ", ".join(map(str, feedback.releases))
        alone = (
            f"it was asked of {named} alone, which eval cannot: name that in the question" if named else ""
        )
        if (feedback.good and feedback.abstained) or feedback.reason == "should-decline":
            line["kind"] = _DECLINE
            return line, alone
        if not feedback.good:
            line["kind"] = CORRECTED
            return line, "; ".join(filter(None, (_BY_A_PERSON, alone)))
        line["evidence"] = self._evidence(feedback)
        line["facts"] = self._facts(feedback)
        other = feedback.language != line["lang"]
        spoken = "it was answered in the other language, which eval cannot ask for: check the facts"
        return line, "; ".join(filter(None, (alone, spoken if other else "", _refusal(line))))

    def _evidence(self, feedback: Feedback) -> list[GoldLine]:
        """Return the distinctive terms of the first passages cited."""
        found: dict[str, GoldLine] = {}
        for citation in feedback.citations:
            if not citation["release"] or citation["chunk_id"] in found or len(found) == TOP:
                continue
            chosen = keys(citation["quote"], self._beside(citation), self._cut)
            evidence = {"version": citation["release"], "keys": [[key] for key in chosen]}
            if chosen and evidence not in found.values():
                found[citation["chunk_id"]] = evidence
        return list(found.values())

    def _facts(self, feedback: Feedback) -> list[list[str]]:
        """Return what the answer states of one passage, preferably what the question does not contain."""
        asked = fold("\n".join((feedback.question, *feedback.history)))
        passages: dict[str, list[GoldLine]] = {}
        for citation in feedback.citations:
            if citation["release"]:
                passages.setdefault(citation["chunk_id"], []).append(citation)
        finders = (names_and_figures, partial(words, cut=self._cut))
        told = [self._told(feedback, cited, find) for find in finders for cited in passages.values()]
        for fresh in (True, False):  # terms of the question may merely be repeated
            for found in told:
                wanted = [text for text in found if (fold(text) not in asked) is fresh]
                if wanted:
                    return [[fact] for fact in _apart(wanted)[:_FACTS]]
        return []

    def _told(
        self, feedback: Feedback, cited: Sequence[GoldLine], find: Callable[[str], list[str]]
    ) -> list[str]:
        """Return terms of a passage's quotes that the answer states: its release first, then the rarest."""
        order = {
            text: (text != citation["release"], rarity(text, self._beside(citation) or ()))
            for citation in cited
            for text in find(citation["quote"])
        }
        return _said_of(feedback, sorted(order, key=lambda text: order[text]))

    def _beside(self, citation: Mapping[str, Any]) -> Sequence[str] | None:
        """Return the folded passages with the release and language of a quote, or None if unknown."""
        if self._generation is None:
            return None
        document = self._generation.documents.get(citation["document_id"])
        language = document.language if document else document_language(citation["quote"])
        return self._texts.get((Release.parse(citation["release"]), language))

    @locked_cached_property
    def _texts(self) -> dict[tuple[Release | None, Language], list[str]]:
        texts: dict[tuple[Release | None, Language], list[str]] = {}
        if self._generation:
            for chunk in self._generation.chunks:
                document = self._generation.documents[chunk.document_id]
                text = fold(document.text[chunk.start : chunk.end])
                texts.setdefault((document.release, document.language), []).append(text)
        return texts


def dumped(line: GoldLine) -> str:
    """Serialize a question as one line of JSON, without a line break.

    Args:
        line: the question.
    """
    return json.dumps(line, ensure_ascii=False)


def _apart(texts: Iterable[str]) -> list[str]:
    """Drop texts that contain, or are contained in, an earlier one, such as GPUs after GPU."""
    out: list[str] = []
    for text in texts:
        if not any(fold(text) in fold(other) or fold(other) in fold(text) for other in out):
            out.append(text)
    return out


def _said_of(feedback: Feedback, found: Sequence[str]) -> list[str]:
    """Return the texts that the answer states where eval looks for facts."""
    if not found:
        return []
    probe = {
        "id": "probe",
        "lang": question_language(feedback.question),
        "kind": CONFIRMED,
        "question": feedback.question,
        "evidence": [{"version": "1.0", "keys": [["-"]]}],
        "facts": [[text] for text in found],
    }
    answer = Answer(feedback.question, "", feedback.text, feedback.language, False, (), (), ())
    missing = score(parse_question(dumped(probe), "feedback"), answer, 0.0).missing
    return [text for text in found if (text,) not in missing]


def _refusal(line: GoldLine) -> str:
    """Return why eval rejects a line, or ""."""
    try:
        parse_question(dumped(line), "")
    except SourceError as error:
        return error.reason
    return ""


def _said(feedback: Feedback) -> GoldLine:
    """Return the answer, to help completing a line."""
    cited = [
        {key: citation[key] for key in ("release", "quote", "url") if citation[key]}
        for citation in feedback.citations
    ]
    reason = {"reason": feedback.reason} if feedback.reason else {}
    return {**reason, "declined": feedback.abstained, "answer": feedback.text, "cited": cited}
