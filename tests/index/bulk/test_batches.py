from __future__ import annotations

from index.bulk.batches import Batches


def test_every_text_is_in_one_batch_the_longest_first() -> None:
    batches = Batches(size=10)
    texts = {bytes([number]): "x" * number for number in (1, 9, 4, 2, 30, 5)}
    for key, text in texts.items():
        batches.add(key, text)
    batches.cut()
    cut = [batches.next() for _ in range(len(batches))]
    assert [[len(text) for text in batch.values()] for batch in cut] == [[30], [9], [5, 4], [2, 1]]
    assert {key: text for batch in cut for key, text in batch.items()} == texts
    assert not batches


def test_batches_are_cut_once_there_are_enough_and_no_more_than_some_texts_are_in_one() -> None:
    batches = Batches(size=100)
    for number in range(799):
        batches.add(number.to_bytes(2, "big"), "x")
    assert not batches
    batches.add(b"last", "x")
    assert [len(batches.next()) for _ in range(len(batches))] == [100] * 8
    large = Batches(size=10_000)
    for number in range(600):
        large.add(number.to_bytes(2, "big"), "x")
    large.cut()
    assert [len(large.next()) for _ in range(len(large))] == [512, 88]
