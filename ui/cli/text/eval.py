"""Formatting of evaluation results: a table of metrics, and details of each miss."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

import click

from assistant.evaluation.gold import Alternatives, GoldEvidence
from assistant.evaluation.metrics import Figures, Report
from assistant.evaluation.scoring import READ, TOP, EvidenceRank, Score
from index.search.passage import Passage
from ui.shared.console import one_line, plural
from ui.shared.sources import heading_path, source_name

_COLUMNS = ("right", f"recall@{TOP}", "MRR", "facts", "cited", "language", "lead", "declined")
_NAME = 14  # minimum width of a row's name
_LABEL = 11


def to_text(report: Report, scores: Sequence[Score], *, misses: bool) -> str:
    """Format a report for a terminal.

    Args:
        report: the metrics.
        scores: score of each question.
        misses: include details of each miss.
    """
    parts = [_table(report), "\n".join(_summary(report))]
    missed = [score for score in scores if score.faults]
    if misses and missed:
        parts.append(click.style("Misses", bold=True))
        parts += ["\n".join(_miss(score)) for score in missed]
    return "\n\n".join(parts)


def to_json(report: Report, scores: Sequence[Score], *, misses: bool) -> dict[str, Any]:
    """Return a JSON-serialisable report.

    Args:
        report: the metrics.
        scores: score of each question.
        misses: include details of each miss.
    """
    told = {**report.to_dict(), "rows": [score.to_dict() for score in scores]}
    if misses:
        told["misses"] = [_detail(score) for score in scores if score.faults]
    return told


def _table(report: Report) -> str:
    parts = [("all", report.total), *report.by_language.items(), *report.by_kind.items()]
    rows = [(one_line(name), figures) for name, figures in parts]
    width = max(_NAME, *(_columns(name) for name, _ in rows))
    head = f"{'':{width}}{'n':>6}" + "".join(f"{name:>10}" for name in _COLUMNS)
    return "\n".join([click.style(head, bold=True), *(_row(name, width, figures) for name, figures in rows)])


def _row(name: str, width: int, figures: Figures) -> str:
    f = figures
    means = (f.right, f.recall, f.rr, f.facts, f.cited, f.language, f.lead, f.declined)
    shown = (f"{'-' if mean is None else f'{mean:.3f}':>10}" for mean in means)
    return f"{name}{' ' * (width - _columns(name))}{figures.count:>6}{''.join(shown)}"


def _columns(text: str) -> int:
    """Return the width of a text on a terminal; Chinese characters take two columns."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _summary(report: Report) -> Iterator[str]:
    yield f"{report.total.right_count} of {plural(report.total.count, 'question')} answered right"
    counts = [
        f"{part} of {whole} that {words}"
        for words, (part, whole) in (
            ("the notes answer", report.declined[True]),
            ("are to be declined", report.declined[False]),
        )
        if whole
    ]
    yield f"declined: {', '.join(counts)}"
    yield f"time: median {_time(report.median_seconds)}, 95% within {_time(report.late_seconds)}"
    if report.median_characters is not None:
        yield f"length: median {report.median_characters:.0f} characters"


def _time(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _miss(score: Score) -> Iterator[str]:
    question = score.question
    head = f"{question.id} · {question.language} · {question.kind} · {question.place}"
    yield click.style(one_line(head), bold=True)
    for earlier in question.history:
        yield _line("before", earlier)
    yield _line("question", question.text)
    yield _line("why", "; ".join(score.faults) + (" (counted as right)" if score.right else ""))
    for evidence, found in zip(question.evidence, score.found, strict=True):
        yield _line("evidence", f"{_wanted(evidence)}: {_fate(found)}")
    for fact in question.facts:
        yield _line("fact", f"{_either(fact)}: {_told(fact, score)}")
    for text in score.forbidden:
        yield _line("forbidden", f"{_quoted(text)}: said")
    if not score.answer.passages:
        yield _line("retrieved", "nothing")
    for place, passage in enumerate(score.answer.passages[:TOP], 1):
        yield _line("" if place > 1 else "retrieved", f"{place}. {_place(passage)}")


def _line(label: str, text: str) -> str:
    return f"  {label:<{_LABEL}}{one_line(text)}"


def _wanted(evidence: GoldEvidence) -> str:
    keys = [f"({_either(key)})" if len(key) > 1 else _either(key) for key in evidence.keys]
    return f"{evidence.release} with {' + '.join(keys)}"


def _either(texts: Alternatives) -> str:
    return " | ".join(map(_quoted, texts))


def _quoted(text: str) -> str:
    return f'"{text}"'


def _fate(found: EvidenceRank) -> str:
    retrieved = f"retrieved at {found.rank}" if found.rank else "not retrieved"
    return f"{retrieved}, {'cited' if found.cited else 'not cited'}"


def _told(fact: Alternatives, score: Score) -> str:
    if fact in score.late:
        return f"said after the first {READ[score.question.language]:,} characters"
    return "missing" if fact in score.missing else "said"


def _place(passage: Passage) -> str:
    return " · ".join(filter(None, (source_name(passage), " > ".join(heading_path(passage)))))


def _detail(score: Score) -> dict[str, Any]:
    question = score.question
    return {
        "id": question.id,
        "place": question.place,
        "question": question.text,
        "history": list(question.history),
        "faults": list(score.faults),
        "evidence": [
            {
                "version": str(evidence.release),
                "keys": [list(key) for key in evidence.keys],
                "rank": found.rank,
                "cited": found.cited,
            }
            for evidence, found in zip(question.evidence, score.found, strict=True)
        ],
        "missing_facts": [list(fact) for fact in score.missing],
        "forbidden": list(score.forbidden),
        "answer": score.answer.text,
        "retrieved": [
            {"release": p.version, "title": p.title, "heading": p.heading, "url": p.url}
            for p in score.answer.passages[:TOP]
        ],
    }
