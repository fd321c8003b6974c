"""The Chinese digests call one thing by one word."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from corpus.glossary import load_glossary
from tests.corpus.copying import LINK
from tests.rows import each_row

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DIGESTS = Path(__file__).resolve().parents[2] / "corpus" / "digests" / "zh"
TERMS = tomllib.loads(Path(__file__).with_name("terms.toml").read_text(encoding="utf-8"))["term"]
UNUSED = [(term["word"], re.compile(pattern)) for term in TERMS for pattern in term["not"]]
#: Code and links are as they are; the lines of search words hold other names on purpose, for who types them.
_LEFT_OUT = re.compile(
    rf"^(?P<fence>```+|~~~+).*?^(?P=fence)|`[^`\n]*`|{LINK}|\{{#[a-z0-9-]+\}}|^相关：[^\n]*", re.M | re.S
)


def prose(text: str) -> str:
    """A digest without what is left out, line numbers kept."""
    return _LEFT_OUT.sub(lambda found: "\n" * found[0].count("\n"), text)


def variants(text: str) -> list[str]:
    """Where a text uses a variant: the line, the variant, the word to write."""
    return [
        f"{number}: {found[0]}, write {word}"
        for number, line in enumerate(text.split("\n"), 1)
        for word, unused in UNUSED
        for found in unused.finditer(line)
    ]


@each_row("path", sorted(DIGESTS.glob("*.md")), ids=lambda path: path.stem)
def test_a_digest_uses_no_variant(path: Path) -> None:
    assert variants(prose(path.read_text(encoding="utf-8"))) == []


def test_the_explanations_of_the_glossary_use_no_variant() -> None:
    assert {entry.id: found for entry in load_glossary().terms if (found := variants(entry.what_zh))} == {}


def test_each_word_stands_once_and_is_no_variant() -> None:
    words = [term["word"] for term in TERMS]
    assert len(set(words)) == len(words) >= 30
    assert [word for word in words if variants(word)] == []


@each_row(
    ("text", "found"),
    [
        ("一处断图", ["1: 断图, write 图断裂"]),
        ("内存下降了\n会下降（lowering）到内核", ["2: 下降（, write lowering", "2: 会下降, write lowering"]),
        ("测试版（Beta）功能", []),
        ("性能分析器", []),
        ("```\n断图\n```\n`断图` https://x.org/断图\n相关：断图\n守卫", ["6: 守卫, write guard"]),
        ("见 <https://x.org/a>。夜间版（https://x.org/b）", ["1: 夜间版, write nightly"]),
    ],
)
def test_variants_are_found_in_prose_alone(text: str, found: list[str]) -> None:
    assert variants(prose(text)) == found
