"""Detection of a document's title, language, release, kind, date and original address.

Sources are tried in order: declared metadata (front matter, JSON of a release, head of a page), then what the
text says of itself (its original, its announcement), links, and the file name. The title comes last, because
some translated posts kept the title and date of an earlier release. Facts without a source stay empty.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import PurePath
from urllib.parse import urlsplit

from ingest.addresses import (
    is_blog,
    is_release_page,
    is_web,
    release_of_name,
    release_of_url,
    release_page,
    urls,
)
from ingest.cleaning import BOX_LINE
from ingest.document import KINDS, LANGUAGES, Kind, Language
from ingest.language import document_language
from ingest.release import Release

_OPENING = 4000  # characters at the start that are searched
_NAMED = re.compile(r"pytorch\s?(?:®|™)?\s?v?(\d)\.(\d{1,2})(?!\d)", re.I)
_ANNOUNCED = re.compile(
    r"(?:\b(?:announce|announcing|excited)\b|宣布)[^。，,;；\n]{0,60}?pytorch\s?(?:®|™)?\s?v?(\d)\.(\d{1,2})(?!\d)",
    re.I,
)
_NOTES_TITLE = re.compile(
    r"pytorch v?(\d\.\d{1,2}(?:\.\d+)?)\s*(?:release(?: notes?)?|发布说明|发行说明|版本说明)\s*$", re.I
)
_NOTES_HEADING = re.compile(
    r"^#{1,3}[ \t]+(?:highlights|tracked regressions|backwards? incompatible changes|deprecations?"
    r"|new features|improvements|bug ?fixes|performance|documentation|developers|security"
    r"|亮点|向后不兼容[^\n]*|弃用|新功能|改进|错误修复|性能|文档|开发者)[ \t]*$",
    re.I | re.M,
)
_SOURCES = re.compile(
    r"^[#* \t]*(?:参考(?:资料|文献|链接)?|资料来源|references?|sources?)[* \t]*[:：]?[* \t]*$", re.I | re.M
)
_DATE = re.compile(r"(\d{4})\s*(?:-|/|\.|年)\s*(\d{1,2})\s*(?:-|/|\.|月)\s*(\d{1,2})")
_TITLE_MARKS = re.compile(r"^#+\s+|(?<!\s)\s+#+\s*$|\{#[\w-]+\}\s*$")


@dataclass(frozen=True, slots=True)
class Metadata:
    """Metadata of a document; the fields have the same meaning as those of `Document`.

    Attributes:
        title: see `Document`.
        url: see `Document`.
        release: see `Document`.
        kind: see `Document`.
        language: see `Document`.
        date: see `Document`.
        heading_misleads: the heading at the top names another release than the document is about.
    """

    title: str
    url: str
    release: Release | None
    kind: Kind
    language: Language
    date: date | None
    heading_misleads: bool


def detect(fields: Mapping[str, str], body: str, text: str, origin: str) -> Metadata:
    """Detect the metadata of a document.

    Args:
        fields: declared metadata: title, url, release, kind, language, date (all optional), and page_title,
            which is used only if the text has no title. Unknown values, such as kind "page" of a site
            generator, are ignored.
        body: the text before cleaning, which may contain a translation box.
        text: the text after cleaning.
        origin: path or URL that it was loaded from.
    """
    title = fields.get("title") or title_of(text) or fields.get("page_title") or _stem(origin)
    original = _original(fields, body, origin)
    release = _release(fields, body, text, origin, original, title)
    kind = _kind(fields, text, origin, original, title)
    misleads = _misleads(title, release)
    heading_misleads = misleads or _misleads(title_of(text), release)
    return Metadata(
        title=_honest_title(release, kind, _language(fields, text)) if misleads and release else title,
        url=_url(kind, original, body, origin, release, title),
        release=release,
        kind=kind,
        language=_language(fields, text),
        date=_date(fields, body, heading_misleads),
        heading_misleads=heading_misleads,
    )


def title_of(text: str) -> str:
    """Return the heading at the top of a text without markup, "" if it does not start with one.

    Args:
        text: a Markdown text.
    """
    first = next((line for line in text.split("\n") if line.strip()), "")
    return _TITLE_MARKS.sub("", first).strip() if first.startswith("#") else ""


def _language(fields: Mapping[str, str], text: str) -> Language:
    declared = fields.get("language", "").lower().replace("_", "-").partition("-")[0]
    return next((language for language in LANGUAGES if language == declared), None) or document_language(text)


def _original(fields: Mapping[str, str], body: str, origin: str) -> str:
    """Return the address that a document declares as its own, "" if there is none."""
    declared = fields.get("url") or fields.get("original") or fields.get("source") or ""
    if is_web(declared):
        return declared
    for label in (("原文", "original"), ("来源", "source")):
        for value in _box_values(body, label):
            if found := next(urls(value), None):
                return found
    if is_web(origin):
        return origin
    # An article whose only source is a blog post is a retelling of it.
    if heading := _last(_SOURCES, body):
        posts = {url for url in urls(_paragraph(body[heading.end() :])) if is_blog(url)}
        if len(posts) == 1:
            return posts.pop()
    return ""


def _release(
    fields: Mapping[str, str], body: str, text: str, origin: str, original: str, title: str
) -> Release | None:
    for name in ("release", "version"):
        try:
            return Release.parse(fields.get(name, ""))
        except ValueError:
            continue  # an empty field, or the version of something else
    translations = [url for value in _box_values(body, ("翻译", "translation")) for url in urls(value)]
    for url in (original, *translations):
        if found := release_of_url(url):
            return found
    prose = _without_title(text)
    in_name = release_of_name(_stem(origin))
    named = (_announced(prose), _linked(prose), _told(prose), in_name, _named_in(title))
    # Each sign alone is weak: use the first one that another confirms, or one that none contradicts.
    signs = [sign for sign in named if sign]
    return next((sign for sign in signs if signs.count(sign) > 1), signs[0] if len(set(signs)) == 1 else None)


def _announced(prose: str) -> Release | None:
    """Return the release announced at the start of a text."""
    match = _ANNOUNCED.search(prose[:_OPENING])
    return Release(int(match[1]), int(match[2])) if match else None


def _linked(prose: str) -> Release | None:
    """Return the release in the links of a text if there is exactly one."""
    pages = (url for url in urls(prose) if is_blog(url) or is_release_page(url))
    named = {release for url in pages if (release := release_of_url(url))}
    return named.pop() if len(named) == 1 else None


def _told(prose: str) -> Release | None:
    """Return the release that a text names at least twice, and twice as often as any other."""
    counts = Counter(Release(int(match[1]), int(match[2])) for match in _NAMED.finditer(prose))
    ranked = counts.most_common(2)
    if not ranked or ranked[0][1] < 2 or (len(ranked) == 2 and ranked[0][1] < 2 * ranked[1][1]):
        return None
    return ranked[0][0]


def _misleads(title: str, release: Release | None) -> bool:
    """Return whether a title names another release than `release`."""
    return release is not None and _named_in(title) not in (None, release)


def _named_in(title: str) -> Release | None:
    named = {Release(int(match[1]), int(match[2])) for match in _NAMED.finditer(title)}
    return named.pop() if len(named) == 1 else None


def _kind(fields: Mapping[str, str], text: str, origin: str, original: str, title: str) -> Kind:
    declared = next((kind for kind in KINDS if kind == fields.get("kind", "").lower()), None)
    if declared:
        return declared
    if is_release_page(original):
        return "release-notes"
    if is_blog(original):
        return "blog"
    notes_headings = len({match[0].lower() for match in _NOTES_HEADING.finditer(text)})
    if notes_headings >= 3 and (_NOTES_TITLE.search(title) or "pytorch" in _stem(origin).lower()):
        return "release-notes"
    prose = _without_title(text)[:_OPENING]
    announces = _announced(prose) is not None and any(is_release_page(url) for url in urls(prose))
    return "blog" if announces else "user"


def _url(kind: Kind, original: str, body: str, origin: str, release: Release | None, title: str) -> str:
    if original or kind not in ("blog", "release-notes") or release is None:
        return original
    if match := _NOTES_TITLE.search(title):
        return release_page(match[1] if match[1].count(".") == 2 else f"{match[1]}.0")
    linked = (url for url in urls(body) if is_release_page(url) and release_of_url(url) == release)
    if found := next(linked, ""):
        return found
    return release_page(f"{release}.0") if kind == "release-notes" else ""


def _date(fields: Mapping[str, str], body: str, heading_misleads: bool) -> date | None:
    if declared := parse_date(fields.get("date", "")):
        return declared
    # A wrong title was copied together with the box, so the date is that of the other release as well.
    if heading_misleads:
        return None
    days = map(parse_date, _box_values(body, ("发布", "published", "日期", "date")))
    return next((day for day in days if day), None)


def parse_date(value: str) -> date | None:
    """Parse a date such as 2024-10-17, 2024-10-17T12:00:00Z, 2024/10/17 or 2024年10月17日.

    Args:
        value: any text.

    Returns:
        The date, None if the text does not start with a valid one.
    """
    match = _DATE.match(value.strip())
    try:
        return date(int(match[1]), int(match[2]), int(match[3])) if match else None
    except ValueError:
        return None


def _box_values(body: str, labels: tuple[str, ...]) -> list[str]:
    """Return the values of `label: value` lines near the top."""
    matches = (BOX_LINE.fullmatch(line.strip()) for line in body[:_OPENING].split("\n")[:60])
    return [match["value"] for match in matches if match and match["label"].lower() in labels]


def _honest_title(release: Release, kind: Kind, language: Language) -> str:
    names = {"release-notes": ("发布说明", "Release Notes"), "blog": ("发布博客", "Release Blog")}
    zh, en = names.get(kind, ("", ""))
    return f"PyTorch {release} {zh if language == 'zh' else en}".strip()


def _without_title(text: str) -> str:
    return text.lstrip("\n").partition("\n")[2] if title_of(text) else text


def _paragraph(text: str) -> str:
    return text.lstrip("\n").partition("\n\n")[0][:_OPENING]


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = deque(pattern.finditer(text), maxlen=1)
    return found[0] if found else None


def _stem(origin: str) -> str:
    path = urlsplit(origin).path.rstrip("/") if is_web(origin) else origin
    name = PurePath(path).name
    stem, dot, suffix = name.rpartition(".")
    return stem if dot and suffix.isalpha() else name
