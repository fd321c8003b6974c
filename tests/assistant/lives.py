"""Notes in which a feature lives on: what tests of histories and of answers share."""

from __future__ import annotations

from ingest.document import Document, Language
from ingest.reading import read_document

FLEX_PROTOTYPE = "## [Prototype] FlexAttention\n\nFlexAttention is an API for attention variants.\n\n"
FLEX_BETA = "## [Beta] FlexAttention\n\nFlexAttention has a settled interface now.\n"
ZH_FLEX = "## [原型] FlexAttention\n\nFlexAttention 用几行代码写出各种注意力机制。\n"
PART = "## [Beta] FlexAttention vectorized masks and scores\n\nMasks of FlexAttention are vectorized.\n"


def document(release: str, text: str, language: Language = "en", kind: str = "user") -> Document:
    facts = {
        "title": f"Notes {release}",
        "release": release,
        "language": language,
        "kind": kind,
        "date": f"20{release.replace('.', '')}-01-15" if release < "2.9" else "2031-01-15",
        "url": f"https://example.org/{release}-{language}-{kind}",
    }
    return read_document(text, f"{release}-{language}-{kind}.md", facts=facts)
