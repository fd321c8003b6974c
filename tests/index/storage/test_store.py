"""Updating and opening an index."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from index.storage.publishing import replace_file
from index.storage.store import Generation, IndexBuilder, Store
from ingest.chunk import embedded_text, sentence_texts
from ingest.document import Document
from ingest.errors import EmbedderError, IndexMismatchError
from ingest.segment import Segmenter
from tests.index.light import (
    ENGLISH,
    LightEmbedder,
    changed_documents,
    make_builder,
    make_document,
    segmenter,
)


def files_of(store: Store) -> dict[str, bytes]:
    """Every file of the generation in force but its manifest, which tells when it was written."""
    folder = store.folder / "generations" / (store.current() or "")
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "manifest.json"
    }


def generations(store: Store) -> list[str]:
    return sorted(path.name for path in (store.folder / "generations").iterdir())


def test_open_gives_what_was_added(store: Store, builder: IndexBuilder, documents: list[Document]) -> None:
    report = store.update(documents, builder=builder)
    generation = store.open(builder.parameters)
    assert report.added == ("en-2.3", "en-2.4", "zh-2.4")
    assert report.written and report.generation == generation.name == store.current()
    assert generation.documents == {document.id: document for document in documents}
    chunks = [c for d in sorted(documents, key=lambda d: d.id) for c in builder.splitter.split_document(d)]
    assert generation.chunks == tuple(chunks)
    manifest = store.manifest()
    assert manifest == generation.manifest
    assert (manifest.documents, manifest.chunks) == (3, len(chunks))
    assert manifest.sentences == sum(len(chunk.sentences) for chunk in chunks)


def test_rows_of_all_parts_agree(filled: Store, embedder: LightEmbedder) -> None:
    generation = filled.open()
    sentence_row = 0
    for row, chunk in enumerate(generation.chunks):
        document = generation.documents[chunk.document_id]
        body = embedded_text(chunk, document)
        assert row in nearest(generation, embedder, body)
        assert generation.terms.scores(dict.fromkeys(segmenter().terms(body), 1.0)).argmax() == row
        for text in sentence_texts(chunk, document):
            assert generation.sentence_owner[sentence_row] == row
            vector = generation.sentence_vectors.rows(np.array([sentence_row], np.int64))[0]
            assert vector @ embedder.encode_query(text) == pytest.approx(1, abs=1e-5)
            sentence_row += 1
    assert len(generation.sentence_owner) == len(generation.sentence_vectors) == sentence_row


def nearest(generation: Generation, embedder: LightEmbedder, text: str) -> list[int]:
    rows, _ = generation.chunk_vectors.search(embedder.encode_query(text), 1)
    return [int(row) for row in rows]


def test_heading_terms_are_of_the_heading_path_only(filled: Store) -> None:
    generation = filled.open()
    row = next(i for i, chunk in enumerate(generation.chunks) if "TCPStore" in chunk.headings[-1])
    assert generation.heading_terms.scores({"libuv": 1.0}).argmax() == row
    assert "prototype" not in generation.heading_terms
    assert "flexattention" in generation.terms


def test_adding_again_embeds_and_writes_nothing(
    filled: Store, builder: IndexBuilder, documents: list[Document], embedder: LightEmbedder
) -> None:
    before = filled.current()
    report = filled.update(documents, builder=builder)
    assert report.unchanged == ("en-2.3", "en-2.4", "zh-2.4")
    assert not report.written and report.generation == before == filled.current()
    assert embedder.embedded == []


def test_a_changed_sentence_embeds_its_chunk_and_itself(
    filled: Store, builder: IndexBuilder, documents: list[Document], embedder: LightEmbedder
) -> None:
    changed = replace(documents[0], text=ENGLISH.replace("raised an error at import", "failed at import"))
    report = filled.update([changed, *documents[1:]], builder=builder)
    assert report.changed == ("en-2.4",) and report.unchanged == ("en-2.3", "zh-2.4")
    assert report.embedded == len(embedder.embedded) == 2
    assert all("failed at import" in text for text in embedder.embedded)
    assert filled.open().documents["en-2.4"].text == changed.text


def test_a_new_title_alone_embeds_nothing(
    filled: Store, builder: IndexBuilder, documents: list[Document], embedder: LightEmbedder
) -> None:
    report = filled.update([replace(documents[0], title="Renamed")], builder=builder)
    assert report.changed == ("en-2.4",) and report.written
    assert embedder.embedded == []
    assert filled.open().documents["en-2.4"].title == "Renamed"


def test_a_moved_document_embeds_nothing(
    filled: Store, builder: IndexBuilder, documents: list[Document], embedder: LightEmbedder
) -> None:
    report = filled.update([replace(documents[2], id="moved")], ["en-2.3"], builder=builder)
    assert (report.added, report.removed, report.embedded) == (("moved",), ("en-2.3",), 0)
    assert embedder.embedded == []


def test_steps_end_in_the_same_bytes_as_one_build(
    filled: Store, builder: IndexBuilder, tmp_path: Path
) -> None:
    filled.update(changed_documents(), ["en-2.3"], builder=builder)
    other = Store(tmp_path / "other")
    other.update(list(reversed(changed_documents())), builder=builder)
    assert files_of(filled) == files_of(other)


def test_removing_all_leaves_an_empty_index(filled: Store, builder: IndexBuilder) -> None:
    report = filled.update([], ["en-2.3", "en-2.4", "zh-2.4", "unknown"], builder=builder)
    assert report.removed == ("en-2.3", "en-2.4", "zh-2.4")
    generation = filled.open(builder.parameters)
    assert (generation.documents, generation.chunks, len(generation.sentence_owner)) == ({}, (), 0)
    assert generation.chunk_vectors.search(np.ones(16, np.float32), 3)[0].size == 0
    assert filled.verify() == []


def test_nothing_to_add_makes_no_index(store: Store, builder: IndexBuilder) -> None:
    report = store.update([make_document("empty", " \n")], builder=builder)
    assert [left.reason for left in report.left_out] == ["it has no text"]
    assert not report.written and store.current() is None


def test_the_generation_before_is_kept_until_the_next_switch(
    filled: Store, builder: IndexBuilder, documents: list[Document]
) -> None:
    names = generations(filled)
    for number in (1, 2, 3):
        changed = replace(documents[2], text=f"## New\n\nFSDP2 has {number} dimensions.\n")
        names.append(filled.update([changed], builder=builder).generation)
        assert generations(filled) == names[-2:]


def test_a_writer_stopped_right_after_the_switch_leaves_two_generations(
    filled: Store, builder: IndexBuilder, documents: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    filled.update([replace(documents[2], text="## New\n\nFSDP2 is stable.\n")], builder=builder)
    before = filled.current()

    def switch_and_stop(path: Path, content: bytes) -> None:
        replace_file(path, content)
        raise KeyboardInterrupt

    monkeypatch.setattr("index.storage.generation_directory.replace_file", switch_and_stop)
    with pytest.raises(KeyboardInterrupt):
        filled.update(remove=["en-2.3"], builder=builder)
    assert "en-2.3" not in filled.open().documents
    assert generations(filled) == [before, filled.current()]


def test_shipped_fingerprint_is_kept_and_renewed(
    store: Store, builder: IndexBuilder, documents: list[Document]
) -> None:
    store.update(documents, builder=builder, shipped="first")
    assert not store.update(documents, builder=builder).written
    assert store.manifest().shipped == "first"
    report = store.update(documents, builder=builder, shipped="second")
    assert report.written and report.embedded == 0
    assert store.manifest().shipped == "second"


def test_progress_tells_each_stage_to_its_end(
    store: Store, builder: IndexBuilder, documents: list[Document]
) -> None:
    last: dict[str, tuple[int, int]] = {}
    store.update(documents, builder=builder, progress=lambda stage, *count: last.update({stage: count}))
    assert list(last) == ["split", "embed", "terms", "write"]
    assert all(done == total > 0 for done, total in last.values())


def test_no_index_names_the_command(store: Store) -> None:
    with pytest.raises(IndexMismatchError, match=r"no index in .*; type `torchnotes add PATH`"):
        store.open()


@pytest.mark.parametrize(
    ("make_other", "message"),
    [
        pytest.param(
            lambda: make_builder(LightEmbedder("heavy")),
            "built with embedder light, this run uses heavy",
            id="embedder",
        ),
        pytest.param(
            lambda: make_builder(LightEmbedder(dimension=8)),
            "vectors have 16 numbers, light gives 8",
            id="dimension",
        ),
        pytest.param(
            lambda: make_builder(LightEmbedder(), max_tokens=99),
            "up to 120 tokens, this run asks for 99",
            id="splitter",
        ),
        pytest.param(
            lambda: make_builder(LightEmbedder(), words=Segmenter(["检查点"])),
            "cut with another glossary",
            id="glossary",
        ),
    ],
)
def test_other_parameters_are_refused_and_mended_by_rebuild(
    filled: Store, make_other: Callable[[], IndexBuilder], message: str
) -> None:
    other = make_other()
    with pytest.raises(IndexMismatchError, match=f"{message}; type `torchnotes rebuild`"):
        filled.open(other.parameters)
    with pytest.raises(IndexMismatchError, match=message):
        filled.update(changed_documents(), builder=other)
    report = filled.rebuild(builder=other)
    assert report.written and report.embedded > 0 and report.left_out == ()
    assert len(filled.open(other.parameters).documents) == 3


def test_the_embedder_must_give_vectors(store: Store, documents: list[Document]) -> None:
    class Broken(LightEmbedder):
        def encode_query(self, text: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
            return np.full(16, np.nan, np.float32)

    with pytest.raises(EmbedderError, match=r"embedder light gave an array .* not finite"):
        store.update(documents, builder=make_builder(Broken()))
    assert store.current() is None


def test_opening_imports_no_splitter(filled: Store) -> None:
    program = (
        "import sys, pathlib; from index.storage.store import Store\n"
        "Store(pathlib.Path(sys.argv[1])).open()\n"
        "heavy = {'langchain_text_splitters', 'ingest.splitter', 'torch', 'jieba', 'bm25s'}\n"
        "sys.exit(' '.join(heavy & sys.modules.keys()) or 0)"
    )
    command = [sys.executable, "-c", program, str(filled.folder.parent)]
    root = Path(__file__).parents[3]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
