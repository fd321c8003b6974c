"""The assembly: the shipped digests taken in, kept up to date, and taken out again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

import corpus.shipped
from assistant.assistant import Assistant
from assistant.factory import AssistantFactory, shipped_documents
from assistant.llm.client import LanguageModel
from corpus.shipped import SHIPPED, fingerprint
from ingest.errors import IndexMismatchError, TorchnotesError
from tests.assistant.model_server import MODEL, ModelServer, said
from tests.assistant.notes import NOTES, factory_in, note, notes

DIGEST = """---
title: "Digest {release}"
release: "{release}"
language: {language}
kind: digest
url: https://example.org/{release}
---

# PyTorch {release}

## TCPStore {{#tcpstore}}

{text}
"""


def write_digest(folder: Path, language: str, release: str, text: str) -> Path:
    path = folder / language / f"{release}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(DIGEST.format(release=release, language=language, text=text), encoding="utf-8")
    return path


@pytest.fixture
def digests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two small digests in place of those that ship."""
    folder = tmp_path / "digests"
    write_digest(folder, "en", "2.4", "TCPStore runs on the libuv backend by default.")
    write_digest(folder, "zh", "2.4", "TCPStore 默认使用 libuv 后端。")
    monkeypatch.setattr(corpus.shipped, "DIGESTS", folder)
    return folder


@pytest.fixture
def shop(tmp_path: Path, vectors: Path, digests: Path) -> AssistantFactory:
    """A factory in an empty home."""
    return factory_in(tmp_path / "home", vectors, shipped=True)


def another(shop: AssistantFactory, *, shipped: bool) -> AssistantFactory:
    """What a later process makes of the same home."""
    return AssistantFactory(replace(shop.settings, shipped_corpus=shipped))


def origins(shop: AssistantFactory) -> list[str]:
    return sorted(document.origin for document in shop.store.open(shop.parameters).documents.values())


def test_the_first_answer_needs_no_step_before(shop: AssistantFactory) -> None:
    answer = shop.assistant().ask("What is the default backend of TCPStore in 2.4?")
    assert not answer.abstained and "libuv" in answer.text
    assert origins(shop) == [f"{SHIPPED}en/2.4.md", f"{SHIPPED}zh/2.4.md"]
    assert shop.store.manifest().shipped == fingerprint()


def test_what_is_there_is_not_built_again(shop: AssistantFactory) -> None:
    shop.assistant()
    generation = shop.store.current()
    later = another(shop, shipped=True)
    later.assistant()
    assert later.store.current() == generation and "builder" not in vars(later)


def test_changed_digests_are_taken_in_again(shop: AssistantFactory, digests: Path) -> None:
    shop.assistant()
    before = shop.store.current()
    write_digest(digests, "en", "2.4", "TCPStore runs on the epoll backend by default.")
    write_digest(digests, "en", "2.5", "TCPStore runs on three backends.")
    later = another(shop, shipped=True)
    answer = later.assistant().ask(
        "What is the default backend of TCPStore in 2.4?", releases=["2.4"], language="en"
    )
    assert later.store.current() != before and later.store.manifest().shipped == fingerprint()
    assert "epoll" in answer.text and f"{SHIPPED}en/2.5.md" in origins(later)


def test_a_digest_that_no_longer_ships_goes(shop: AssistantFactory, digests: Path) -> None:
    shop.update([note("en-2.5", NOTES["en-2.5"])])
    (digests / "zh" / "2.4.md").unlink()
    later = another(shop, shipped=True)
    later.ship()
    assert origins(later) == ["notes/en-2.5.md", f"{SHIPPED}en/2.4.md"]


def test_digests_are_taken_out_when_the_settings_say_so(shop: AssistantFactory) -> None:
    shop.update(notes())
    later = another(shop, shipped=False)
    later.update()
    assert [origin for origin in origins(later) if origin.startswith(SHIPPED)] == []
    assert len(origins(later)) == len(notes()) and later.store.manifest().shipped == ""
    again = another(shop, shipped=True)
    again.rebuild()
    assert len([origin for origin in origins(again) if origin.startswith(SHIPPED)]) == 2


def test_a_question_takes_digests_neither_out_nor_in(shop: AssistantFactory) -> None:
    shop.update(notes())
    with_digests = shop.store.current()
    with pytest.raises(
        IndexMismatchError,
        match=r"holds the shipped digests, .* is off; type `torchnotes rebuild` to take them out",
    ) as refused:
        another(shop, shipped=False).assistant()
    assert "\n" not in str(refused.value) and shop.store.current() == with_digests
    another(shop, shipped=False).rebuild()
    without = shop.store.current()
    later = another(shop, shipped=True)
    assert later.assistant().ask("What is the default backend of TCPStore in 2.4?").citations
    assert shop.store.current() == without and shop.store.manifest().shipped == ""


@pytest.mark.parametrize("digests_first", [True, False], ids=["only digests", "fresh home"])
def test_a_rebuild_that_would_leave_no_document_is_refused(
    shop: AssistantFactory, digests_first: bool
) -> None:
    if digests_first:
        shop.ship()
    before = shop.store.current()
    with pytest.raises(IndexMismatchError, match="is off; type `torchnotes add PATH`"):
        another(shop, shipped=False).rebuild()
    assert shop.store.current() == before


def test_without_digests_and_documents_there_is_nothing_to_ask(tmp_path: Path, vectors: Path) -> None:
    empty = factory_in(tmp_path / "empty", vectors)
    with pytest.raises(
        IndexMismatchError, match="TORCHNOTES_SHIPPED_CORPUS is off; type `torchnotes add PATH`"
    ) as refused:
        empty.assistant()
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "empty" / "index").exists()


def test_documents_are_taken_in_and_out(tmp_path: Path, vectors: Path) -> None:
    shop = factory_in(tmp_path / "mine", vectors)
    report = shop.update(notes())
    assert len(report.added) == len(notes()) and report.written
    document = note("en-2.5", NOTES["en-2.5"])
    report = shop.update(remove=[document.id])
    assert report.removed == (document.id,) and "notes/en-2.5.md" not in origins(shop)
    assert shop.update().written is False


def test_an_update_takes_the_digests_in_as_well(shop: AssistantFactory) -> None:
    report = shop.update([note("en-2.5", NOTES["en-2.5"])])
    assert len(report.added) == 3 and shop.store.manifest().shipped == fingerprint()


def test_the_latest_assistant_knows_what_another_process_added(shop: AssistantFactory) -> None:
    before = shop.latest()
    assert shop.latest() is before
    another(shop, shipped=True).update([note("en-2.5", NOTES["en-2.5"])])
    now = shop.latest()
    assert now is not before and len(now.retriever.generation.documents) == 3


def test_a_rebuild_keeps_documents_and_digests(shop: AssistantFactory) -> None:
    shop.update([note("en-2.5", NOTES["en-2.5"])])
    before = origins(shop)
    stages: list[str] = []
    report = shop.rebuild(progress=lambda stage, done, total: stages.append(stage))
    assert report.written and origins(shop) == before and shop.store.verify() == []
    assert {"split", "terms", "write"} <= set(stages)


def test_a_rebuild_without_digests_takes_them_out(shop: AssistantFactory) -> None:
    shop.update([note("en-2.5", NOTES["en-2.5"])])
    later = another(shop, shipped=False)
    later.rebuild()
    assert origins(later) == ["notes/en-2.5.md"] and later.store.manifest().shipped == ""


def test_progress_is_told(shop: AssistantFactory) -> None:
    stages: list[str] = []
    shop.assistant(progress=lambda stage, done, total: stages.append(stage))
    assert stages[0] == "split" and stages[-1] == "write"


def test_a_damaged_index_is_told_with_what_mends_it(shop: AssistantFactory) -> None:
    shop.assistant()
    name = shop.store.current()
    (shop.settings.home / "index" / "generations" / str(name) / "chunks.jsonl").write_text(
        "", encoding="utf-8"
    )
    with pytest.raises(IndexMismatchError, match="type `torchnotes rebuild`"):
        another(shop, shipped=True).assistant()
    later = another(shop, shipped=True)
    later.rebuild()
    assert not later.assistant().ask("What is the default backend of TCPStore in 2.4?").abstained


def test_the_origin_of_a_digest_is_the_same_on_every_machine(digests: Path) -> None:
    assert [d.origin for d in shipped_documents()] == [f"{SHIPPED}en/2.4.md", f"{SHIPPED}zh/2.4.md"]
    assert str(digests) not in "".join(d.origin + d.id for d in shipped_documents())


def test_the_report_counts_what_no_cache_held(shop: AssistantFactory) -> None:
    added = note("en-2.5", f"FlexAttention is a prototype, {uuid4()}.")  # the tests' cache outlives them
    assert shop.update([added]).embedded > 0
    shop.update(remove=[added.id])
    assert shop.update([added]).embedded == 0


def test_without_an_address_there_is_no_language_model(shop: AssistantFactory) -> None:
    assert shop.model is None and shop.assistant().model is None and shop.assistant().writer is None


def test_the_settings_name_the_language_model(shop: AssistantFactory) -> None:
    url = "http://127.0.0.1:9/v1"
    given = {"llm_url": url, "llm_model": "m", "llm_api_key": "sk-secret", "llm_context": 8192}
    later = AssistantFactory(replace(shop.settings, **given, llm_timeout=3.0))  # type: ignore[arg-type]
    model = later.assistant().model
    assert model is later.model and model is not None
    assert (model.url, model.name, model.context, model.timeout) == (url, "m", 8192, 3.0)
    assert "sk-secret" not in repr(model) and "sk-secret" not in repr(later.assistant())


def test_a_model_without_an_address_is_told(shop: AssistantFactory) -> None:
    with pytest.raises(
        TorchnotesError, match=r"^TORCHNOTES_LLM_MODEL='m' is set without TORCHNOTES_LLM_URL; "
    ):
        AssistantFactory(replace(shop.settings, llm_model="m")).assistant()


def test_a_writer_belongs_to_its_assistant(assistant: Assistant) -> None:
    first = replace(assistant, model=LanguageModel("http://127.0.0.1:9/v1", "a"))
    assert first.writer is first.writer and first.writer is not None
    second = replace(first, model=LanguageModel("http://127.0.0.1:9/v1", "b"))
    assert second.writer is not None and second.writer.model.name == "b" and first.writer.model.name == "a"
    assert replace(second, model=None).writer is None and assistant.writer is None


def test_a_model_that_is_set_later_writes_from_then_on(assistant: Assistant) -> None:
    later = replace(assistant)
    assert later.writer is None
    for name in ("a", "b"):
        later.model = LanguageModel("http://127.0.0.1:9/v1", name)
        assert later.writer is not None and later.writer.model is later.model
    later.model = None
    assert later.writer is None


def test_a_model_that_is_set_after_a_question_is_asked(assistant: Assistant) -> None:
    later, question = replace(assistant), "What is the default backend of TCPStore in 2.4?"
    usual = later.ask(question)
    with ModelServer(said("The TCPStore server now runs on the `libuv` backend by default [1].")) as server:
        later.model = server.model()
        assert later.ask(question).model == MODEL
    later.model = None
    assert later.ask(question) == usual
