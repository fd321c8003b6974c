"""What workers send is checked: of each harm one line, and nothing of it is taken."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from index.bulk.checking import WorkerRefusedError, decode_readings, decode_vectors
from index.bulk.jobs import embed_texts, read_source
from index.bulk.messages import MessageError, WorkReport, encode_source, encode_vectors, pack, unpack
from index.bulk.recipe import Recipe
from index.embedding.base import Vectors
from ingest.chunk import lexical_text
from ingest.errors import EmbedderError
from ingest.loaders import documents_of
from ingest.sources import RawSource, read_part
from tests.index.bulk.serving import builder_in, refuse
from tests.index.light import LightEmbedder

WORK = {"worker": "host/1", "device": "cpu", "seconds": 1.0}


@pytest.fixture
def raw(files: list[Path]) -> RawSource:
    return read_part(files[1])


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    return Recipe.of(builder_in(tmp_path), "light")


@pytest.mark.usefixtures("light")
def test_a_worker_reads_what_is_read_here(tmp_path: Path, raw: RawSource, recipe: Recipe) -> None:
    message = read_source(recipe.encode(), encode_source(raw))
    [reading], skipped, work = decode_readings(message, raw)
    builder = builder_in(tmp_path)
    [document] = documents_of(raw, on_skip=refuse)
    assert reading.document == document and not skipped and work.device == "cpu"
    assert reading.chunks == tuple(builder.split(document)) and len(reading.chunks) > 2
    assert reading.terms == tuple(builder.terms(c, lexical_text(c, document)) for c in reading.chunks)
    # What the index has is read, and not split.
    [known], _, _ = decode_readings(
        read_source(recipe.encode(), encode_source(raw, [document.content_hash])), raw
    )
    assert known.document == document and known.chunks is None


@pytest.mark.usefixtures("light")
def test_what_cannot_be_read_is_told(raw: RawSource, recipe: Recipe) -> None:
    broken = RawSource(raw.origin, raw.place, "text", b"\xff\xfe\x00")
    readings, [skip], _ = decode_readings(read_source(recipe.encode(), encode_source(broken)), broken)
    assert not readings and skip.source == raw.origin


@pytest.mark.usefixtures("light")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"code": "0" * 16}, "its torchnotes is another one"),
        ({"model": "other"}, "its embedding model is light instead of other"),
    ],
)
def test_a_worker_of_another_kind_refuses(
    raw: RawSource, recipe: Recipe, change: dict[str, str], reason: str
) -> None:
    other = Recipe(**{**{name: getattr(recipe, name) for name in Recipe.__slots__}, **change}).encode()
    with pytest.raises(WorkerRefusedError, match=rf"^\S+/\d+: {reason}"):
        decode_readings(read_source(other, encode_source(raw)), raw)
    with pytest.raises(WorkerRefusedError, match=reason):
        decode_vectors(embed_texts(other, pack({"texts": ["a"]})), 1, 16)


def test_a_model_that_is_not_there_is_refused(
    raw: RawSource, recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lack(name: str) -> LightEmbedder:
        raise EmbedderError(f"{name} is not there")

    monkeypatch.setattr("index.bulk.jobs.load_embedder", lack)
    lost = Recipe("lost", recipe.model, 120, recipe.words, recipe.code).encode()
    with pytest.raises(WorkerRefusedError, match=r"cannot be loaded \(lost is not there\)"):
        decode_readings(read_source(lost, encode_source(raw)), raw)


def chunk_rows(head: dict[str, Any]) -> list[list[Any]]:
    return [json.loads(line) for line in head["documents"][0]["chunks"].splitlines()]


def with_chunk(change: Callable[[list[Any]], object]) -> Callable[[dict[str, Any]], object]:
    """A harm to the first chunk."""

    def harm(head: dict[str, Any]) -> None:
        rows = chunk_rows(head)
        change(rows[0])
        head["documents"][0]["chunks"] = "".join(json.dumps(row) + "\n" for row in rows)

    return harm


def with_document(**given: object) -> Callable[[dict[str, Any]], object]:
    """A harm to the document."""
    return lambda head: head["documents"][0]["document"].update(given)


HARMS: dict[str, Callable[[dict[str, Any]], object]] = {
    "no documents": lambda head: head.pop("documents"),
    "no work": lambda head: head.pop("seconds"),
    "endless work": lambda head: head.update(seconds=float("inf")),
    "another file": with_document(origin="elsewhere.md"),
    "an id of another file": with_document(id="user-2.4-en-0123456789"),
    "an id of what ships": with_document(id="digest-2.4-en"),
    "unknown kind": with_document(kind="law"),
    "unknown language": with_document(language="fr"),
    "number for a title": with_document(title=7),
    "half a character": with_document(title="\ud800"),
    "address of code": with_document(url="javascript:alert(1)"),
    "odd release": with_document(release="new"),
    "odd day": with_document(date="tomorrow"),
    "odd removal": with_document(removed=[["navigation", "many", ""]]),
    "endless text": with_document(text="x" * 1_000_001),
    "another text": with_document(text="short"),
    "chunks that are no text": lambda head: head["documents"][0].update(chunks=7),
    "a chunk less": lambda head: head["documents"][0].update(terms=head["documents"][0]["terms"][1:]),
    "a number as a term": lambda head: head["documents"][0]["terms"][0].append(7),
    "chunk of another document": with_chunk(lambda row: row.__setitem__(1, 1)),
    "chunk outside": with_chunk(lambda row: row.__setitem__(8, 10**9)),
    "chunk that ends before it starts": with_chunk(lambda row: row.__setitem__(8, 0)),
    "chunk at no place": with_chunk(lambda row: row.__setitem__(7, -1)),
    "chunk with an odd id": with_chunk(lambda row: row.__setitem__(0, "../../x")),
    "unknown status": with_chunk(lambda row: row.__setitem__(5, "great")),
    "address of code in a chunk": with_chunk(lambda row: row.__setitem__(6, "file:///etc/passwd")),
    "sentence outside": with_chunk(lambda row: row.__setitem__(10, [0, 10**6, 0])),
    "sentence of an unknown kind": with_chunk(lambda row: row[10].__setitem__(2, 99)),
    "sentences without an end": with_chunk(lambda row: row[10].pop()),
    "section that is a text": with_chunk(lambda row: row.__setitem__(2, "1")),
    "chunk twice": lambda head: (
        head["documents"][0].update(chunks=head["documents"][0]["chunks"] * 2),
        head["documents"][0].update(terms=head["documents"][0]["terms"] * 2),
    ),
}


@pytest.mark.usefixtures("light")
def test_of_each_harm_to_a_reading_nothing_is_taken(raw: RawSource, recipe: Recipe) -> None:
    message = read_source(recipe.encode(), encode_source(raw))
    reasons = {}
    for name, harm in HARMS.items():
        head, _ = unpack(message)
        harm(head)
        try:
            decode_readings(pack(head), raw)
        except MessageError as refused:
            reasons[name] = str(refused)
    assert reasons.keys() == HARMS.keys()
    assert not [name for name, reason in reasons.items() if "\n" in reason]


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\x00" * 8, id="no head"),
        pytest.param(b"\xff" * 40, id="endless head"),
        pytest.param((9).to_bytes(8, "big") + b"[" * 9, id="no JSON"),
        pytest.param((10**5).to_bytes(8, "big") + b"[" * 10**5, id="deep"),
        pytest.param(pack({})[:-1], id="cut"),
        pytest.param((2).to_bytes(8, "big") + b"[]", id="no object"),
    ],
)
def test_what_is_no_message_is_refused(message: bytes, raw: RawSource) -> None:
    with pytest.raises(MessageError):
        decode_readings(message, raw)


def test_vectors_come_back_as_they_were() -> None:
    vectors = LightEmbedder().encode_documents(["a", "b", "c"])
    found, work = decode_vectors(encode_vectors(vectors, WorkReport("host/1", "cuda", 2.5)), 3, 16)
    assert (found == vectors).all() and work == WorkReport("host/1", "cuda", 2.5)


@pytest.mark.parametrize(
    "harm",
    [
        pytest.param(lambda v: v[:2], id="fewer"),
        pytest.param(lambda v: v[:, :8], id="shorter"),
        pytest.param(lambda v: v * 2, id="longer than 1"),
        pytest.param(lambda v: v * 0, id="zeros"),
        pytest.param(lambda v: v * np.nan, id="no numbers"),
        pytest.param(lambda v: v * np.float32(3e38), id="endless"),
    ],
)
def test_vectors_that_are_none_are_refused(harm: Callable[[Vectors], Vectors]) -> None:
    vectors = LightEmbedder().encode_documents(["a", "b", "c"])
    with np.errstate(all="ignore"):
        message = encode_vectors(harm(vectors), WorkReport("host/1", "cpu", 1.0))
    with pytest.raises(MessageError, match="its vectors are not"):
        decode_vectors(message, 3, 16)


def test_a_shape_that_the_bytes_do_not_have_is_refused() -> None:
    with pytest.raises(MessageError, match="not of the shape"):
        decode_vectors(pack({"shape": [3, 16], **WORK}, b"1234"), 3, 16)
