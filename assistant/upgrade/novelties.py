"""Findings that break nothing: statuses that changed, and what is new and useful for the code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.text.messages import STATUS_NAMES
from assistant.upgrade.finding import Finding, Place
from assistant.upgrade.quotes import saying_quote, section_quote
from assistant.upgrade.reading import Part
from assistant.upgrade.uses import Use
from corpus.news import FeatureStatus, News, StatusStep, load_news, load_statuses
from ingest.document import Language
from ingest.release import Release
from ingest.status import SAID

_PUBLIC: dict[Language, str] = {"en": "public API", "zh": "公开 API"}
_SAYS_PUBLIC = r"\bpublic\b|公开"
_CHANGED: dict[Language, str] = {
    "en": "{before} since {since} → {after} since {release}",
    "zh": "自 {since} 起{before} → 自 {release} 起{after}",
}


class Novelties:
    """What an upgrade brings to code beside what it breaks.

    Args:
        older, newer: the releases.
        language: language of the quotes.
    """

    def __init__(self, older: Release, newer: Release, language: Language) -> None:
        self._language: Language = language
        self._news = {each for each in load_news() if older < Release.parse(each.release) <= newer}
        self._features = {
            name: (feature, before, after)
            for feature in load_statuses()
            if (before := _step(feature, older)) and (after := _step(feature, newer))
            if before.status != after.status
            for name in feature.names
        }

    def findings(self, part: Part) -> Iterator[Finding]:
        """Yield what concerns the code of a file.

        Args:
            part: the file, or the cells of a notebook.
        """
        if part.code is None:
            return
        yield from self._statuses(part, part.code.uses)
        for each in part.code.by_hand:
            if each.news in self._news and not each.versioned:
                yield self._new(part.place(each.node), each.news)

    def _statuses(self, part: Part, uses: tuple[Use, ...]) -> Iterator[Finding]:
        """Yield one finding for each feature that the file uses, where it does so first."""
        first: dict[str, tuple[int, str, Use]] = {}
        for use in uses if self._features else ():
            name = "" if use.member or use.guarded else self._feature(use.names[0])
            if name:
                line = getattr(use.node, "lineno", 0)
                key = self._features[name][0].names[0]
                if key not in first or line < first[key][0]:
                    first[key] = line, name, use
        for _, name, use in first.values():
            feature, before, after = self._features[name]
            yield self._status(part.place(use.node), name, feature, before, after, sure=use.sure)

    def _feature(self, name: str) -> str:
        """Return the longest name of a feature that a name is, or is in; "" if there is none."""
        while name and name not in self._features:
            name = name.rpartition(".")[0]
        return name

    def _status(
        self,
        place: Place,
        name: str,
        feature: FeatureStatus,
        before: StatusStep,
        after: StatusStep,
        *,
        sure: bool,
    ) -> Finding:
        pattern = _SAYS_PUBLIC if after.status == "public" else SAID[after.status]  # type: ignore[index]
        quote = saying_quote(after.release, after.section, pattern, self._language)
        moved = after.status == "public" and not name.startswith(feature.public)
        return Finding(
            place=place,
            symbol=name,
            kind="status",
            certainty="sure" if sure else "likely",
            release=after.release,
            since=after.release,
            removed_in="",
            quote=quote.text,
            url=quote.url,
            replacement=(feature.public,) if moved else (),
            check="",
            section=after.section,
            why=_CHANGED[self._language].format(
                before=self._named(before),
                since=before.release,
                after=self._named(after),
                release=after.release,
            ),
        )

    def _new(self, place: Place, news: News) -> Finding:
        if news.tells:
            quote = saying_quote(news.release, news.section, re.escape(news.tells), self._language)
        else:
            quote = section_quote(news.release, news.section, news.names[0], self._language)
        return Finding(
            place=place,
            symbol=news.names[0],
            kind="new",
            certainty="sure",
            release=news.release,
            since=news.release,
            removed_in="",
            quote=quote.text,
            url=quote.url,
            replacement=news.names,
            check="",
            section=news.section,
            why=news.seen_zh if self._language == "zh" else news.seen_en,
        )

    def _named(self, step: StatusStep) -> str:
        if step.status == "public":
            return _PUBLIC[self._language]
        return STATUS_NAMES[self._language][step.status]  # type: ignore[index]


def _step(feature: FeatureStatus, release: Release) -> StatusStep | None:
    """Return the last step of a feature up to a release."""
    found = [each for each in feature.steps if Release.parse(each.release) <= release]
    return found[-1] if found else None
