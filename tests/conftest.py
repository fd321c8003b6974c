"""What the tests of several packages share: real indexes, each built once a session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.assistant import Assistant
from assistant.factory import AssistantFactory, shipped_documents
from assistant.llm import client as language_model
from assistant.settings import Settings
from ingest.errors import TorchnotesError
from ingest.loaders import load
from tests.assistant.notes import factory_in, notes
from tests.built import built_once
from tests.sharing import share
from tests.ui.notes import write_notes
from ui.cli.main import main

CORPUS = Path(__file__).resolve().parents[1].parent / "shared" / "corpus"
DIGESTS = ("2.1", "2.4", "2.6")
#: Of the documents beside the checkout those that `make test` indexes; `make eval` takes all.
RELEASES = ("2.0", "2.2", "2.3", "2.4", "2.8")


@pytest.fixture(scope="session", autouse=True)
def shared() -> Iterator[None]:
    """The models that ship are loaded once a process."""
    with pytest.MonkeyPatch.context() as patch:
        share(patch)
        yield


@pytest.fixture(scope="session")
def vectors(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of embeddings by content, kept between runs: embedding is what takes long."""
    cache = getattr(request.config, "cache", None)  # none with -p no:cacheprovider
    return Path(cache.mkdir("vectors")) if cache else tmp_path_factory.mktemp("vectors")


@pytest.fixture
def no_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """A language model that fails is not asked again: the client's patience takes seconds."""
    monkeypatch.setattr(language_model, "_RETRIES", 0)


@pytest.fixture(scope="session")
def factory(vectors: Path, tmp_path_factory: pytest.TempPathFactory) -> AssistantFactory:
    """The small corpus of tests/assistant/notes.py, indexed."""
    home = built_once(tmp_path_factory, "small", lambda folder: factory_in(folder, vectors).update(notes()))
    return AssistantFactory(Settings(home=home, shipped_corpus=False, llm_verify=False))


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder with the notes of tests/ui/notes.py in its index; copy it before changing it."""

    def build(folder: Path) -> None:
        notes = write_notes(folder / "notes")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TORCHNOTES_HOME", str(folder / "home"))
            patch.setenv("TORCHNOTES_SHIPPED_CORPUS", "false")
            patch.chdir(folder)
            assert main(["add", str(notes)]) == 0

    return built_once(tmp_path_factory, "interface", build) / "home"


@pytest.fixture(scope="session")
def assistant(factory: AssistantFactory) -> Assistant:
    """An assistant over the small corpus."""
    return factory.assistant()


@pytest.fixture(scope="session")
def shipped_home(vectors: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with all shipped digests in its index; copy it before changing it."""
    return built_once(
        tmp_path_factory, "shipped", lambda folder: factory_in(folder, vectors, shipped=True).latest()
    )


@pytest.fixture(scope="session")
def real_factory(vectors: Path, tmp_path_factory: pytest.TempPathFactory) -> AssistantFactory:
    """The documents of some releases beside the checkout, indexed without the shipped digests.

    Some 2,000 texts are embedded the first time: a minute or two.
    """
    if not CORPUS.is_dir():
        pytest.skip("the release documents are not beside the checkout")

    def build(folder: Path) -> None:
        documents = [document for document in load(CORPUS, on_skip=_fail) if document.version in RELEASES]
        factory_in(folder, vectors).update(documents)

    home = built_once(tmp_path_factory, "real", build)
    return AssistantFactory(Settings(home=home, shipped_corpus=False))


@pytest.fixture(scope="session")
def real_assistant(real_factory: AssistantFactory) -> Assistant:
    """An assistant over the release documents."""
    return real_factory.assistant()


@pytest.fixture(scope="session")
def digest_factory(tmp_path_factory: pytest.TempPathFactory) -> AssistantFactory:
    """The shipped digests of three releases, indexed by the vectors that ship."""

    def build(folder: Path) -> None:
        documents = [document for document in shipped_documents() if document.version in DIGESTS]
        AssistantFactory(Settings(home=folder, shipped_corpus=False)).update(documents)

    home = built_once(tmp_path_factory, "digests", build)
    return AssistantFactory(Settings(home=home, shipped_corpus=False))


@pytest.fixture(scope="session")
def digest_assistant(digest_factory: AssistantFactory) -> Assistant:
    """An assistant over the shipped digests of three releases."""
    return digest_factory.assistant()


def _fail(error: TorchnotesError) -> None:
    raise error
