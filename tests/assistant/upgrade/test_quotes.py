"""The words of the digests that findings quote."""

from __future__ import annotations

from assistant.upgrade.quotes import quote_of, section_quote
from corpus.changes import Change, load_changes
from ingest.document import LANGUAGES
from tests.rows import each_row


def test_code_that_holds_sentences_is_not_cut() -> None:
    quote = section_quote("2.0", "typed-storage", "torch.Tensor.storage")
    assert quote.text.startswith("The warning of PyTorch 2.0 begins with TypedStorage is deprecated. It will")
    assert quote.text.endswith("the only storage class.")


@each_row("change", load_changes(), ids=lambda change: f"{change.release}-{change.section}")
def test_every_change_has_words_in_both_languages(change: Change) -> None:
    for name in change.names or ("",):
        for language in LANGUAGES:
            quote = quote_of(change, name, language)
            assert quote.text and quote.text.count("`") == 0 and quote.url.startswith("https://")
