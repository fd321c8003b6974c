"""Running the checks related to an answer: `ask(..., check=True)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.answer import Answer
from assistant.answer_checks.offers import Offer, offers
from assistant.answer_checks.proposal import proposed
from assistant.assistant import Assistant
from assistant.checks.trial import isolation_for, try_check
from assistant.text.messages import MODEL_PROPOSED_NONE
from ingest.errors import LanguageModelError, TorchnotesError


def checked(answer: Answer, assistant: Assistant, *, use_model: bool = True, weaker: bool = False) -> Answer:
    """Run the checks related to an answer and attach their verdicts.

    If the language model fails to propose checks, the answer is kept and gets a notice.

    Args:
        answer: an answer of `assistant`.
        assistant: provides feature histories and the language model.
        use_model: let the model propose checks if no cited section has one.
        weaker: run checks even if isolation is weaker than it could be.

    Returns:
        The answer with verdicts.

    Raises:
        TorchnotesError: isolation is weaker here and `weaker` is False.
    """
    try:
        found = called_for(answer, assistant, use_model=use_model)
    except LanguageModelError as error:
        failed = MODEL_PROPOSED_NONE[answer.language].format(reason=error)
        return replace(answer, notices=(*answer.notices, failed))
    return with_verdicts(answer, found, weaker=weaker)


def called_for(answer: Answer, assistant: Assistant, *, use_model: bool = True) -> tuple[Offer, ...]:
    """Return the checks of the sections that an answer cites, or else those that the model proposes.

    For an answer that declines there are none: readers can choose among the nearest sections themselves.

    Args:
        answer: an answer of `assistant`.
        assistant: provides feature histories and the language model.
        use_model: let the model propose checks if no cited section has one.

    Raises:
        LanguageModelError: the model was asked and did not answer.
    """
    if answer.abstained:
        return ()
    found = offers(answer, assistant.histories)
    if found or not (use_model and assistant.model):
        return found
    return proposed(assistant.model, answer.standalone, answer.releases)


def with_verdicts(
    answer: Answer,
    found: Sequence[Offer],
    *,
    weaker: bool = False,
) -> Answer:
    """Run checks on this machine one after the other and attach their verdicts.

    Args:
        answer: the answer.
        found: checks to run; the caller must have asked for consent.
        weaker: run them even if isolation is weaker than it could be.

    Raises:
        TorchnotesError: isolation is weaker here and `weaker` is False.
    """
    if not found:
        return answer
    isolation = isolation_for([offer.check for offer in found])
    if isolation.weaker and not weaker:
        raise TorchnotesError(
            f"isolation is weaker here ({isolation.name}): {'; '.join(isolation.not_held())}. "
            "Give allow_weaker=True to run checks all the same, or install bubblewrap"
        )
    return replace(answer, verdicts=tuple(try_check(offer.check, isolation=isolation) for offer in found))
