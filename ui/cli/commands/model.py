"""`torchnotes model`: find, choose, try and download a language model."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ui.shared.console import json_text, one_line

if TYPE_CHECKING:
    from pathlib import Path

    from assistant.configuration.model_choice import ModelChoice
    from assistant.llm.catalogue import CatalogueModel
    from assistant.llm.client import LanguageModel

_json = click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")


@click.group(invoke_without_command=True)
@_json
@click.pass_context
def model(ctx: click.Context, as_json: bool) -> None:
    """List the language models on this machine, and choose one.

    Without a command, servers on this machine are looked for at the usual ports of Ollama, LM Studio,
    llama.cpp and vLLM; nothing leaves the machine.
    """
    if ctx.invoked_subcommand is not None:
        if as_json:
            raise click.UsageError(f"give --json after `{ctx.invoked_subcommand}`")
        return
    from assistant.llm.catalogue import catalogue, downloaded
    from assistant.llm.discovery import find_servers
    from assistant.settings import load_settings, model_origin
    from ui.cli.text.model import in_use, listing, offer

    settings, origin = load_settings(), model_origin()
    servers, local = find_servers(), downloaded(settings.home)
    if as_json:
        used = {"url": settings.llm_url, "model": settings.llm_model, "file": str(settings.llm_file or "")}
        used["from"] = origin
        found = [server.to_dict() for server in servers]
        files = [each.to_dict(settings.home) for each in catalogue().values()]
        click.echo(json_text({"in_use": used, "servers": found, "catalogue": files}))
        return
    click.echo(in_use(settings, origin))
    if servers or local:
        click.echo(f"\n{listing(servers, local, settings.home)}\n\ntype `torchnotes model use NAME`")
    else:
        offers = "\n".join(map(offer, catalogue().values()))
        click.echo(
            "\nno server of Ollama, LM Studio, llama.cpp or vLLM answers on this machine; start one, type\n"
            "`torchnotes model use URL` for another, or `torchnotes model get NAME` for one in this process:"
            f"\n{offers}"
        )


@model.command()
@click.argument("target", metavar="NAME|URL|FILE")
@click.option("--model", "-m", "name", default="", metavar="NAME", help="Its name on the server.")
@click.option(
    "--context",
    type=click.IntRange(1024),
    metavar="TOKENS",
    help="How much it reads and writes at once; TORCHNOTES_LLM_CONTEXT or 4096 otherwise.",
)
@click.option("--tools", is_flag=True, help="Let it look things up by calling functions before it writes.")
@_json
def use(target: str, name: str, context: int | None, tools: bool, as_json: bool) -> None:
    """Choose the model that answers from now on: by its name, its server's URL, or a GGUF file.

    It is asked for a word first. A key comes from TORCHNOTES_LLM_API_KEY and is not stored.
    """
    from dataclasses import replace

    from assistant.llm.discovery import find_servers
    from assistant.llm.lookup import look_up
    from assistant.settings import data_folder

    home = data_folder()
    choice = replace(look_up(target, name, home, find_servers), llm_context=context or 0, llm_tools=tools)
    _choose(choice, home, as_json=as_json)


@model.command()
@_json
def off(as_json: bool) -> None:
    """Forget the chosen model: answers are the notes' own sentences again."""
    from assistant.configuration.model_choice import drop_choice
    from assistant.settings import data_folder, model_origin

    dropped, origin = drop_choice(data_folder()), model_origin()
    if as_json:
        click.echo(json_text({"dropped": dropped, "named_by": origin}))
        return
    click.echo("the chosen model is forgotten" if dropped else "no model was chosen")
    _warn_of(origin, "still names a model")


@model.command()
@_json
def test(as_json: bool) -> None:
    """Try the model in use: three questions, what of its answers is proved, its speed, what it can do."""
    from dataclasses import asdict

    from assistant.evaluation.model_trial import Trial, run_trials, summary
    from ingest.errors import TorchnotesError
    from ui.cli.opening import open_factory
    from ui.cli.progress import BuildProgressLine
    from ui.cli.text.model import summary_text, trial_text

    factory = open_factory()
    language_model = factory.model
    if language_model is None:
        raise TorchnotesError("no language model is in use; type `torchnotes model` to see which there are")
    language_model.ping()
    with BuildProgressLine() as progress:
        assistant = factory.assistant(progress)
    trials: list[Trial] = []
    if not as_json:
        click.echo(f"{_named(language_model)}\n")
    for trial in run_trials(assistant.stream):
        trials.append(trial)
        if not as_json:
            click.echo(f"{trial_text(trial)}\n")
    writer = assistant.writer
    result = summary(language_model, trials, writer.judge if writer else None)
    if as_json:
        told = {"model": language_model.name, "url": language_model.url}
        click.echo(json_text({**told, "trials": [asdict(trial) for trial in trials], **result.to_dict()}))
    else:
        click.echo(summary_text(result))


@model.command()
@click.argument("name", default="")
@click.option("--yes", "-y", is_flag=True, help="Download without asking.")
@_json
def get(name: str, yes: bool, as_json: bool) -> None:
    """Download NAME, a model with open weights, and use it in this process; without NAME list what there is.

    It comes from the Hugging Face hub, or from the mirror that HF_ENDPOINT names. Licence and size are shown
    first. An interrupted download goes on where it ended.
    """
    from assistant.configuration.model_choice import ModelChoice
    from assistant.llm.catalogue import catalogue
    from assistant.llm.download import download
    from assistant.settings import data_folder
    from ingest.errors import TorchnotesError
    from ui.cli.progress import BuildProgressLine
    from ui.cli.text.model import offer

    home, models = data_folder(), catalogue()
    if not name:
        if as_json:
            click.echo(json_text([each.to_dict(home) for each in models.values()]))
        else:
            offers = "\n".join(map(offer, models.values()))
            click.echo(f"{offers}\n\ntype `torchnotes model get NAME`")
        return
    if name not in models:
        raise TorchnotesError(f"there is no model {name!r} to download; there are {', '.join(models)}")
    _check_binding()
    wanted = models[name]
    if not wanted.path(home).is_file() and not _agreed(wanted, home, yes=yes):
        return
    with BuildProgressLine() as progress:
        path = download(wanted, home, progress)
    _choose(ModelChoice(llm_file=str(path)), home, as_json=as_json)


def _agreed(wanted: CatalogueModel, home: Path, *, yes: bool) -> bool:
    """Show licence, size and source of a model, and ask whether to download it."""
    from ingest.errors import TorchnotesError

    click.echo(
        f"{wanted.title}\n  licence  {wanted.licence}\n  size     {wanted.shown_size}\n"
        f"  from     {wanted.repository}, {wanted.file}\n  to       {one_line(str(wanted.path(home)))}",
        err=True,
    )
    if yes:
        return True
    if not sys.stdin.isatty():
        raise TorchnotesError("nobody can be asked here whether to download it; add --yes")
    return click.confirm("Download it?", err=True)


def _check_binding() -> None:
    """Check that what runs a model in this process is installed, before gigabytes are downloaded."""
    from importlib.util import find_spec

    from assistant.llm.local import INSTALL
    from ingest.errors import TorchnotesError

    missing = [package for package in ("openai", "xllamacpp") if find_spec(package) is None]
    if missing:
        raise TorchnotesError(
            f"a model in this process needs {' and '.join(missing)}, not installed; type `{INSTALL}`"
        )


def _choose(choice: ModelChoice, home: Path, *, as_json: bool) -> None:
    """Check that a model answers, store the choice, and say so."""
    from dataclasses import asdict

    from assistant.configuration.model_choice import store_choice
    from assistant.factory import AssistantFactory
    from assistant.llm.capabilities import tool_calls
    from assistant.settings import load_settings, model_origin
    from ingest.errors import TorchnotesError

    chosen = AssistantFactory(load_settings(**choice.settings())).model
    assert chosen is not None, "a choice names a URL or a file"
    chosen.ping()
    if choice.llm_tools and not tool_calls(chosen):
        raise TorchnotesError(
            f"{_named(chosen)} does not call functions; type the same command without --tools"
        )
    store_choice(home, choice)
    if as_json:
        click.echo(json_text(asdict(choice)))
    else:
        click.echo(f"{_named(chosen)} answers from now on; `torchnotes model test` tries it")
    _warn_of(model_origin(), "names another model and comes first")


def _named(language_model: LanguageModel) -> str:
    return f"{one_line(language_model.name)} at {one_line(language_model.url)}"


def _warn_of(origin: str, what: str) -> None:
    """Warn if the stored choice is not what decides."""
    if origin not in ("", "stored choice"):
        click.echo(f"the {origin} {what} (TORCHNOTES_LLM_URL or TORCHNOTES_LLM_FILE)", err=True)
