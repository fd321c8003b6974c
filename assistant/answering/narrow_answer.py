"""Chooses the sentences that answer a question which asks for neither a list nor a history."""

from __future__ import annotations

from assistant.answering.announced import announced
from assistant.answering.caveat import with_caveat
from assistant.answering.lead import lead_first
from assistant.answering.plan import SearchView
from assistant.answering.remedy import with_remedy
from assistant.answering.selection import best_first, choose, distinct, without_summaries
from assistant.answering.verdict import with_verdict
from assistant.query.answer_type import lacks_device, lacks_exact
from assistant.query.question import Question
from assistant.retrieval.alignment import TranslationAligner, without_foreign
from assistant.retrieval.pick import Pick
from assistant.retrieval.usefulness import useful


def narrow_answer(
    asked: Question, view: SearchView, aligner: TranslationAligner, *, held: bool = True
) -> list[Pick]:
    """Choose the sentences, the one that decides first, with the verdict on a yes/no question.

    Args:
        asked: parsed question.
        view: what was found for it.
        aligner: finds sentences in the language of the question.
        held: whether a document is about a release asked for. Otherwise only what others announce about it is
            quoted.

    Returns:
        The picks; none if their sections have no value in the unit or for the device that is asked about.
    """
    search = view.search
    judged = useful(search.quotes, search.native, search.near, view.readings) if held else None
    quotes = search.quotes if judged is None else judged
    if not held:
        picks = announced(asked, search)
    else:
        picks = choose(asked, search.native, search.relevance, quotes, judged=judged is not None)
    native = [aligner.across(pick, asked.language) for pick in picks]
    kept = without_summaries(best_first(asked.intent, without_foreign(distinct(native), asked.language)))
    led = lead_first(asked, with_caveat(asked, kept), quotes)
    texts = [f"{pick.passage.heading}\n{pick.passage.text}" for pick in led]
    if lacks_exact(asked.clean, texts) or lacks_device(asked.clean, texts):
        return []
    told = with_remedy(asked, led, aligner.retriever.segmenter)
    return with_verdict(asked, told, view.readings) if held else told
