"""A follow-up, rewritten as a standalone question by a language model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.answer import ModelError
from assistant.answering.plan import AnswerPlan, AskRequest, StageTimer
from assistant.query.question_language import question_language
from assistant.text.messages import MODEL_FAILED
from ingest.document import Language
from ingest.errors import LanguageModelError

if TYPE_CHECKING:  # imported late, to keep questions fast without a language model
    from assistant.llm.client import LanguageModel


def rewritten(
    request: AskRequest, model: LanguageModel | None, watch: StageTimer
) -> tuple[str, tuple[ModelError, ...]]:
    """Rewrite the question of a request, if it has a history and there is a model.

    Args:
        request: validated arguments.
        model: the language model, or None.
        watch: timer of the stages.

    Returns:
        The standalone question, "" for none; and the error of the model, if it failed.
    """
    if not request.history or model is None:
        return "", ()
    from assistant.llm.query_rewriter import rewrite

    try:
        with watch("rewrite"):
            alone = rewrite(model, request.question, request.history, question_language(request.question))
    except LanguageModelError as error:
        return "", (ModelError("rewrite", str(error)),)
    return alone, ()


def without_model(found: AnswerPlan, errors: tuple[ModelError, ...], language: Language) -> AnswerPlan:
    """Return the plan for answering with quotes if the model has failed, with a notice that says so.

    Args:
        found: plan of the answer.
        errors: those of the model; the plan is unchanged if there are none.
        language: language of the answer.
    """
    if not errors:
        return found
    told = (MODEL_FAILED[language].format(reason=error.reason) for error in errors)
    return replace(found, notices=(*told, *found.notices), view=None, model_errors=errors)
