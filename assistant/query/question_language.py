"""The language of a question, told in one place: what acknowledges a question and what answers it agree."""

from __future__ import annotations

import re
import unicodedata

from assistant.query.pinyin import looks_like_pinyin
from ingest.document import Language
from ingest.language import HAN, prose_of
from ingest.segment import ENGLISH_STOPWORDS

_FRAME = 3  # small words that make a sentence English, whatever stands between them
_HAN = re.compile(f"[{HAN}]")
_LATIN_WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
_IDENTIFIER = re.compile(
    # A word is read from its beginning only: from each of its characters, a long one would take a second.
    r"(?<!\w)\w+(?:[._]|::)\w+|[A-Z]{2,}\w*|(?<!\w)\w*[a-z][A-Z]\w*|--\w[\w-]*"
)


def question_language(text: str) -> Language:
    """Return the language that a question is asked in, which its answer is written in.

    A question is Chinese when its sentence is, names and code aside, which stay English in both languages. A
    mixed one is Chinese when Chinese carries its grammar: it has no small words of English, or many more
    Chinese characters than plain English words and no frame of English around them. Pinyin is Chinese.

    Args:
        text: the question as typed, or the name of something asked for.

    Returns:
        "zh" or "en"; "en" for a text without a word.
    """
    clean = prose_of(unicodedata.normalize("NFKC", text)).strip()
    han = len(_HAN.findall(clean))
    if not han:
        return "zh" if looks_like_pinyin(clean) else "en"
    words = [w for w in _LATIN_WORD.findall(_IDENTIFIER.sub(" ", clean)) if not w.isupper()]
    small = [word for word in words if word.lower() in ENGLISH_STOPWORDS]
    if not small:
        return "zh"  # no English sentence does without its small words
    if len(small) >= _FRAME and clean.startswith(small[0]):
        return "en"  # opened by one, "With DDP", and going on with others
    return "zh" if han >= 1.5 * len(words) else "en"
