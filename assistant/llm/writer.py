"""Writes answers with a language model, verifying the draft sentence by sentence while it is generated.

Verified statements are shown at once, and the rest of the draft as pending. A statement that the passages
contradict never becomes part of the text; one that they do not confirm is marked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

from assistant.answer import JudgingCost
from assistant.llm.client import LanguageModel
from assistant.llm.errors import ContextTooLongError, CutShortError
from assistant.llm.judge import Judge
from assistant.llm.prompt import NOT_TOLD, answer_prompt, answer_tokens, fitting
from assistant.verification.draft import Statement, statements
from assistant.verification.proof import Proof
from assistant.verification.verifier import Verifier
from index.search.passage import Passage
from ingest.document import Language
from ingest.errors import LanguageModelError

#: Share of contradicted statements in a draft above which the rest is not worth showing.
_MOST_CONTRADICTED = 0.5


@dataclass(frozen=True, slots=True)
class Progress:
    """State of a draft.

    Attributes:
        passages: passages given to the model, numbered from 1 in this order.
        proofs: results of verifying the finished statements, in order.
        pending: text of the statements that are not verified yet.
        done: whether the draft is complete.
        judging: what it cost to have the model judge its sentences; None where it was not asked.
        judged: whether the judgements were of use.
        failure: why that failed, one line, or "".
    """

    passages: Sequence[Passage]
    proofs: Sequence[Proof] = ()
    pending: str = ""
    done: bool = False
    judging: JudgingCost | None = None
    judged: bool = False
    failure: str = ""

    @property
    def declines(self) -> bool:
        """Whether the model says that the passages do not answer the question."""
        return (
            self.done and not self.proved and any(NOT_TOLD in p.statement.text.upper() for p in self.proofs)
        )

    @property
    def proved(self) -> list[Proof]:
        """Results of the statements that are proved."""
        return [proof for proof in self.proofs if proof.holds]

    def suffices(self, *, strict: bool) -> bool:
        """Check whether enough is left of the draft to show it as an answer.

        Args:
            strict: whether only proved statements are shown.
        """
        if strict:
            return bool(self.proved)
        if self.judged and self.proved:  # each sentence was judged: what is left was looked at twice
            return True
        claims = [proof for proof in self.proofs if proof.outcome != "neutral"]
        contradicted = sum(proof.outcome == "contradicted" for proof in claims)
        return len(claims) > contradicted and contradicted <= _MOST_CONTRADICTED * len(claims)


@dataclass
class Writer:
    """Writes answers with one language model.

    Attributes:
        model: writes drafts.
        verifier: verifies their statements.
        count_tokens: counts the tokens of a text.
        judge: judges once more what the verifier leaves open; None leaves it so.
    """

    model: LanguageModel
    verifier: Verifier
    count_tokens: Callable[[str], int]
    judge: Judge | None = None

    def write(self, question: str, passages: Sequence[Passage], language: Language) -> Iterator[Progress]:
        """Draft an answer and verify it. Closing the iterator cancels the request.

        Args:
            question: standalone question.
            passages: trusted passages, best first.
            language: language of the answer.

        Yields:
            The growing draft; the last item is done.

        Raises:
            LanguageModelError: the model does not answer, or its reply breaks off.
        """
        while True:
            given = fitting(
                question, passages, language, context=self.model.context, count_tokens=self.count_tokens
            )
            try:
                yield from self._draft(question, given, language)
            except ContextTooLongError:  # the context is smaller than configured
                if len(given) < 2:
                    raise
                passages = passages[: len(given) // 2]
            else:
                return

    def judged(self, draft: Progress, question: str, language: Language) -> Iterator[Progress]:
        """Have the model judge what is open in a complete draft. Closing the iterator cancels the request.

        Args:
            draft: the last that `write` yielded.
            question: standalone question.
            language: language of the answer.

        Yields:
            The draft as it is while the model judges; the last item is done, and has the final proofs. Where
            the model fails, these are those of the verifier.
        """
        if self.judge is None or draft.declines:
            yield draft
            return
        waiting = replace(draft, done=False)
        judging = self.judge.judge(draft.proofs, draft.passages, self.verifier.reading, language, question)
        try:
            with closing(judging):
                for end in judging:
                    last = end and replace(draft, proofs=end.proofs, judging=end.cost, judged=end.used)
                    yield last or waiting
        except LanguageModelError as error:
            yield replace(draft, failure=str(error))

    def _draft(self, question: str, given: Sequence[Passage], language: Language) -> Iterator[Progress]:
        proving = _Proving(self.verifier, given, language, question)
        text = ""
        tokens = answer_tokens(self.model.context)
        pieces = self.model.stream(answer_prompt(question, given, language), tokens)
        cut: CutShortError | None = None
        try:
            for piece in pieces:
                text += piece
                yield proving.read(text, whole=False)
        except CutShortError as error:
            cut = error
        finally:
            pieces.close()  # type: ignore[attr-defined]  # a generator
        last = proving.read(text, whole=cut is None)
        if all(proof.statement.kind == "heading" for proof in last.proofs):  # or reasoning alone
            raise cut or self.model.silent()
        yield Progress(given, last.proofs, "", done=True)


def writer_of(
    model: LanguageModel, verifier: Verifier, count_tokens: Callable[[str], int], *, judges: bool
) -> Writer:
    """Return a writer.

    Args:
        model: writes drafts.
        verifier: verifies their statements.
        count_tokens: counts the tokens of a text.
        judges: whether the model judges once more what the verifier leaves open.
    """
    return Writer(model, verifier, count_tokens, Judge(model, count_tokens) if judges else None)


@dataclass
class _Proving:
    """Verifies each statement once, as soon as it is final."""

    verifier: Verifier
    passages: Sequence[Passage]
    language: Language
    question: str
    proofs: list[Proof] = field(default_factory=list)

    def read(self, text: str, *, whole: bool) -> Progress:
        """Verify the statements of a growing draft that became final."""
        drafted = statements(text if whole else _closed(text), whole=whole)
        settled = drafted if whole else _settled(drafted)
        fresh = settled[len(self.proofs) :]
        if fresh:
            self.proofs += self.verifier.prove(
                fresh, self.passages, self.language, self.question, before=len(self.proofs)
            )
        pending = " ".join(s.text for s in drafted[len(self.proofs) :])
        return Progress(self.passages, tuple(self.proofs), pending)


def _settled(drafted: Sequence[Statement]) -> Sequence[Statement]:
    """Return the leading statements that are final: marked ones, and those of finished paragraphs."""
    count = 0
    for statement in drafted:
        finished = statement.paragraph < drafted[-1].paragraph
        # Statements before the last may take their marks from it, and it may still get more.
        leans = not drafted[-1].complete and statement.marks == drafted[-1].marks
        if not (statement.complete and (finished or (statement.marks and not leans))):
            break
        count += 1
    return drafted[:count]


def _closed(text: str) -> str:
    """Remove an unfinished mark from the end of a text."""
    for left, right in (("[", "]"), ("【", "】")):
        start = text.rfind(left)
        if start > text.rfind(right):
            text = text[:start]
    return text
