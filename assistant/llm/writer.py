"""Writing an answer with a language model: its draft is proved sentence by sentence while it comes.

What is proved is told at once; what is not yet is the draft. Nothing that failed its proof is ever part of
the text, unless the user asks for unfiltered text, where it is marked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from assistant.llm.client import LanguageModel
from assistant.llm.errors import ContextTooLongError, CutShortError
from assistant.llm.prompt import NOT_TOLD, answer_prompt, answer_tokens, fitting
from assistant.verification.draft import Statement, statements
from assistant.verification.verifier import Proof, Verifier
from index.search.passage import Passage
from ingest.document import Language

#: Least share of a draft's sentences that must be proved; with less, what is left tells half a story.
_LEAST_PROVED = 0.5


@dataclass(frozen=True, slots=True)
class Progress:
    """A draft so far.

    Attributes:
        passages: what the model was given, numbered from 1 in this order.
        proofs: of the finished statements, in order; headings are left out.
        pending: what is being written, as it came.
        done: whether this is all.
    """

    passages: Sequence[Passage]
    proofs: Sequence[Proof] = ()
    pending: str = ""
    done: bool = False

    @property
    def declines(self) -> bool:
        """Whether the model says that the passages do not answer."""
        return (
            self.done and not self.proved and any(NOT_TOLD in p.statement.text.upper() for p in self.proofs)
        )

    @property
    def proved(self) -> list[Proof]:
        """Those that hold."""
        return [proof for proof in self.proofs if proof.holds]

    @property
    def suffices(self) -> bool:
        """Whether enough of it is proved to be an answer."""
        return bool(self.proved) and len(self.proved) >= _LEAST_PROVED * len(self.proofs)


@dataclass
class Writer:
    """Writes answers with one language model.

    Attributes:
        model: drafts.
        verifier: proves.
        count_tokens: of a text.
    """

    model: LanguageModel
    verifier: Verifier
    count_tokens: Callable[[str], int]

    def write(self, question: str, passages: Sequence[Passage], language: Language) -> Iterator[Progress]:
        """The draft growing; the last one is done. Closing the iterator ends the model's work.

        Args:
            passages: trusted ones, best first.

        Raises:
            LanguageModelError: the model does not answer, or breaks off.
        """
        while True:
            given = fitting(
                question, passages, language, context=self.model.context, count_tokens=self.count_tokens
            )
            try:
                yield from self._draft(question, given, language)
            except ContextTooLongError:  # it reads less than the settings say
                if len(given) < 2:
                    raise
                passages = passages[: len(given) // 2]
            else:
                return

    def _draft(self, question: str, given: Sequence[Passage], language: Language) -> Iterator[Progress]:
        proving = _Proving(self.verifier, given, language)
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
        if not last.proofs:  # headings or thoughts alone
            raise cut or self.model.silent()
        yield Progress(given, last.proofs, "", done=True)


@dataclass
class _Proving:
    """Proves each statement once, as soon as it cannot change any more."""

    verifier: Verifier
    passages: Sequence[Passage]
    language: Language
    proofs: list[Proof] = field(default_factory=list)

    def read(self, text: str, *, whole: bool) -> Progress:
        """What is proved of a draft that has come so far."""
        drafted = [
            s for s in statements(text if whole else _closed(text), whole=whole) if s.kind != "heading"
        ]
        settled = drafted if whole else _settled(drafted)
        fresh = settled[len(self.proofs) :]
        if fresh:
            self.proofs += self.verifier.prove(fresh, self.passages, self.language)
        pending = " ".join(s.text for s in drafted[len(self.proofs) :])
        return Progress(self.passages, tuple(self.proofs), pending)


def _settled(drafted: Sequence[Statement]) -> Sequence[Statement]:
    """The first statements that nothing to come can change: marked ones, and those of finished paragraphs.

    Those before the last may have their marks from it, and it may get more.
    """
    count = 0
    for statement in drafted:
        finished = statement.paragraph < drafted[-1].paragraph
        leans = not drafted[-1].complete and statement.marks == drafted[-1].marks
        if not (statement.complete and (finished or (statement.marks and not leans))):
            break
        count += 1
    return drafted[:count]


def _closed(text: str) -> str:
    """A text without a mark that has only begun."""
    for opening, closing in (("[", "]"), ("【", "】")):
        start = text.rfind(opening)
        if start > text.rfind(closing):
            text = text[:start]
    return text
