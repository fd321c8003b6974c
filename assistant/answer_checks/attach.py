"""An answer with the verdicts of the checks that it calls for: what `ask(..., check=True)` returns."""

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
    """Run the checks that an answer calls for and attach their verdicts.

    A model that fails to propose a check takes nothing from the answer: one of its notices tells of it.

    Args:
        answer: from that assistant.
        assistant: has the features of the index, and the language model.
        use_model: let the model propose checks where no section that is cited has one.
        weaker: run checks also where their isolation is weaker than it can be.

    Returns:
        The answer with its verdicts.

    Raises:
        TorchnotesError: isolation is weaker here, and that was not allowed.
    """
    try:
        found = called_for(answer, assistant, use_model=use_model)
    except LanguageModelError as error:
        failed = MODEL_PROPOSED_NONE[answer.language].format(reason=error)
        return replace(answer, notices=(*answer.notices, failed))
    return with_verdicts(answer, found, weaker=weaker)


def called_for(answer: Answer, assistant: Assistant, *, use_model: bool = True) -> tuple[Offer, ...]:
    """The checks of the sections that an answer cites; where there are none, those that the model proposes.

    None for a declined question: those near it are for a reader to choose from.

    Raises:
        LanguageModelError: the model was asked and does not answer.
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
    """Run checks on this machine, one after the other, and attach what came of them.

    Args:
        answer: that calls for them.
        found: those to run; the caller has asked the user.
        weaker: run them also where their isolation is weaker than it can be.

    Raises:
        TorchnotesError: isolation is weaker here, and that was not allowed.
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
