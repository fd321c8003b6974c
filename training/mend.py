"""Follow the digests: `python -m training.mend` finds again the sentences that rows name.

A sentence that was reworded is found by its likeness; a row whose answer is gone is dropped, and told.
"""

from __future__ import annotations

import json
import sys
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from training.rows import DATA, digest_sentences, opening

_ALIKE = 0.6  # of the characters of an opening


def mended(row: dict[str, Any]) -> dict[str, Any] | None:
    """Return a row with the openings that the digests have now; None where its section or answer is gone.

    Args:
        row: as it stands in its file.
    """
    sentences = digest_sentences(row["view"])
    if any(name not in sentences for name in row["sections"]):
        return None
    answers = [
        [found for each in openings if (found := _nearest(each, sentences[name])) is not None]
        for name, openings in zip(row["sections"], row.get("answers", ()), strict=False)
    ]
    if any(before and not now for before, now in zip(row.get("answers", ()), answers, strict=True)):
        return None
    return {**row, "answers": answers} if answers else row


def _nearest(wanted: str, sentences: tuple[str, ...]) -> str | None:
    starting = [sentence for sentence in sentences if sentence.startswith(wanted)]
    if len(starting) == 1:
        return wanted
    cut = max((s for s in sentences if wanted.startswith(s)), key=len, default="")
    if not starting and len(cut) >= _ALIKE * len(wanted):  # the sentence ends earlier now
        return opening(cut, sentences)
    likeness = [SequenceMatcher(None, wanted, s[: len(wanted)], autojunk=False).ratio() for s in sentences]
    best = max(range(len(sentences)), key=likeness.__getitem__, default=None)
    if best is None or likeness[best] < _ALIKE:
        return None
    return opening(sentences[best], sentences)


def mend(folder: Path = DATA) -> list[str]:
    """Mend the files of a folder.

    Args:
        folder: of `.jsonl` files.

    Returns:
        The ids of the rows that were dropped.
    """
    dropped: list[str] = []
    for path in sorted(folder.glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        kept = {row["id"]: now for row in rows if (now := mended(row)) is not None}
        dropped += [row["id"] for row in rows if row["id"] not in kept]
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept.values())
        path.write_text(text, encoding="utf-8")
    return dropped


if __name__ == "__main__":
    gone = mend()
    print(*gone, sep="\n")
    print(f"{len(gone)} rows dropped")
    sys.exit(0)
