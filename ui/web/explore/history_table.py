"""The legend, summary and table for the chart of features."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from assistant.text.messages import STATUS_NAMES
from assistant.timeline.builder import STEPS
from assistant.timeline.model import FeatureHistory, TimelineStep, status_words
from ingest.document import Language
from ui.shared.labels import READ_ORIGINAL
from ui.web.components.links import link
from ui.web.components.safe import safe
from ui.web.explore import explore_labels as words
from ui.web.explore.features import MAX_QUERY, Choice, Chosen, said, told
from ui.web.explore.history_chart import ask
from ui.web.explore.status_marks import mark

_NAMED = 3  # maximum number of features named that lack a status


def legend(features: Sequence[FeatureHistory], language: Language) -> str:
    """Format the legend of the marks used by some features.

    Args:
        features: features of the chart.
        language: language of the text.
    """
    steps = [step for feature in features for step in feature.life]
    had = {step.status for step in steps}
    items = [f"<li>{mark(s)}{escape(STATUS_NAMES[language][s])}</li>" for s in STEPS if s in had]
    if not all(step.whole for step in steps):
        items.append(f"<li>{mark('stable', hollow=True)}{words.PART[language]}</li>")
    return f'<ul class="tn-legend">{"".join(items)}</ul>' if items else ""


def summary(choice: Choice, chosen: Chosen, known: int, shown: int, language: Language) -> str:
    """Format the number of matching features or, if there are none, the reason.

    Args:
        choice: the selection.
        chosen: the matching features.
        known: number of all features.
        shown: number of features shown.
        language: language of the text.
    """
    query = choice.query.strip()[:MAX_QUERY]
    status = STATUS_NAMES[language][choice.status]
    if not chosen.features:
        return _paragraph(_none(query, status, chosen, known, language))
    if query:
        text = words.COUNT_FOUND[language].format(query=query, count=len(chosen.features))
    else:
        count = words.COUNT_CHANGED if choice.changed else words.COUNT_ALL
        text = count[language].format(count=len(chosen.features), all=known)
    if status:
        text += words.COUNT_STATUS[language].format(status=status)
    if shown < len(chosen.features):
        text += words.COUNT_SHOWN[language].format(shown=shown)
    return _paragraph(text + {"zh": "。", "en": "."}[language])


def history_table(features: Sequence[FeatureHistory], language: Language) -> str:
    """Format the features with their steps as a collapsed table.

    Args:
        features: features to show.
        language: language of the text.
    """
    if not features:
        return ""
    rows = "".join(_row(feature, language) for feature in features)
    head = "".join(f'<th scope="col">{text[language]}</th>' for text in (words.FEATURE, words.STEPS))
    return safe(
        f'<details class="tn-as-table"><summary>{words.AS_TABLE[language]}</summary>'
        f'<div class="tn-scroll" tabindex="0" role="region" aria-label="{words.HISTORY_HEAD[language]}">'
        f'<table class="tn-table tn-lives"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div></details>"
    )


def _none(query: str, status: str, chosen: Chosen, known: int, language: Language) -> str:
    def names(features: Sequence[FeatureHistory]) -> str:
        return {"zh": "、", "en": ", "}[language].join(feature.names[language] for feature in features)

    if not known:
        return words.NO_FEATURES[language]
    if not query:
        return words.NONE_CHANGED[language]
    if chosen.named:
        return words.NONE_WITH_STATUS[language].format(
            query=query, names=names(chosen.named[:_NAMED]), status=status
        )
    near = words.NEAR[language].format(names=names(chosen.near)) if chosen.near else ""
    return f"{words.NONE_NAMED[language].format(query=query)} {near}".strip()


def _paragraph(text: str) -> str:
    return f'<p class="tn-count" role="status">{escape(text)}</p>'


def _row(feature: FeatureHistory, language: Language) -> str:
    name = feature.names[language]
    steps = "".join(f"<li>{_step(name, step, language)}</li>" for step in feature.life)
    asked = _asking(words.ASK_LIFE[language].format(name=name), name)
    return f'<tr><th scope="row">{asked}</th><td><ol class="tn-steps">{steps}</ol></td></tr>'


def _step(name: str, step: TimelineStep, language: Language) -> str:
    source = told(step, language)
    release = f"PyTorch {step.release}"
    facts = [str(step.date) if step.date else "", status_words(step, language)]
    asked = _asking(words.ASK_STEP[language].format(name=name, release=step.release), release)
    return (
        f"{mark(step.status, hollow=not step.whole)}{asked} "
        f'<span class="tn-quiet">{escape(" · ".join(filter(None, facts)))}</span>'
        f'<p class="tn-said"><span lang="{source.document.language}">{escape(said(source))}</span> '
        f"{link(source.url, READ_ORIGINAL[language])}</p>"
    )


def _asking(question: str, text: str) -> str:
    return f'<a href="{ask(question)}" title="{escape(question)}">{escape(text)}</a>'
