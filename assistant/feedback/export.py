"""Questions for `torchnotes eval` from feedback: what a reader found right is what a right answer holds.

A good answer proves itself: its quotes give the evidence, what it says of them the facts. Of a bad one nobody
but a person knows what would have been right; it becomes a line to complete, which `eval` refuses until then.
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
    from index.storage.generation import Generation
    from ingest.document import Language

GoldLine = dict[str, Any]  # a question as `assistant.evaluation.loader` reads it

CONFIRMED, CORRECTED = "confirmed", "corrected"  # kinds: rows of eval's table
_DECLINE = "unanswerable"
_FACTS = 3
_BY_A_PERSON = 'tell in "evidence" and "facts" what a right answer holds, or set "kind" to "unanswerable"'


@dataclass(frozen=True, slots=True)
class Questions:
    """What becomes of feedback.

    Attributes:
        scored: lines that `eval` reads.
        waiting: lines that a person must complete first: "todo" tells how, and "note" what was answered;
            `eval` refuses a line for as long as it holds "todo".
        repeated: how many ratings an answer to the same question replaced, rated later.
    """

    scored: tuple[GoldLine, ...]
    waiting: tuple[GoldLine, ...]
    repeated: int


class Exporter:
    """Makes questions of feedback.

    Args:
        cut: cuts a text into words: `Segmenter.words`.
        generation: the index, to choose keys that no other passage of a release holds; None: there is none.
    """

    def __init__(self, cut: Cut, generation: Generation | None = None) -> None:
        self._cut = cut
        self._generation = generation

    def questions(self, feedback: Iterable[Feedback]) -> Questions:
        """A line for each question; of its ratings the newest counts: people change their minds."""
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
        """The line, and what a person must do about it, "" where nobody must."""
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
        """What the first passages cited are known by, a passage each."""
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
        """What the answer says of the first passage cited, and the question does not.

        Names and figures, else words; of another passage where it says nothing of that one.
        """
        asked = fold("\n".join((feedback.question, *feedback.history)))
        passages: dict[str, list[GoldLine]] = {}
        for citation in feedback.citations:
            if citation["release"]:
                passages.setdefault(citation["chunk_id"], []).append(citation)
        finders = (names_and_figures, partial(words, cut=self._cut))
        told = [self._told(feedback, cited, find) for find in finders for cited in passages.values()]
        for fresh in (True, False):  # what the question holds an answer may only repeat
            for found in told:
                wanted = [text for text in found if (fold(text) not in asked) is fresh]
                if wanted:
                    return [[fact] for fact in _apart(wanted)[:_FACTS]]
        return []

    def _told(
        self, feedback: Feedback, cited: Sequence[GoldLine], find: Callable[[str], list[str]]
    ) -> list[str]:
        """What the answer says of the quotes of a passage: its release before all, then the rarest."""
        order = {
            text: (text != citation["release"], rarity(text, self._beside(citation) or ()))
            for citation in cited
            for text in find(citation["quote"])
        }
        return _said_of(feedback, sorted(order, key=lambda text: order[text]))

    def _beside(self, citation: Mapping[str, Any]) -> Sequence[str] | None:
        """The passages that a quote must be told from: those of its release in its language, folded."""
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
    """A line of a file of questions, without its end."""
    return json.dumps(line, ensure_ascii=False)


def _apart(texts: Iterable[str]) -> list[str]:
    """Those of some texts that do not hold each other: GPUs says no more than GPU."""
    out: list[str] = []
    for text in texts:
        if not any(fold(text) in fold(other) or fold(other) in fold(text) for other in out):
            out.append(text)
    return out


def _said_of(feedback: Feedback, found: Sequence[str]) -> list[str]:
    """Those of some texts that the answer says where eval looks for facts."""
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
    """Why eval would not read a line, "" where it does."""
    try:
        parse_question(dumped(line), "")
    except SourceError as error:
        return error.reason
    return ""


def _said(feedback: Feedback) -> GoldLine:
    """What was answered, for who completes a line."""
    cited = [
        {key: citation[key] for key in ("release", "quote", "url") if citation[key]}
        for citation in feedback.citations
    ]
    reason = {"reason": feedback.reason} if feedback.reason else {}
    return {**reason, "declined": feedback.abstained, "answer": feedback.text, "cited": cited}
