"""Judges what the cheap proof of a draft leaves open by one further request to the model that wrote it.

All open sentences are judged at once. The reply follows a JSON schema where the server offers that; a server
that refuses the schema is asked for plain JSON from then on. A model whose replies are not of that form, or
whose quotes mostly do not occur in the passages, is asked once more with the next draft, and then no longer.
Whatever fails, the verdicts of the cheap proof stand.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass

from assistant.answer import JudgingCost
from assistant.llm.client import ChatMessage, LanguageModel
from assistant.llm.errors import CutShortError, RefusedError
from assistant.llm.judge_prompt import SCHEMA, chosen_passages, judge_prompt, most_sentences, read_judgements
from assistant.llm.prompt import answer_tokens
from assistant.verification.evidence import TextMatcher, grounds_of
from assistant.verification.judgement import Judgement, Judging
from assistant.verification.proof import Proof
from index.search.passage import Passage
from ingest.document import Language

_MOST_FAILURES = 2  # in a row


@dataclass(frozen=True, slots=True)
class Judged:
    """A draft after it was judged.

    Attributes:
        proofs: of all its statements.
        cost: of the request, None if there was none.
        used: whether the judgements were of use.
    """

    proofs: Sequence[Proof]
    cost: JudgingCost | None = None
    used: bool = False


@dataclass
class Judge:
    """Judges statements with one language model.

    Attributes:
        model: the model.
        count_tokens: counts the tokens of a text.
        failures: replies in a row that were of no use.
        judged: replies that were of use.
    """

    model: LanguageModel
    count_tokens: Callable[[str], int]
    failures: int = 0
    judged: int = 0
    _schema: bool = True

    @property
    def weak(self) -> bool:
        """Whether the model has shown that it cannot judge, and is not asked any more."""
        return self.failures >= _MOST_FAILURES

    def judge(
        self,
        proofs: Sequence[Proof],
        passages: Sequence[Passage],
        reading: TextMatcher,
        language: Language,
        question: str,
    ) -> Generator[Judged | None, None, None]:
        """Judge the statements that are open. Closing the iterator cancels the request.

        Args:
            proofs: of the statements of a draft, in order.
            passages: that its marks refer to, numbered from 1.
            reading: matcher for words and names.
            language: language of the draft.
            question: standalone question that it answers.

        Yields:
            None for each piece of the reply, then the proofs with what the judgements made of them.

        Raises:
            LanguageModelError: the model does not answer.
        """
        places = asked_places(proofs, self.model.context)
        if self.weak or not places or not passages:
            yield Judged(proofs)
            return
        sentences = [proofs[place].statement for place in places]
        numbers = chosen_passages(
            sentences, passages, language, context=self.model.context, count_tokens=self.count_tokens
        )
        messages = judge_prompt(question, sentences, passages, numbers, language)
        start = time.perf_counter()
        reply, calls = yield from self._reply(messages)
        read = sum(self.count_tokens(message["content"]) for message in messages)
        seconds = time.perf_counter() - start
        cost = JudgingCost(calls, len(places), read, self.count_tokens(reply), round(seconds, 4))
        judging = Judging([grounds_of(passage) for passage in passages], reading, language, question)
        judgements = read_judgements(reply, len(places))
        if judgements is None or _invented(judgements, judging):
            self.failures += 1
            yield Judged(proofs, cost)
            return
        self.failures, self.judged = 0, self.judged + 1
        out = list(proofs)
        for number, place in enumerate(places, 1):
            out[place] = judging.decided(proofs[place], judgements.get(number, ()))
        yield Judged(out, cost, used=True)

    def _reply(self, messages: Sequence[ChatMessage]) -> Generator[None, None, tuple[str, int]]:
        """Return the text of a reply and the number of requests; ask without a schema where it is refused."""
        calls = 0
        for schema in (SCHEMA, None) if self._schema else (None,):
            calls += 1
            pieces = self.model.stream(messages, answer_tokens(self.model.context), schema=schema)
            text = ""
            try:
                for piece in pieces:
                    text += piece
                    yield
            except RefusedError:
                if schema is None:
                    raise
                self._schema = False
                continue
            except CutShortError:  # too long to be of that form
                pass
            finally:
                pieces.close()  # type: ignore[attr-defined]  # a generator
            return text, calls
        raise AssertionError("the last request returns or raises")


def asked_places(proofs: Sequence[Proof], context: int) -> list[int]:
    """Return the places of the statements that are judged, in order.

    Where there are more than one reply has room for, those that are not proved come first.

    Args:
        proofs: of the statements of a draft, in order.
        context: size of the model's context in tokens.
    """
    found = [place for place, proof in enumerate(proofs) if not proof.exact]
    found.sort(key=lambda place: proofs[place].holds)
    return sorted(found[: most_sentences(context)])


def _invented(judgements: Mapping[int, Sequence[Judgement]], judging: Judging) -> bool:
    """Check whether more than half of the quotes do not occur in the passages."""
    quoting = [each for some in judgements.values() for each in some if each.verdict != "absent"]
    return 2 * sum(bool(judging.quoted(each)) for each in quoting) < len(quoting)
