"""Language of a question, detected in one place so that notices and answers agree."""

from __future__ import annotations

import re
import unicodedata

from assistant.query.pinyin import looks_like_pinyin
from assistant.text.identifiers import CAMEL, FLAG, JOINED
from ingest.document import Language
from ingest.language import HAN, prose_of
from ingest.segment import ENGLISH_STOPWORDS

_FRAME = 3  # English stop words that make a sentence English, whatever is between them
_HAN = re.compile(f"[{HAN}]")
#: Characters of Chinese function words; a technical term that an English sentence quotes has hardly any.
_GRAMMAR = re.compile("[的了吗呢吧咋啥么哪谁是在没不能要会该报我你这那就都也还把被]")
_LATIN_WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
_IDENTIFIER = re.compile(rf"{JOINED}|{CAMEL}|{FLAG}", re.ASCII)


def question_language(text: str) -> Language:
    """Detect the language of a question, in which it is also answered.

    Code and names are ignored, since they stay English in both languages. A question without Chinese
    characters is English, unless it is pinyin. A mixed question is Chinese if it has no English stop words, if
    its Chinese has function words and no English sentence opens it (a pasted message is English, what is said of
    it decides), or if it has clearly more Chinese characters than English words.

    Args:
        text: question as typed, or the name of something asked about.

    Returns:
        "zh" or "en"; "en" for a text without words.
    """
    clean = prose_of(unicodedata.normalize("NFKC", text)).strip()
    han = len(_HAN.findall(clean))
    if not han:
        return "zh" if looks_like_pinyin(clean) else "en"
    words = [w for w in _LATIN_WORD.findall(_IDENTIFIER.sub(" ", clean)) if not w.isupper()]
    small = [word for word in words if word.lower() in ENGLISH_STOPWORDS]
    if not small:
        return "zh"  # an English sentence contains stop words
    opens = clean.startswith(small[0])
    if len(small) >= _FRAME and opens:
        return "en"  # starts with a stop word ("With DDP") and contains others
    if _GRAMMAR.search(clean) and not opens:
        return "zh"
    return "zh" if han >= 1.5 * len(words) else "en"
