"""Finds text carried over from the source documents into our own prose."""

from __future__ import annotations

import re
from pathlib import Path

ENGLISH_RUN = 12  # words
CHINESE_RUN = 24  # characters

#: A link alone: Chinese text goes on behind it without a space.
LINK = r"<?https?://[^\s>，。；：、（）]+>?"
_CODE = re.compile(rf"^(?P<fence>```+|~~~+).*?^(?P=fence)|`[^`\n]*`|{LINK}", re.M | re.S)


def english_words(text: str) -> list[str]:
    """The words of a text in order, code and links left out."""
    return re.findall(r"[a-z]+", _CODE.sub(" ", text).lower())


def chinese_characters(text: str) -> str:
    """The Chinese characters of a text in order, code and links left out."""
    return "".join(re.findall(r"[\u4e00-\u9fff]", _CODE.sub(" ", text)))


class Sources:
    """Every run of `ENGLISH_RUN` words or `CHINESE_RUN` characters of the documents in some folders."""

    def __init__(self, *folders: Path) -> None:
        self.english: set[tuple[str, ...]] = set()
        self.chinese: set[str] = set()
        for path in sorted(path for folder in folders for path in folder.rglob("*")):
            if path.is_file():
                text = path.read_text(encoding="utf-8", errors="replace")
                self.english.update(_runs(english_words(text), ENGLISH_RUN))
                zh = chinese_characters(text)
                self.chinese.update(zh[i : i + CHINESE_RUN] for i in range(len(zh) - CHINESE_RUN + 1))

    def shared_runs(self, text: str) -> list[str]:
        """The runs of `text` that stand in a source too."""
        english = [" ".join(run) for run in _runs(english_words(text), ENGLISH_RUN) if run in self.english]
        zh = chinese_characters(text)
        chinese = [
            zh[i : i + CHINESE_RUN]
            for i in range(len(zh) - CHINESE_RUN + 1)
            if zh[i : i + CHINESE_RUN] in self.chinese
        ]
        return english + chinese


def _runs(words: list[str], length: int) -> list[tuple[str, ...]]:
    return [tuple(words[i : i + length]) for i in range(len(words) - length + 1)]
