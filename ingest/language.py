"""The language of a document's prose."""

from __future__ import annotations

import re

from ingest.document import Language

#: Chinese characters, for a class of a pattern: the block in use, its first extension, compatibility forms.
HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_NOT_PROSE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+|<[^<>]{0,300}>", re.S)
_HAN = re.compile(f"[{HAN}]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")


def detect_language(text: str) -> Language:
    """ "zh" where Chinese characters carry the prose, else "en".

    Code and addresses do not count. Chinese technical prose is full of English names, so one Chinese
    character for every two Latin words is enough; an English text that quotes Chinese words has far fewer.
    """
    prose = _NOT_PROSE.sub(" ", text)
    return "zh" if 2 * len(_HAN.findall(prose)) > len(_LATIN_WORD.findall(prose)) else "en"
