"""Formatting of `torchnotes model` for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ui.shared.console import one_line, plural

if TYPE_CHECKING:
    from pathlib import Path

    from assistant.evaluation.model_trial import Outcomes, Trial, TrialSummary
    from assistant.llm.catalogue import CatalogueModel
    from assistant.llm.discovery import FoundServer
    from assistant.settings import Settings

_MOST = 12  # models of a server that are listed
_WORKS = {True: "works", False: "does not work"}
_JUDGES = {True: "works", False: "does not work, and is left out", None: "not tried"}


def in_use(settings: Settings, origin: str) -> str:
    """Say which language model is in use, and what chose it.

    Args:
        settings: settings with the model.
        origin: what names the model, "" for nothing.
    """
    if settings.llm_file:
        return f"in use: {one_line(str(settings.llm_file))}, in this process ({origin})"
    if settings.llm_url:
        name = settings.llm_model or "its only model"
        return f"in use: {one_line(name)} at {one_line(settings.llm_url)} ({origin})"
    off = f" (switched off by the {origin})" if origin else ""
    return f"no language model in use{off}: answers are sentences of the notes"


def listing(servers: Sequence[FoundServer], local: Sequence[CatalogueModel], home: Path) -> str:
    """List the models on this machine.

    Args:
        servers: servers found.
        local: models downloaded.
        home: data folder.
    """
    lines = []
    for server in servers:
        lines.append(click.style(f"{server.name} at {server.url}", bold=True))
        lines += [f"  {name}" for name in server.models[:_MOST]] or ["  no model: load one there"]
        if len(server.models) > _MOST:
            lines.append(f"  and {len(server.models) - _MOST} more (--json lists all)")
    if local:
        lines.append(click.style("downloaded, for this process", bold=True))
        lines += [f"  {model.name}  {model.shown_size}  {one_line(str(model.path(home)))}" for model in local]
    return "\n".join(lines)


def offer(model: CatalogueModel) -> str:
    """Describe a model of the catalogue.

    Args:
        model: the model.
    """
    return f"  {model.name:<15} {model.shown_size:>7}  {model.licence}  {model.title}; {model.about}"


def trial_text(trial: Trial) -> str:
    """Describe what became of one question.

    Args:
        trial: the trial.
    """
    lines = [click.style(one_line(trial.question), bold=True)]
    if trial.written:
        lines.append(f"  {outcome_text(trial.outcomes)}")
        lines.append(f"  first sentence after {trial.first:.1f} s, all after {trial.seconds:.1f} s")
    else:
        lines.append(f"  its draft is not shown, {outcome_text(trial.outcomes)}; {trial.seconds:.1f} s")
    lines += [click.style(f"  {one_line(notice)}", italic=True) for notice in trial.notices]
    return "\n".join(lines)


def summary_text(summary: TrialSummary) -> str:
    """Describe what a language model can do.

    Args:
        summary: the summary of its trials.
    """
    speed = summary.speed
    return "\n".join(
        [
            f"all sentences      {outcome_text(summary.outcomes)}",
            f"speed              {speed.rate:.0f} tokens per second, the first after {speed.first:.1f} s",
            f"structured output  {_WORKS[summary.structured_output]}",
            f"tool calls         {_WORKS[summary.tool_calls]}",
            f"judging itself     {_JUDGES[summary.judges]}",
        ]
    )


def outcome_text(outcomes: Outcomes) -> str:
    """Count sentences by outcome in words.

    Args:
        outcomes: the outcomes.
    """
    total = outcomes.proved + outcomes.unconfirmed + outcomes.contradicted
    return (
        f"{plural(total, 'sentence')}: {outcomes.proved} proved, {outcomes.unconfirmed} not confirmed, "
        f"{outcomes.contradicted} contradicted"
    )
