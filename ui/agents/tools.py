"""The tools of the MCP server. Agents read the docstrings as the descriptions of the tools."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from assistant.answer import Answer
from assistant.assistant import Assistant
from assistant.factory import AssistantFactory
from assistant.query.question_language import question_language
from assistant.query.validation import check_feature, check_language, check_release
from assistant.release_diff.upgrade import GROUPS, upgrade
from assistant.retrieval.alignment import TranslationAligner
from assistant.timeline.lookup import features_named
from assistant.timeline.model import TimelineStep
from assistant.upgrade import words
from assistant.upgrade.finding import UpgradeReport
from assistant.upgrade.groups import by_symbol
from assistant.upgrade.pasted import report_on_code
from assistant.upgrade.report import upgrade_report
from index.search.passage import Passage
from ingest.document import Language
from ingest.errors import TorchnotesError
from ingest.markup import inline_text, reading_text
from ingest.release import Release
from ui.agents.results import (
    AskResult,
    ChangedItem,
    CitedSource,
    CodeFinding,
    CompareResult,
    Feature,
    FoundPassage,
    HistoryResult,
    HistoryStep,
    SearchReply,
    UpgradeResult,
)

MOST_PASSAGES = 20
MOST_ITEMS = 40
_MOST_FINDINGS = 30
_MOST_PLACES = 10
_MOST_SKIPPED = 5
_FIRST = Release(1, 0)


class Tools:
    """The tools.

    Args:
        factory: creates the assistant, at the first call that needs it.
        root: the only folder whose files `upgrade` reads.
    """

    def __init__(self, factory: AssistantFactory, root: Path) -> None:
        self._factory = factory
        self._root = root.resolve()

    def assistant(self) -> Assistant:
        """Return the assistant for the current index; the first call builds the index if there is none."""
        return self._factory.latest()

    def ask(self, question: str, releases: list[str] | None = None, language: str = "") -> AskResult:
        """Answer a question about PyTorch releases from the release notes, every sentence cited.

        Use it for "since when", "what changed", "why does this warning come", "what replaces". If the notes
        do not answer, "declined" is true: then do not answer from memory as if the notes had told it.

        Args:
            question: one question in English or Chinese, such as "what is new in torch.compile in 2.4?".
            releases: use only these releases, such as ["2.6"]; leave out for all.
            language: language of the answer, "zh" or "en"; leave out for that of the question.
        """
        spoken = check_language(language) if language else None
        # The agent is a language model itself: it gets the notes' own sentences.
        answer = self.assistant().ask(question, releases=releases or None, language=spoken, use_model=False)
        told = list(answer.notices)
        return AskResult(answer.text, answer.abstained, _sources(answer), told, answer.versions)

    def search(
        self, query: str, releases: list[str] | None = None, limit: int = 5, language: str = ""
    ) -> SearchReply:
        """Find the passages of the PyTorch release notes that are nearest to a query, best first.

        Use it to read more than `ask` quotes, or if `ask` declines.

        Args:
            query: question, keywords or API names in English or Chinese.
            releases: use only these releases, such as ["2.4"]; leave out for all.
            limit: number of passages, 1 to 20.
            language: preferred language of the passages, "zh" or "en"; leave out for that of the query.
        """
        if not 1 <= limit <= MOST_PASSAGES:
            raise TorchnotesError(f"limit is {limit}; give 1 to {MOST_PASSAGES}")
        spoken = check_language(language) if language else question_language(query)
        assistant = self.assistant()
        # A section may be found in both languages.
        found = assistant.passages(query, releases=releases or None, top_k=2 * limit)
        native = TranslationAligner(assistant.retriever).native(found, spoken)
        return SearchReply([_passage(each) for each in native[:limit]])

    def history(self, feature: str, language: str = "") -> HistoryResult:
        """Return the history of a PyTorch feature: since which release it exists, and each status since.

        Use it before you rely on a feature: a prototype may change or go without a deprecation.

        Args:
            feature: name of the feature, such as "FlexAttention" or "torch.compile".
            language: language of names and quotes, "zh" or "en"; leave out for that of the name.
        """
        name = check_feature(feature)
        assistant = self.assistant()
        hint = "give the name of one, or use the tool search"
        found = features_named(name, assistant.histories(), assistant.glossary, hint=hint)
        spoken = check_language(language) if language else question_language(name)
        return HistoryResult(
            [Feature(each.names[spoken], [_step(step, spoken) for step in each.steps]) for each in found]
        )

    def compare(
        self,
        older: str,
        newer: str,
        groups: list[str] | None = None,
        about: str = "",
        limit: int = 20,
        language: str = "en",
    ) -> CompareResult:
        """Compare two PyTorch releases: breaking changes, deprecations, changes of status, new features.

        Use it to plan an upgrade without code at hand; with code, use the tool upgrade.

        Args:
            older: a release, such as "2.4".
            newer: a later release; changes of the releases between them are included.
            groups: of "breaking", "deprecated", "changed", "new", "additions"; the first three if left out.
            about: only changes whose name or sentence contains this text, such as "export".
            limit: number of changes to list, 1 to 40.
            language: language of names and quotes, "zh" or "en".
        """
        wanted = tuple(groups or GROUPS[:3])
        if unknown := [group for group in wanted if group not in GROUPS]:
            raise TorchnotesError(f"groups holds {unknown[0]!r}; give some of {', '.join(GROUPS)}")
        if not 1 <= limit <= MOST_ITEMS:
            raise TorchnotesError(f"limit is {limit}; give 1 to {MOST_ITEMS}")
        spoken = check_language(language)
        assistant = self.assistant()
        first, second = check_release(older), check_release(newer)
        found = upgrade(assistant.retriever.generation, assistant.histories(), first, second)
        changes = [
            ChangedItem(
                group=group,
                name=item.names[spoken],
                release=str(item.release),
                status=item.status,
                before=item.before,
                quote=inline_text(reading_text(item.quote(spoken))),
                url=item.told(spoken).url,
            )
            for group in GROUPS
            if group in wanted
            for item in found.groups[group]
        ]
        folded = about.strip().casefold()
        fitting = [each for each in changes if folded in f"{each.name}\n{each.quote}".casefold()]
        return CompareResult(
            older=str(found.older),
            newer=str(found.newer),
            changes=fitting[:limit],
            total={group: len(items) for group, items in found.groups.items()},
            left_out=max(0, len(fitting) - limit),
        )

    def upgrade(
        self, code: str = "", path: str = "", older: str = "", newer: str = "", language: str = "en"
    ) -> UpgradeResult:
        """Tell what breaks in code when PyTorch is upgraded: removed and deprecated APIs, changed defaults.

        Use it on code that you have just written, with the project's release as `newer`, and on a project
        before it is upgraded. What the code does by hand and a release brought is told too, as kind "new".
        Nothing is run, nothing is written.

        Args:
            code: Python code, at most 200,000 characters; or else
            path: a file or folder inside the folder that this server was started in, such as "." or "src".
            older: release that the code was written for, such as "2.3". Left out, of `code` everything that
                has changed is told, of a path what has changed since the release that its files pin.
            newer: release that it is to run on; leave out for what is installed, or the newest of the notes.
            language: language of the quotes, "zh" or "en".
        """
        spoken = check_language(language)
        first = check_release(older) if older else None
        second = check_release(newer) if newer else None
        if bool(code.strip()) == bool(path):
            raise TorchnotesError('give one of code (Python as text) and path (such as "."), not both')
        if code.strip():
            report = report_on_code(code, first or _FIRST, second, spoken, ask_installed=True)
            report = report if first else replace(report, older_from="left out: all that has changed")
        else:
            report = upgrade_report(self._inside(path), older=first, newer=second, language=spoken)
        return _upgrade_result(report, spoken)

    def _inside(self, path: str) -> Path:
        """Return a path that an agent names, if it leads into the folder that was opened to it."""
        try:
            full = (self._root / path).resolve()
        except (OSError, ValueError, RuntimeError) as error:
            raise TorchnotesError(f"{path!r} is not a path ({error}); give one such as '.'") from None
        if not full.is_relative_to(self._root):
            raise TorchnotesError(
                f"{path!r} is outside of {self._root}; give a path inside, or start the server there: "
                "torchnotes mcp --root FOLDER"
            )
        return full


def _sources(answer: Answer) -> list[CitedSource]:
    return [CitedSource(each.number, each.version, each.quote, each.url) for each in answer.citations]


def _passage(passage: Passage) -> FoundPassage:
    return FoundPassage(
        release=passage.version,
        heading=passage.heading,
        status=passage.status,
        url=passage.url,
        text=passage.text,
    )


def _step(step: TimelineStep, language: Language) -> HistoryStep:
    source = step.told(language)[0]
    quote = source.text(source.sentence) or source.text(source.heading)
    return HistoryStep(
        release=str(step.release),
        date=str(step.date or ""),
        status=step.status,
        quote=inline_text(reading_text(quote)),
        url=source.url,
    )


def _upgrade_result(report: UpgradeReport, language: Language) -> UpgradeResult:
    groups = by_symbol(report.findings)
    findings = [
        CodeFinding(
            places=[f"{each.place.file}:{each.place.line}" for each in group.findings[:_MOST_PLACES]],
            uses=len(group.findings),
            code=first.place.code,
            symbol=first.symbol,
            kind=first.kind,
            certainty=first.certainty,
            release=first.release,
            removed_in=first.removed_in,
            quote=first.quote,
            url=first.url,
            replacement=list(first.replacement),
            why=first.why,
        )
        for group in groups[:_MOST_FINDINGS]
        for first in [group.first]
    ]
    skipped = report.searched.skipped
    lines = [words.searched(report.searched, language)]
    lines += [f"{words.SKIPPED[language]}: {each.file}: {each.reason}" for each in skipped[:_MOST_SKIPPED]]
    lines += [f"… ({len(skipped)})"] if len(skipped) > _MOST_SKIPPED else []
    return UpgradeResult(
        older=str(report.older),
        newer=str(report.newer),
        older_from=report.older_from,
        newer_from=report.newer_from,
        findings=findings,
        counts=dict(report.counts()),
        left_out=max(0, len(groups) - _MOST_FINDINGS),
        searched="\n".join(lines),
    )
