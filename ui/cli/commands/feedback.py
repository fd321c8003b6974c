"""`torchnotes feedback`: manage ratings of answers, and export them as questions for `torchnotes eval`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ui.cli.opening import open_factory
from ui.shared.console import json_text, one_line, plural, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assistant.feedback.export import GoldLine, Questions
    from assistant.feedback.store import Feedback, FeedbackStore

_QUESTION = 90  # characters of a question shown by `list`


@click.group()
def feedback() -> None:
    """What readers said of answers; it stays on this machine, and is yours to use or delete."""


@feedback.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print all that is kept of them, as JSON.")
def list_(as_json: bool) -> None:
    """List the ratings, the newest first."""
    store = _store()
    kept = store.all()
    if as_json:
        click.echo(json_text([{"id": each.id, **each.to_dict()} for each in kept]))
        return
    for each in kept:
        click.echo(_line(each))
    click.echo(f"{plural(len(kept), 'rating')} in {one_line(str(store.path))}", err=True)


@feedback.command()
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write them to this new file; to standard output otherwise.",
)
@click.option("--good", "which", flag_value="good", help="Of thumbs up only.")
@click.option("--bad", "which", flag_value="bad", help="Of thumbs down only.")
@click.option("--all", "which", flag_value="all", help="Of both, which is the default.")
@click.option(
    "--to-complete",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write those that a person must complete to this new file.",
)
def export(output: Path | None, which: str | None, to_complete: Path | None) -> None:
    """Make questions for `torchnotes eval` of the ratings, one JSON object a line.

    A good answer becomes a question whose evidence and facts are those of the answer. An answer that should
    have been declined, or was so rightly, becomes a question to be declined. Of other bad answers a person
    must tell what would have been right: --to-complete writes them with the answer in "note", and with what
    is to be done in "todo", which eval refuses until it is deleted. Of several ratings of one question the
    newest counts.
    """
    from ingest.errors import TorchnotesError

    for path in (output, to_complete):
        if path and path.exists():
            raise TorchnotesError(
                f"{path}: there is one already, which may hold your own work; give another name"
            )
    if output and to_complete and output.resolve() == to_complete.resolve():
        raise TorchnotesError(f"{output}: give --output and --to-complete a file each")
    made = _questions()
    scored, waiting = (_chosen(lines, which or "all") for lines in (made.scored, made.waiting))
    if output and scored:
        _write(output, scored)
    elif not output:
        for line in scored:
            click.echo(_dumped(line))
    if to_complete and waiting:
        _write(to_complete, waiting)
    _tell(scored, waiting, output, to_complete)
    if made.repeated:
        click.echo(f"{plural(made.repeated, 'earlier rating')} of the same questions left out", err=True)


@feedback.command()
@click.argument("ids", nargs=-1, required=True, type=int, metavar="ID...")
def delete(ids: tuple[int, ...]) -> None:
    """Delete ratings, by the ids that `torchnotes feedback list` shows."""
    from ingest.errors import TorchnotesError

    store = _store()
    held = {each.id for each in store.all()}
    for number in ids:
        if number not in held:
            raise TorchnotesError(
                f"there is no rating {number}; `torchnotes feedback list` shows which there are"
            )
    deleted = [number for number in dict.fromkeys(ids) if store.delete(number)]
    click.echo(f"deleted {plural(len(deleted), 'rating')}")


@feedback.command()
@click.option("--yes", is_flag=True, help="Yes, all of them.")
def clear(yes: bool) -> None:
    """Delete all ratings."""
    from ingest.errors import TorchnotesError

    store = _store()
    if not yes:
        count = plural(len(store.all()), "rating")
        raise TorchnotesError(f"this deletes {count} for good; type `torchnotes feedback clear --yes`")
    click.echo(f"deleted {plural(store.clear(), 'rating')}")


def _store() -> FeedbackStore:
    from assistant.feedback.store import FILE, FeedbackStore
    from assistant.settings import load_settings

    return FeedbackStore(load_settings().home / FILE)


def _questions() -> Questions:
    """Convert the ratings to questions, using the index to choose keys if there is a readable one."""
    from assistant.feedback.export import Exporter
    from ingest.errors import IndexMismatchError

    kept = _store().all()
    factory = open_factory()
    generation = None
    try:
        if kept and factory.store.current() is not None:
            generation = factory.store.open()
    except IndexMismatchError as error:
        click.echo(
            f"keys are chosen without the index, and may fit other passages: {one_line(str(error))}", err=True
        )
    return Exporter(factory.segmenter.words, generation).questions(kept)


def _chosen(lines: Sequence[GoldLine], which: str) -> list[GoldLine]:
    return [line for line in lines if which == "all" or line["note"]["good"] is (which == "good")]


def _tell(
    scored: Sequence[GoldLine], waiting: Sequence[GoldLine], output: Path | None, to_complete: Path | None
) -> None:
    """Report what was exported to standard error, since standard output contains the questions."""
    where = f" to {one_line(str(output))}" if output and scored else ""
    click.echo(f"{plural(len(scored), 'question')} exported{where}", err=True)
    if waiting and to_complete:
        name = one_line(str(to_complete))
        click.echo(
            f'{plural(len(waiting), "question")} to complete in {name}: do what "todo" says, '
            f"then type `torchnotes eval {name}`",
            err=True,
        )
    elif waiting:
        verb = "waits" if len(waiting) == 1 else "wait"
        click.echo(
            f"{plural(len(waiting), 'question')} {verb} for a person to tell the right answer; "
            "type `torchnotes feedback export --to-complete FILE`",
            err=True,
        )


def _write(path: Path, lines: Sequence[GoldLine]) -> None:
    from ingest.errors import TorchnotesError

    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write("".join(f"{_dumped(line)}\n" for line in lines))
    except OSError as error:
        raise TorchnotesError(f"{path}: it cannot be written ({error.strerror}); give another file") from None


def _dumped(line: GoldLine) -> str:
    """Format a question as one line of JSON, with terminal control characters escaped."""
    text = json.dumps(line, ensure_ascii=False)
    return "".join(c if printable(c) == c else json.dumps(c)[1:-1] for c in text)


def _line(kept: Feedback) -> str:
    """Format a rating as one line: id, time, rating, and question."""
    what = "good" if kept.good else f"bad: {kept.reason}" if kept.reason else "bad"
    question = one_line(kept.question)
    if len(question) > _QUESTION:
        question = f"{question[: _QUESTION - 1]}…"
    comment = f" — {one_line(kept.comment)}" if kept.comment.strip() else ""
    return f"{kept.id:>4}  {kept.rated_at:%Y-%m-%d %H:%M} UTC  {what:<19}  {question}{comment}"
