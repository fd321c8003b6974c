"""Structure-aware splitting: chunks never cut a fence, a name or a sentence in two.

Atoms (`ingest/atoms.py`) are packed into chunks up to a maximum number of the embedder's tokens. A chunk may
repeat the last sentence of the one before it in its section. Its context line holds what is needed to
understand it: the release, the heading path, and the parent lines of list items outside the chunk.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any

from langchain_text_splitters import TextSplitter

from ingest.atoms import Atom, AtomCutter
from ingest.chunk import (
    CONTEXT_TOKENS,
    LEAST_TOKENS,
    MAX_TOKENS,
    PARENT_TOKENS,
    Chunk,
    embedded_text,
    sentence_texts,
)
from ingest.document import Document
from ingest.markup import inline_text, reading_text
from ingest.section import Section, parse_sections
from ingest.segment import Segmenter
from ingest.sentence import sentences_of, split_prose

__all__ = ["CONTEXT_TOKENS", "MAX_TOKENS", "Chunk", "ReleaseNoteSplitter", "embedded_text", "sentence_texts"]

#: Characters of a token at most, as read and with the markup: several times those of real notes.
_CHARACTERS_READ, _CHARACTERS_WRITTEN = 20, 100
_MAX_PARENT = 2000  # characters of a parent line; some dozen tokens of it are kept


class ReleaseNoteSplitter(TextSplitter):
    """Splits release documents by structure.

    Args:
        count_tokens: returns the number of the embedder's tokens of a text.
        segmenter: finds word boundaries.
        max_tokens: maximum number of tokens of a chunk, context line included.
        **options: further options of `TextSplitter`.

    Raises:
        ValueError: `max_tokens` is less than `LEAST_TOKENS`.
    """

    def __init__(
        self,
        count_tokens: Callable[[str], int],
        segmenter: Segmenter,
        *,
        max_tokens: int = MAX_TOKENS,
        **options: Any,
    ) -> None:
        if max_tokens < LEAST_TOKENS:
            raise ValueError(
                f"max_tokens is {max_tokens}; give at least {LEAST_TOKENS}, for example {MAX_TOKENS}"
            )
        super().__init__(chunk_size=max_tokens, chunk_overlap=0, length_function=count_tokens, **options)
        self._count_tokens = count_tokens
        self._segmenter = segmenter
        self.max_tokens = max_tokens

    def split_text(self, text: str) -> list[str]:
        """Split a Markdown text without metadata.

        Args:
            text: a Markdown text.
        """
        document = Document("text", "", "", None, "user", "en", None, text, "text")
        return [text[chunk.start : chunk.end] for chunk in self.split_document(document)]

    def split_document(self, document: Document) -> list[Chunk]:
        """Split a document into chunks that cover all its sections.

        Args:
            document: the document.
        """
        chunks: list[Chunk] = []
        seen: dict[str, int] = {}
        for number, section in enumerate(parse_sections(document)):
            quotable = [
                sentence
                for block, following in zip_longest(section.blocks, section.blocks[1:])
                if not (block.kind == "heading" and following and following.kind == "heading")
                for sentence in sentences_of(document.text, block)
            ]
            begins = [sentence.start for sentence in quotable]
            for start, end, context in self._pack(document, section):
                within = quotable[bisect_left(begins, start) : bisect_left(begins, end)]
                key = "\0".join((document.id, *section.headings, document.text[start:end]))
                digest = hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:16]
                seen[digest] = seen.get(digest, -1) + 1
                chunks.append(
                    Chunk(
                        id=f"{digest}-{seen[digest]}" if seen[digest] else digest,
                        document_id=document.id,
                        section=number,
                        section_id=section.id,
                        headings=section.headings,
                        status=section.status,
                        url=section.url,
                        start=start,
                        end=end,
                        context=context,
                        sentences=tuple(s for s in within if s.end <= end),
                    )
                )
        return chunks

    def _pack(self, document: Document, section: Section) -> Iterator[tuple[int, int, str]]:
        """Yield spans of consecutive atoms, as many as fit, each with its context line."""
        text = document.text
        path = self._path(document, section)
        room = self.max_tokens - self._count_tokens(f"{path}\n") - 1
        # A chunk of a single atom must have room for the parent lines of its list.
        nested = any(block.parent for block in section.blocks)
        limit = room - min(PARENT_TOKENS, self.max_tokens // 4) - 1 if nested else room
        lists = _Lists(section)
        atoms = list(AtomCutter(text, self._count, self._segmenter, limit).atoms(section))
        first = 0
        while first < len(atoms):
            last = first
            total = atoms[first].tokens
            for atom in atoms[first + 1 :]:
                total += atom.tokens
                if total > room or atom.fence != atoms[first].fence:
                    break
                last += 1
            context = self._context(path, text, lists, atoms[first], atoms[last])
            # Token counts are not additive: markup can span atoms, and parent lines may be needed.
            while last > first and not self._fits(context, text[atoms[first].start : atoms[last].end]):
                last -= 1
                context = self._context(path, text, lists, atoms[first], atoms[last])
            yield atoms[first].start, atoms[last].end, context
            repeated = last > first and self._may_repeat(atoms[last : last + 2], limit)
            if repeated:
                repeated = self._fits(
                    self._context(path, text, lists, *atoms[last : last + 2]),
                    text[atoms[last].start : atoms[last + 1].end],
                )
            first = last if repeated else last + 1

    def _may_repeat(self, pair: list[Atom], limit: int) -> bool:
        """Return whether the next chunk may repeat this one's last atom and still has room for new text."""
        return (
            len(pair) == 2
            and pair[0].whole
            and pair[0].fence == pair[1].fence
            and pair[0].tokens + pair[1].tokens <= limit // 2
        )

    def _fits(self, context: str, shown: str) -> bool:
        read = reading_text(shown)
        tokens = self._count_tokens(f"{context}\n{read}")
        return max(tokens, _length_in_tokens(shown, read)) <= self.max_tokens

    def _count(self, text: str) -> int:
        """Return the number of tokens of a text as it is embedded; of what has hardly any, by its length."""
        read = reading_text(text)
        return max(self._count_tokens(read), _length_in_tokens(text, read))

    def _path(self, document: Document, section: Section) -> str:
        """Return release and heading path; outer headings are dropped if it is too long."""
        name = f"PyTorch {document.release}" if document.release else " ".join(document.title.split())
        path = [h for h in section.headings if h and h != name]
        cap = min(CONTEXT_TOKENS, self.max_tokens // 4)
        while len(path) > 1 and self._count_tokens(" > ".join([name, *path])) > cap:
            path.pop(0)
        # A single long title is cut between words; the text itself has it in full.
        return self._cut(" > ".join([name, *path]), cap)

    def _context(self, path: str, text: str, lists: _Lists, head: Atom, tail: Atom) -> str:
        """Return the context line: the path, then the parents of list items that are outside the chunk."""
        start, end = head.start, tail.end
        parents = lists.parents(start, end)
        if not parents:
            return path
        cap = min(PARENT_TOKENS, self.max_tokens // 4)
        lines = [_parent_line(text[first:last]) for first, last in sorted(parents)]
        joint = self._count_tokens(" > ")
        # The nearest parent matters most: it gets what the others leave.
        share = cap // len(lines) - joint
        cut = [self._cut(line, share) for line in lines[:-1]]
        cut.append(self._cut(lines[-1], cap - joint - sum(self._count_tokens(line) + joint for line in cut)))
        return " > ".join([path, *(line for line in cut if line)])

    def _cut(self, line: str, cap: int) -> str:
        """Return as many of the first words of a line as fit, or the beginning of a single long name."""
        if self._count_tokens(line) <= cap:
            return line
        for pieces in (self._segmenter.words(line), list(line)):
            while pieces and self._count_tokens("".join(pieces)) > cap:
                pieces = pieces[: len(pieces) * 7 // 8]
            if pieces:
                return "".join(pieces).rstrip()
        return ""


def _length_in_tokens(written: str, read: str) -> int:
    """Return how many tokens the length of a text stands for at least.

    White space, characters that are not shown, addresses and comments cost no token: without this, a chunk
    could have any length, and with it the time that a question takes which meets it.
    """
    return max(len(read) // _CHARACTERS_READ, len(written) // _CHARACTERS_WRITTEN)


class _Lists:
    """Parent lines of the list items of a section."""

    def __init__(self, section: Section) -> None:
        self._spans = [(block.start, block.end) for block in section.blocks]
        self._above = {(block.start, block.end): block.parent for block in section.blocks}
        self._starts = [start for start, _ in self._spans]
        self._ends = [end for _, end in self._spans]

    def parents(self, start: int, end: int) -> set[tuple[int, int]]:
        """Return the parent lines of a span that are outside of it."""
        found: set[tuple[int, int]] = set()
        for span in self._spans[bisect_right(self._ends, start) : bisect_left(self._starts, end)]:
            parent = self._above[span]
            while parent and parent not in found and not (start <= parent[0] and parent[1] <= end):
                found.add(parent)
                parent = self._above.get(parent)
        return found


def _parent_line(parent: str) -> str:
    """Return a parent line as plain text; of an introducing paragraph, only the last sentence.

    Of a long one a part is read: each chunk below it does so.
    """
    line = parent.strip()
    if line.rstrip("* ").endswith((":", "：")):
        line = split_prose(line[-_MAX_PARENT:])[-1]
    return inline_text(reading_text(line[:_MAX_PARENT]))
