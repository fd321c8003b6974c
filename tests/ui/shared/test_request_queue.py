"""Where questions wait."""

from __future__ import annotations

import asyncio

import pytest

from ui.shared.request_queue import BusyError, RequestQueue


def test_so_many_are_served_at_once_and_the_rest_in_their_order() -> None:
    served: list[int] = []

    async def ask(line: RequestQueue, number: int, go: asyncio.Event) -> None:
        async with line.place():
            served.append(number)
            await go.wait()

    async def day() -> None:
        line, go = RequestQueue(at_once=2, waiting=10), asyncio.Event()
        tasks = [asyncio.create_task(ask(line, number, go)) for number in range(5)]
        while line.waiting < 3 or len(served) < 2:
            await asyncio.sleep(0)
        assert served == [0, 1] and not line.free
        go.set()
        await asyncio.gather(*tasks)
        assert served == [0, 1, 2, 3, 4] and line.free and line.waiting == 0

    asyncio.run(day())


def test_one_too_many_is_refused_at_once() -> None:
    async def day() -> None:
        line = RequestQueue(at_once=1, waiting=0)
        async with line.place():
            with pytest.raises(BusyError, match="0 questions are waiting already; ask again in a moment"):
                await line.place().__aenter__()

    asyncio.run(day())


def test_who_gives_up_leaves_no_gap() -> None:
    async def day() -> None:
        line = RequestQueue(at_once=1, waiting=5)

        async def wait() -> None:
            async with line.place():
                pytest.fail("it was not its turn")

        async with line.place():
            waiting = asyncio.create_task(wait())
            while not line.waiting:
                await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        assert line.free

    asyncio.run(day())


def test_a_place_may_be_given_back_by_another_task() -> None:
    async def day() -> None:
        line = RequestQueue(at_once=1)
        place = line.place()
        await asyncio.create_task(place.__aenter__())
        assert not line.free
        await asyncio.create_task(place.__aexit__(None, None, None))
        assert line.free

    asyncio.run(day())


def test_one_sender_does_not_take_all_places() -> None:
    async def day() -> None:
        line = RequestQueue(at_once=1, waiting=10, share=2)
        async with line.place("192.0.2.1"):

            async def wait(sender: str) -> None:
                async with line.place(sender):
                    pass

            first = asyncio.create_task(wait("192.0.2.1"))
            await asyncio.sleep(0)
            with pytest.raises(BusyError, match="2 questions are waiting already"):
                await line.place("192.0.2.1").__aenter__()
            others = [asyncio.create_task(wait(sender)) for sender in ("192.0.2.2", "", "", "")]
            while line.waiting < 5:
                await asyncio.sleep(0)
        await asyncio.gather(first, *others)
        async with line.place("192.0.2.1"):
            assert line.waiting == 0

    asyncio.run(day())
