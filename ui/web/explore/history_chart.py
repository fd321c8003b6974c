"""The history of features as a chart: one row per feature, one column per release, one mark per step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

import altair as alt

from assistant.timeline.builder import STEPS
from assistant.timeline.model import FeatureHistory, status_words
from ingest.document import Language
from ingest.release import Release
from ui.web.explore.explore_labels import ASK_LIFE, CHART, DATE, NOTES_SAY, RELEASE, STATUS_THEN
from ui.web.explore.features import said, told
from ui.web.explore.status_marks import colour, shape

_ROW = 38  # pixels
_NAME, _MARK = 0.3, 0.72  # vertical positions in a row
_BESIDE = 0.36  # distance between steps of one release, in columns
_WORDS = 330  # maximum width of a name in pixels
_TEXT, _QUIET, _LINE = (
    "var(--body-text-color)",
    "var(--body-text-color-subdued)",
    "var(--border-color-primary)",
)
#: The Vega-Lite version in gradio's page; with Altair's default the page would log warnings.
_DIALECT = "https://vega.github.io/schema/vega-lite/v5.json"
#: Options of vega-embed: SVG, so that colours come from the style sheet, light or dark; no menu, which has
#: external links; and expressions are interpreted rather than compiled to code.
_EMBED = {"embedOptions": {"renderer": "svg", "actions": False, "ast": True}}


def history_chart(
    features: Sequence[FeatureHistory], releases: Sequence[Release], language: Language
) -> alt.LayerChart:
    """Create the chart.

    Args:
        features: features in the order of the rows, at least one.
        releases: releases of the columns, oldest first; must include those of the features.
        language: language of names and labels.
    """
    marks = alt.InlineData(values=list(_marks(features, releases, language)))
    rows = alt.InlineData(values=list(_rows(features, releases, language)))
    across = alt.Scale(domain=[-0.5, len(releases) - 0.5], nice=False)
    down = alt.Scale(domain=[len(features), 0], nice=False)
    x = alt.X("x:Q", scale=across, axis=_columns(releases))
    y, name_y = (alt.Y(f"{field}:Q", scale=down, axis=_lines(len(features))) for field in ("y", "name_y"))
    line = alt.Chart(rows).mark_rule(stroke=_QUIET, strokeWidth=1.5).encode(x=x, x2="x2:Q", y=y)
    name = (
        alt.Chart(rows)
        .mark_text(
            align="left", baseline="middle", dx=4, fill=_TEXT, fontSize=12, limit=_WORDS, cursor="pointer"
        )
        .encode(x=alt.value(0), y=name_y, text="name:N", href="href:N", description="name:N")
    )
    point = (
        alt.Chart(marks)
        .mark_point(filled=True, size=110, opacity=1, strokeWidth=1.5, cursor="pointer")
        .encode(
            x=x,
            y=y,
            shape=alt.Shape("status:N", scale=_scale([shape(s) for s in STEPS]), legend=None),
            fill=alt.Fill("status:N", scale=_scale([colour(s) for s in STEPS]), legend=None),
            stroke=alt.Stroke("status:N", scale=_scale([colour(s) for s in STEPS]), legend=None),
            fillOpacity=alt.condition("datum.whole", alt.value(1), alt.value(0)),
            href="href:N",
            description="description:N",
            tooltip=[
                alt.Tooltip("name:N", title="title"),  # the tooltip's heading
                alt.Tooltip("release:N", title=RELEASE[language]),
                alt.Tooltip("date:N", title=DATE[language]),
                alt.Tooltip("words:N", title=STATUS_THEN[language]),
                alt.Tooltip("said:N", title=NOTES_SAY[language]),
            ],
        )
    )
    chart: alt.LayerChart = (
        alt.layer(line, name, point)
        .properties(
            width="container",
            height=_ROW * len(features),
            background="transparent",
            description=CHART[language].format(count=len(features)),
            usermeta=_EMBED,
            **{"$schema": _DIALECT},
        )
        .configure(font="system-ui, sans-serif", padding=2, view=alt.ViewConfig(stroke=None))
    )
    return chart


def ask(question: str) -> str:
    """Return a link within the page that asks a question in the chat.

    Args:
        question: the question.
    """
    return f"#ask={quote(question, safe='')}"


def _marks(
    features: Sequence[FeatureHistory], releases: Sequence[Release], language: Language
) -> Iterator[dict[str, Any]]:
    """Yield the data of each step."""
    columns = {release: number for number, release in enumerate(releases)}
    for row, feature in enumerate(features):
        name = feature.names[language]
        together = Counter(step.release for step in feature.life)
        drawn: Counter[Release] = Counter()
        for step in feature.life:
            aside = drawn[step.release] - (together[step.release] - 1) / 2
            drawn[step.release] += 1
            words = status_words(step, language)
            yield {
                "x": columns[step.release] + aside * _BESIDE,
                "y": row + _MARK,
                "name": name,
                "release": f"PyTorch {step.release}",
                "date": str(step.date) if step.date else "–",
                "status": step.status,
                "whole": step.whole,
                "words": words,
                "said": said(told(step, language)),
                "description": f"{name}: PyTorch {step.release}, {words}",
                "href": ask(ASK_LIFE[language].format(name=name)),
            }


def _rows(
    features: Sequence[FeatureHistory], releases: Sequence[Release], language: Language
) -> Iterator[dict[str, Any]]:
    """Yield the data of each feature: its name, and the line from its first to its last step."""
    for row, feature in enumerate(features):
        name = feature.names[language]
        yield {
            "x": releases.index(feature.life[0].release),
            "x2": releases.index(feature.life[-1].release),
            "y": row + _MARK,
            "name_y": row + _NAME,
            "name": name,
            "href": ask(ASK_LIFE[language].format(name=name)),
        }


def _scale(range_: list[str]) -> alt.Scale:
    return alt.Scale(domain=list(STEPS), range=range_)


def _columns(releases: Sequence[Release]) -> alt.Axis:
    """Return the axis of releases above the rows."""
    names = ", ".join(f"'{release}'" for release in releases)
    return alt.Axis(
        values=list(range(len(releases))),
        labelExpr=f"[{names}][datum.value]",
        labelOverlap="parity",
        labelColor=_TEXT,
        labelFontSize=12,
        gridColor=_LINE,
        gridOpacity=0.5,
        orient="top",
        title=None,
        ticks=False,
        domain=False,
    )


def _lines(count: int) -> alt.Axis:
    """Return the axis with lines between the rows."""
    return alt.Axis(
        values=list(range(count + 1)), gridColor=_LINE, labels=False, ticks=False, domain=False, title=None
    )
