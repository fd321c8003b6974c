"""Names of the collections of an index.

A generation is three collections, `<index>_v1_000003_<digest>_chunks`, `_sentences` and `_files`. The digest
is that of the content (`index.storage.content`), so a collection never holds anything else than what its name
says. The alias `<index>` points to the chunks of the current generation; one call moves it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

SCHEMA = 1
"""Increase it when the collections of a generation, or what they hold, change."""


class Names(NamedTuple):
    """A generation by the names of its collections.

    Attributes:
        collection: name of the index.
        schema: version of the collections.
        number: counts the generations.
        digest: digest of the content, 16 hex digits.
    """

    collection: str
    schema: int
    number: int
    digest: str

    @property
    def generation(self) -> str:
        """Name of the generation, of the form that a folder of files has too."""
        return f"{self.number:06d}-{self.digest}"

    @property
    def chunks(self) -> str:
        """Collection of the chunks."""
        return self._part("chunks")

    @property
    def sentences(self) -> str:
        """Collection of the sentences."""
        return self._part("sentences")

    @property
    def files(self) -> str:
        """Collection of documents, chunks and terms as files."""
        return self._part("files")

    @property
    def all(self) -> tuple[str, str, str]:
        """All collections; the one that the alias points to is the last."""
        return self.files, self.sentences, self.chunks

    def _part(self, part: str) -> str:
        return f"{self.collection}_v{self.schema}_{self.number:06d}_{self.digest}_{part}"


def read_name(index: str, collection: str) -> Names | None:
    """Return the generation that a collection belongs to, None if it is none of the index.

    Args:
        index: name of the index.
        collection: name of the collection.
    """
    form = rf"{re.escape(index)}_v(\d+)_(\d{{6,}})_([0-9a-f]{{16}})_(?:chunks|sentences|files)"
    match = re.fullmatch(form, collection)
    return Names(index, int(match[1]), int(match[2]), match[3]) if match else None


def generations(index: str, collections: Iterable[str]) -> list[Names]:
    """Return the generations of an index, complete or not, of any schema, oldest first.

    Args:
        index: name of the index.
        collections: names of all collections of the server.
    """
    found = {names for each in collections if (names := read_name(index, each))}
    return sorted(found, key=lambda names: (names.number, names.digest, names.schema))
