"""What the wording of a statement tells before evidence is read."""

from __future__ import annotations

from assistant.verification.wording import is_true_silence
from ingest.language import document_language
from tests.rows import each_row


@each_row(
    ("text", "silent"),
    [
        ("The notes do not mention `gloo`.", True),
        ("The notes, however, do not say how `gloo` works.", True),
        ("发布说明没有提到 `gloo`。", True),
        ("在发布说明里，没有提到 `gloo`。", True),
        ("The notes do not mention `libuv`.", False),
        ("`gloo` is faster.", False),
        ("The notes do not mention `gloo`, and `mpi` was removed in 2.9.", False),
        ("The notes do not mention `gloo`; it is 3 times faster.", False),
        ("`mpi` was removed in 2.9, but the notes do not mention `gloo`.", False),
        ("说明没有提到 `gloo`，但 `mpi` 在 2.9 已移除。", False),
    ],
)
def test_silence_covers_no_claim_beside_it(text: str, silent: bool) -> None:
    assert is_true_silence(text, document_language(text), lambda name: name == "libuv") is silent
