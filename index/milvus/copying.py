"""Copying an index between a folder of files and Milvus, in either direction."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from index.milvus.address import is_milvus, parse_address
from index.milvus.store import MilvusStore
from index.storage.content import content_sums
from index.storage.generation import Generation
from index.storage.interface import BuildProgress
from index.storage.store import Store
from ingest.errors import TorchnotesError

Place = Store | MilvusStore
_ASIDE = ".torchnotes-copying"  # in the folder; removed at the end, so it must be nobody else's name


@dataclass(frozen=True, slots=True)
class Compared:
    """One part of an index, there and here.

    Attributes:
        part: what is compared, such as "chunk vectors".
        count: how many the source holds.
        copied: how many the copy holds.
        same: whether their SHA-256 is the same.
    """

    part: str
    count: int
    copied: int
    same: bool


def place_of(text: str, token: str = "") -> Place:
    """Return the index that an argument names.

    Args:
        text: the address of an index in Milvus, or a data folder.
        token: token of that Milvus.

    Raises:
        TorchnotesError: the address is none.
    """
    return MilvusStore(parse_address(text), token) if is_milvus(text) else Store(Path(text).expanduser())


def token_for(text: str, token: str, ours: str, other: str) -> str:
    """Return the token for one of two indexes: of the server that it is for, and no other learns it.

    Args:
        text: address of the index, or a data folder.
        token: token of a server, "" for none.
        ours: address of the index that the token was set for, "" where none is set.
        other: address of the other index, or a data folder.

    Raises:
        TorchnotesError: both are on servers, and nothing tells which of them the token is for.
    """
    server = _server(text)
    if not token or not server:
        return ""
    if meant := _server(ours):
        return token if server == meant else ""
    if _server(other) in ("", server):
        return token
    raise TorchnotesError(
        f"TORCHNOTES_INDEX_TOKEN is for one of {text} and {other}; set TORCHNOTES_INDEX to that one, so that "
        "the other does not learn it"
    )


def _server(text: str) -> str:
    """Return the server that an address leads to, "" if it leads to none."""
    address = parse_address(text) if is_milvus(text) else None
    return address.uri if address and not address.is_file else ""


def copy_index(source: Place, target: Place, progress: BuildProgress | None = None) -> list[Compared]:
    """Copy the current generation, make it the current one there, read it back and compare.

    What an interrupted copy has brought is not brought again: to Milvus its rows, from it its vectors.

    Args:
        source: where the index is.
        target: where to copy it.
        progress: callback for progress.

    Raises:
        IndexBusyError: another process is writing there.
        IndexMismatchError: there is no index, or it is damaged.
        TorchnotesError: both are the same, or one cannot be read or written.
    """
    if source.place == target.place:
        raise TorchnotesError(f"{source.place} would be copied onto itself; give another address or folder")
    aside = target.folder / _ASIDE if isinstance(target, Store) else None
    generation = _whole(source, aside, progress)
    target.put(generation, progress)
    if aside:
        shutil.rmtree(aside, ignore_errors=True)
    return _compared(generation, _whole(target, None, progress))


def _whole(place: Place, aside: Path | None, progress: BuildProgress | None) -> Generation:
    if isinstance(place, Store):
        return place.open()
    return place.whole(aside=aside, progress=progress)


def _compared(source: Generation, copy: Generation) -> list[Compared]:
    sums, copied = content_sums(source), content_sums(copy)
    first, second = _counts(source), _counts(copy)
    return [Compared(part, first[part], second[part], sums[part] == copied[part]) for part in sums]


def _counts(generation: Generation) -> dict[str, int]:
    return {
        "documents": len(generation.documents),
        "chunks": len(generation.chunks),
        "chunk vectors": len(generation.chunk_vectors),
        "sentence vectors": len(generation.sentence_vectors),
        "terms": len(generation.terms.numbers),
        "headings": len(generation.heading_terms.numbers),
    }
