"""Formatting of a comparison as a Markdown document: one section per group, one line per item.

Text from documents is escaped where Markdown would interpret it as markup, a link or a tag. Code spans are
kept, and sentences lose their own links and tags, but no words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

from assistant.release_diff.item import Item
from assistant.release_diff.sections import saying
from assistant.release_diff.upgrade import Upgrade
from assistant.text.messages import (
    OF_A_PART,
    STATUS_NAMES,
    UPGRADE_GROUPS,
    UPGRADE_NONE,
    UPGRADE_NOTES,
    UPGRADE_TITLE,
)
from ingest.code_spans import outside_code
from ingest.document import Language
from ingest.markup import reading_text

_LIST_MARK = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s+")
#: Markdown syntax; underscores within a word are literal.
_MARK = re.compile(r"[\\`*\[\]<>|~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
_SCHEME = re.compile(r"https?://", re.I)
_URL_CHARACTERS = "!#$%&'*+,/:;=?@[]~"  # not percent-encoded; parentheses and quotes are


#: Groups whose heading gives the status of the items.
TOLD_BY_HEADING = ("breaking", "deprecated")


def to_markdown(upgrade: Upgrade, language: Language) -> str:
    """Format a comparison as a Markdown document.

    Args:
        upgrade: the comparison.
        language: language of the headings, and preferred language of quotes.
    """
    parts = [f"# {title(upgrade, language)}", introduction(upgrade, language)]
    for name, items in upgrade.groups.items():
        parts.append(f"## {UPGRADE_GROUPS[language][name]} ({len(items)})")
        lines = [f"- {' · '.join(_parts(item, name, language))}" for item in items]
        parts.append("\n".join(lines) or UPGRADE_NONE[language])
    return "\n\n".join(parts) + "\n"


def title(upgrade: Upgrade, language: Language) -> str:
    """Return the title of a comparison.

    Args:
        upgrade: the comparison.
        language: language of the title.
    """
    return UPGRADE_TITLE[language].format(older=upgrade.older, newer=upgrade.newer)


def introduction(upgrade: Upgrade, language: Language) -> str:
    """Return a sentence that names the releases covered.

    Args:
        upgrade: the comparison.
        language: language of the sentence.
    """
    separator = "、" if language == "zh" else ", "
    return UPGRADE_NOTES[language].format(releases=separator.join(map(str, upgrade.between)))


def change_words(item: Item, language: Language) -> str:
    """Describe the status of an item, with the previous one if there was one: "Prototype → Beta".

    Args:
        item: the item.
        language: language of the description.
    """
    names = STATUS_NAMES[language]
    if not item.before:
        return names[item.status]
    before = names[item.before]
    if not item.before_whole:
        before = OF_A_PART[language].format(status=before)
    return f"{before} → {names[item.status]}"


def shown_quote(item: Item, language: Language) -> str:
    """Return the sentence that states an item as one line of text and code; "" if only the heading does.

    Args:
        item: the item.
        language: preferred language.
    """
    said = reading_text(saying(item.told(language)))
    return " ".join(_LIST_MARK.sub("", said).split())


def escaped(text: str) -> str:
    r"""Escape Markdown syntax in a text; code spans are kept.

    Args:
        text: text that is to be shown literally.

    >>> escaped("`a_b|c`, __init__ [1] <b> *x* a_b | R&amp;D `")
    '`a_b|c`, \\_\\_init\\_\\_ \\[1\\] \\<b\\> \\*x\\* a_b \\| R\\&amp;D \\`'
    """
    return outside_code(text, lambda prose: _MARK.sub(r"\\\g<0>", prose))


def _parts(item: Item, group: str, language: Language) -> Iterator[str]:
    """Yield name, status, release, sentence and source of an item."""
    yield f"**{escaped(item.names[language])}**"
    if group not in TOLD_BY_HEADING:
        yield change_words(item, language)
    yield str(item.release)
    said = shown_quote(item, language)
    if said:
        yield escaped(said)
    source = item.told(language)
    label = f"PyTorch {item.release}"
    if _SCHEME.match(source.url):
        yield f"[{label}]({quote(source.url, safe=_URL_CHARACTERS)})"
    else:
        yield escaped(" ".join((source.url or source.document.title or label).split()))
