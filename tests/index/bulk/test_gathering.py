"""Bulk work on a scheduler with one worker, which are threads of this process."""

from __future__ import annotations

import gc
import json
from dataclasses import replace
from pathlib import Path

import pytest

from index.bulk import gathering as gathering_module
from index.bulk import jobs
from index.bulk.address import parse_cluster
from index.bulk.connecting import connected
from index.bulk.messages import pack
from index.embedding.vector_table import VectorTable
from index.storage.content import content_sums
from index.storage.store import Store
from ingest.document import Document
from ingest.errors import TorchnotesError
from ingest.loaders import load
from tests.index.bulk.serving import Bulk, builder_in, cluster_here, refuse

pytestmark = pytest.mark.usefixtures("light")


def loaded(files: list[Path]) -> list[Document]:
    return [document for path in files for document in load(path, on_skip=refuse)]


def texts_of(home: Path, files: list[Path]) -> int:
    """How many different texts this machine embeds for the files."""
    builder = builder_in(home / "here")
    _, embedded = builder.build({document.id: document for document in loaded(files)})
    return embedded


def test_the_index_is_that_of_one_machine(tmp_path: Path, files: list[Path], address: str) -> None:
    bulk = Bulk(tmp_path / "home", files)
    gathering = bulk.run(address)
    assert gathering.documents == loaded(files) and not bulk.skipped
    store, here = Store(tmp_path / "home"), Store(tmp_path / "here")
    report = store.update(gathering.documents, builder=bulk.prepared(gathering))
    expected = here.update(loaded(files), builder=builder_in(tmp_path / "here"))
    assert replace(report, generation="") == replace(expected, generation="")
    assert content_sums(store.open()) == content_sums(here.open())
    told = gathering.report
    assert told.embedded == texts_of(tmp_path, files) and told.bytes > 1000
    assert (told.files, told.kept, told.lost, told.failures) == (8, 0, 0, [])
    assert [*told.devices.values()] == ["cpu"] and told.reading > 0 and told.embedding > 0


def test_nothing_is_split_or_segmented_here(
    tmp_path: Path, files: list[Path], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bulk = Bulk(tmp_path, files)
    gathering = bulk.run(address)
    builder = bulk.prepared(gathering)
    monkeypatch.setattr(builder.splitter, "split_document", None)
    calls = []
    terms = builder.segmenter.terms

    def counted(text: str) -> list[str]:
        calls.append(text)
        return terms(text)

    monkeypatch.setattr(builder.segmenter, "terms", counted)
    generation, _ = builder.build({document.id: document for document in gathering.documents})
    assert len(generation.chunks) > 20
    assert set(calls) <= {"\n".join(chunk.headings) for chunk in generation.chunks}


def test_what_was_done_is_not_done_again(tmp_path: Path, files: list[Path], address: str) -> None:
    first = Bulk(tmp_path, files).run(address)
    again = Bulk(tmp_path, files)
    second = again.run(address)
    assert (second.report.kept, second.report.embedded, second.report.reading) == (8, 0, 0.0)
    assert second.documents == first.documents and second.report.texts == first.report.texts
    # Without what was read, only the reading is done again.
    again.kept.clear()
    third = Bulk(tmp_path, files).run(address)
    assert (third.report.kept, third.report.embedded) == (0, 0) and third.report.reading > 0


def test_what_the_index_has_is_not_split_again(tmp_path: Path, files: list[Path], address: str) -> None:
    store = Store(tmp_path)
    bulk = Bulk(tmp_path, files)
    gathering = bulk.run(address)
    store.update(gathering.documents, builder=bulk.prepared(gathering))
    bulk.kept.clear()
    files[3].write_text(files[3].read_text(encoding="utf-8") + "\nOne sentence more.\n", encoding="utf-8")
    again = Bulk(tmp_path, files, stored=store.documents())
    gathering = again.run(address)
    assert gathering.report.embedded == 2  # the sentence, and the chunk that it is in
    readings = [gathering.find(document) for document in gathering.documents]
    assert [number for number, each in enumerate(readings) if each and each.chunks is not None] == [3]
    report = store.update(gathering.documents, builder=again.prepared(gathering))
    assert len(report.unchanged) == 7 and len(report.changed) == 1
    assert content_sums(store.open()) == content_sums(builder_in(tmp_path).build(store.open().documents)[0])


def test_a_list_of_releases_is_many_documents(tmp_path: Path, address: str) -> None:
    path = tmp_path / "releases.json"
    notes = [
        {"tag_name": f"v2.{n}.0", "name": f"PyTorch 2.{n}", "body": f"# New\n\nThe limit is {n} now.\n"}
        for n in range(3)
    ]
    path.write_text(json.dumps([*notes, {"tag_name": "v3", "body": ""}]), encoding="utf-8")
    bulk = Bulk(tmp_path / "home", [path])
    gathering = bulk.run(address)
    skipped: list[str] = []
    expected = [*load(path, on_skip=lambda error: skipped.append(str(error)))]
    assert gathering.documents == expected and len(expected) == 3
    assert [str(error) for error in bulk.skipped] == skipped and len(skipped) == 1
    generation, _ = bulk.prepared(gathering).build({d.id: d for d in gathering.documents})
    assert len(generation.chunks) == 3


def test_a_file_that_fails_costs_the_others_nothing(
    tmp_path: Path, files: list[Path], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_most(recipe: bytes, source: bytes) -> bytes:
        if b"The limit is 3 now" in source:
            raise ValueError("no 3\nis read")
        if b"The limit is 4 now" in source:
            return b"nonsense"
        return jobs.read_source(recipe, source)

    monkeypatch.setattr(gathering_module, "read_source", read_most)
    (tmp_path / "picture.png").write_bytes(b"PNG")
    bulk = Bulk(tmp_path / "home", [*files, tmp_path / "picture.png", tmp_path / "nowhere.md"])
    told: list[int] = []
    bulk._progress = lambda done, total: told.append(done)
    gathering = bulk.run(address)
    assert gathering.documents == loaded([*files[:3], *files[5:]])
    assert told == [*range(1, 11)]
    assert sorted(map(str, gathering.report.failures)) == [
        f"{files[3]}: a worker failed with it (ValueError: no 3)",
        f"{files[4]}: what a worker made of it is not right: its head is no JSON",
    ]
    assert len(bulk.skipped) == 4


def test_texts_that_fail_leave_their_files_out(
    tmp_path: Path, files: list[Path], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def embed_most(recipe: bytes, texts: bytes) -> bytes:
        if b"The limit is 5 now" in texts:
            raise MemoryError
        return jobs.embed_texts(recipe, texts)

    with monkeypatch.context() as patch:
        patch.setattr(gathering_module, "embed_texts", embed_most)
        gathering = Bulk(tmp_path, files).run(address)
    [failure] = [error for error in gathering.report.failures if error.source == str(files[5])]
    assert "MemoryError" in failure.reason
    failed = {error.source for error in gathering.report.failures}
    assert gathering.documents == loaded([path for path in files if str(path) not in failed])
    # What could be embedded is kept, also of files that were left out.
    rest = Bulk(tmp_path, files).run(address)
    assert rest.documents == loaded(files)
    assert rest.report.embedded == texts_of(tmp_path, files) - gathering.report.embedded


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda recipe, source: pack({"refused": "no", "worker": "h/1"}), "refuses the work: h/1: no"),
        (lambda recipe, source: __import__("torchnotes_of_old"), "cannot run torchnotes .* same version"),
    ],
)
def test_a_worker_that_cannot_do_the_work_ends_the_command(
    tmp_path: Path,
    files: list[Path],
    address: str,
    monkeypatch: pytest.MonkeyPatch,
    answer: object,
    said: str,
) -> None:
    monkeypatch.setattr(answer, "__name__", "read_source")
    monkeypatch.setattr(gathering_module, "read_source", answer)
    with pytest.raises(TorchnotesError, match=said) as refused:
        Bulk(tmp_path, files).run(address)
    assert "\n" not in str(refused.value)


def test_vectors_that_cannot_be_kept_are_one_line(
    tmp_path: Path, files: list[Path], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(table: VectorTable, keys: object, vectors: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(VectorTable, "put", full)
    with pytest.raises(TorchnotesError, match=r"vectors .*: cannot be written \(No space left on device"):
        Bulk(tmp_path, files).run(address)


def test_no_scheduler_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import Client

    monkeypatch.setattr("index.bulk.cluster._CONNECT", 0.2)
    for text, advice in (("tcp://127.0.0.1:1", "dask scheduler"), ("tls://127.0.0.1:1", "certificates")):
        with (
            pytest.raises(
                TorchnotesError, match=f"--dask {text}: no scheduler answers .*{advice}"
            ) as refused,
            connected(parse_cluster(text), pytest.fail),
        ):
            raise AssertionError("it connected")
        assert "\n" not in str(refused.value)
    # One that is left is closed whenever it is collected: while the next one starts, that would hang.
    assert {client.status for client in gc.get_objects() if type(client) is Client} <= {"closed"}


def test_certificates_are_those_of_dasks_settings(
    tmp_path: Path, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    import dask
    from distributed import Security

    monkeypatch.setattr("index.bulk.cluster._CONNECT", 5.0)
    made, other = Security.temporary(), Security.temporary()
    with cluster_here(security=made) as cluster:
        address = cluster.scheduler_address
        assert address.startswith("tls://")
        for given, ours in ((made, True), (other, False)):
            tls: dict[str, object] = {"ca-file": given.tls_ca_file}
            tls["client"] = {"cert": given.tls_client_cert, "key": given.tls_client_key}
            with dask.config.set({"distributed.comm.tls": dask.config.get("distributed.comm.tls") | tls}):
                if ours:
                    assert len(Bulk(tmp_path, files[:1]).run(address).documents) == 1
                    continue
                with pytest.raises(TorchnotesError, match=r"no scheduler answers .* certificates"):
                    Bulk(tmp_path, files[:1]).run(address)
        with pytest.raises(TorchnotesError, match=r"no scheduler answers .* certificates"):
            Bulk(tmp_path, files[:1]).run(address)
        with pytest.raises(TorchnotesError, match="no scheduler answers"):
            Bulk(tmp_path, files[:1]).run(address.replace("tls:", "tcp:"))


def test_what_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("index.bulk.connecting.find_spec", lambda name: None)
    with (
        pytest.raises(TorchnotesError, match=r"distributed.*pip install 'torchnotes\[dask\]'"),
        connected(parse_cluster("local:2"), pytest.fail),
    ):
        raise AssertionError("it connected")
