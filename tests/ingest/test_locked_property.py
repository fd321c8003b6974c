"""A cached property is computed once an instance, and instances do not wait for each other."""

from __future__ import annotations

import pickle
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from ingest.locked_property import locked_cached_property

THREADS = 8
PATIENCE = 30  # seconds, for a thread that never comes


class Slow:
    """Computes a value while others ask for it."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.go_on = threading.Event()
        self.times = 0
        self.fails = False

    @locked_cached_property
    def value(self) -> object:
        """A new object."""
        self.times += 1
        self.begun.set()
        assert self.go_on.wait(PATIENCE)
        if self.fails:
            raise ValueError("not yet")
        return object()


class Plain:
    @locked_cached_property
    def one(self) -> int:
        return 1

    @locked_cached_property
    def two(self) -> int:
        return 2 * self.one

    @locked_cached_property
    def round(self) -> int:
        return self.round + 1


def test_threads_get_one_value() -> None:
    slow, ready = Slow(), threading.Barrier(THREADS + 1)

    def read() -> object:
        ready.wait(PATIENCE)
        return slow.value  # without a lock a thread that comes while the first computes computes too

    with ThreadPoolExecutor(THREADS) as threads:
        readers = [threads.submit(read) for _ in range(THREADS)]
        ready.wait(PATIENCE)
        assert slow.begun.wait(PATIENCE)
        slow.go_on.set()
        values = [reader.result(PATIENCE) for reader in readers]
    assert slow.times == 1 and len({id(value) for value in values}) == 1
    assert [name for name in vars(slow) if "lock" in name] == []


def test_instances_do_not_wait_for_each_other() -> None:
    slow, other = Slow(), Slow()
    other.go_on.set()
    with ThreadPoolExecutor(2) as threads:
        waiting = threads.submit(lambda: slow.value)
        assert slow.begun.wait(PATIENCE)
        try:
            assert threads.submit(lambda: other.value).result(PATIENCE / 10) is other.value
        finally:
            slow.go_on.set()
        assert waiting.result(PATIENCE) is slow.value


def test_an_error_is_raised_and_not_kept() -> None:
    slow = Slow()
    slow.go_on.set()
    slow.fails = True
    for _ in range(2):
        with pytest.raises(ValueError, match="not yet"):
            _ = slow.value
    slow.fails = False
    assert slow.value is slow.value and slow.times == 3


def test_properties_of_one_instance_may_read_each_other() -> None:
    plain = Plain()
    assert plain.two == 2 and vars(plain) == {"one": 1, "two": 2}
    assert vars(pickle.loads(pickle.dumps(plain))) == vars(plain)


def test_a_property_that_reads_itself_is_an_error() -> None:
    with pytest.raises(RecursionError):
        _ = Plain().round


def test_a_value_can_be_assigned() -> None:
    plain = Plain()
    plain.one = 5
    assert (plain.one, plain.two) == (5, 10)
    assert Plain.one.__doc__ == Plain.__dict__["one"].__doc__
