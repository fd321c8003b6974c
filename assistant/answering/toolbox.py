"""The functions that a language model may call: search, history, compare, upgrade, checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from assistant.checks.registry import checks_of
from assistant.llm.tools import Tool, ToolResult
from assistant.query.validation import check_feature, check_release
from assistant.release_diff.upgrade import upgrade
from assistant.text.prompt_injection import instruction_in, trusted
from assistant.timeline.lookup import find, holding, nearest
from assistant.timeline.model import Histories, Source, status_words
from assistant.upgrade.pasted import report_on_code
from corpus.glossary import Glossary
from index.search.passage import Passage
from index.search.retriever import Retriever
from ingest.document import Language
from ingest.errors import TorchnotesError
from ingest.locked_property import locked_cached_property

_NAME, _RELEASE, _CODE = 200, 12, 8000  # characters of arguments
_PASSAGES = 6  # passages of one call
_LINES = 40  # lines of one result
_ITEMS = 12  # changes of a group that are listed
_SYMBOLS = 3  # names in code whose passages are looked up


@dataclass
class Toolbox:
    """Creates the functions for one index.

    Attributes:
        retriever: retriever of the index.
        glossary: finds features by their names.
        histories: returns the histories of the features.
        passages: searches for a text, best passages first.
    """

    retriever: Retriever
    glossary: Glossary
    histories: Callable[[], Histories]
    passages: Callable[[str], Sequence[Passage]]

    def tools(self, language: Language) -> tuple[Tool, ...]:
        """Return the functions.

        Args:
            language: language of names and quotes.
        """
        releases = {
            "older": ("The release before, such as 2.4.", _RELEASE),
            "newer": ("The release after, such as 2.6.", _RELEASE),
        }
        query = {"query": ("A few words; a release such as 2.4 restricts the search.", _NAME)}
        feature = {"feature": ("Its name, such as FlexAttention.", _NAME)}
        code = {"code": ("Python code of the question.", _CODE), **releases}
        release = {"release": ("A release, such as 2.4.", _RELEASE)}
        return (
            Tool("search", "Find passages of the release notes.", query, self._search),
            Tool(
                "history",
                "The status of a feature, release by release.",
                feature,
                lambda given: self._history(given["feature"], language),
            ),
            Tool(
                "compare",
                "What changes between two releases.",
                releases,
                lambda given: self._compare(given, language),
            ),
            Tool(
                "upgrade",
                "What breaks in code when torch is upgraded. The code is not run.",
                code,
                lambda given: self._upgrade(given, language),
            ),
            Tool(
                "checks",
                "Names of the programs that try claims about a release.",
                release,
                lambda given: _checks(given["release"], language),
            ),
        )

    def _search(self, given: Mapping[str, str]) -> ToolResult:
        found = [passage for passage in self.passages(given["query"]) if trusted(passage)][:_PASSAGES]
        lines = [f"- PyTorch {p.version} · {p.heading}: {p.text}" for p in found]
        return ToolResult(_count(len(found), "passage"), _joined(lines), tuple(found))

    def _history(self, feature: str, language: Language) -> ToolResult:
        known, name = self.histories(), check_feature(feature)
        found = find(name, known, self.glossary) or holding(name, known)
        if not found:
            near = ", ".join(nearest(name, known)) or "none"
            raise TorchnotesError(f"no feature {name!r} in the notes; near it are: {near}")
        told = found[0]
        lines = [f"- {step.release}: {status_words(step, language)}" for step in told.steps]
        sources = [step.told(language)[0] for step in told.steps]
        line = f"{told.names[language]}: {_count(len(lines), 'release')}"
        return ToolResult(line, _joined([told.names[language], *lines]), self._of(sources))

    def _compare(self, given: Mapping[str, str], language: Language) -> ToolResult:
        older, newer = check_release(given["older"]), check_release(given["newer"])
        change = upgrade(self.retriever.generation, self.histories(), older, newer)
        lines: list[str] = []
        sources: list[Source] = []
        for group, items in change.groups.items():
            lines += [f"- {group}, {item.release}: {item.names[language]}" for item in items[:_ITEMS]]
            sources += [item.told(language) for item in items[:2]]
        total = sum(len(items) for items in change.groups.values())
        line = f"{change.older} -> {change.newer}: {_count(total, 'change')}"
        return ToolResult(line, _joined(lines), self._of(sources))

    def _upgrade(self, given: Mapping[str, str], language: Language) -> ToolResult:
        older, newer = check_release(given["older"]), check_release(given["newer"])
        findings = report_on_code(given["code"], older, newer, language).findings
        lines = [f"- line {f.place.line}, {f.symbol}, {f.kind}: {f.quote}" for f in findings]
        symbols = list(dict.fromkeys(f.symbol for f in findings if f.source == "notes"))[:_SYMBOLS]
        found = [passage for symbol in symbols for passage in self.passages(symbol)[:2] if trusted(passage)]
        return ToolResult(_count(len(findings), "finding"), _joined(lines), tuple(found))

    def _of(self, sources: Iterable[Source]) -> tuple[Passage, ...]:
        """Return the passages of sections, as far as they may be shown to a language model."""
        rows = (self._rows.get(source.chunk.id) for source in sources)
        found = (self.retriever.passage(row) for row in dict.fromkeys(rows) if row is not None)
        return tuple(passage for passage in found if trusted(passage))[:_PASSAGES]

    @locked_cached_property
    def _rows(self) -> dict[str, int]:
        """Rows of the chunks by their ids."""
        return {chunk.id: row for row, chunk in enumerate(self.retriever.generation.chunks)}


def _checks(release: str, language: Language) -> ToolResult:
    found = checks_of(str(check_release(release)))
    lines = [f"- {check.id}: {check.claim[language]}" for check in found]
    return ToolResult(_count(len(found), "check"), _joined(lines))


def _joined(lines: Sequence[str]) -> str:
    """Join lines for a model, without those that speak to it."""
    kept = [line for line in lines[:_LINES] if not instruction_in(line)]
    more = f"\n({len(lines) - _LINES} more)" if len(lines) > _LINES else ""
    return "\n".join(kept) + more if kept else "nothing"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
