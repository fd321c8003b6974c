"""Who sends the request that gradio serves, as the queues count their shares by; and waiting in them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import ParamSpec, TypeVar

import anyio.to_thread

from ingest.errors import TorchnotesError
from ui.shared.request_queue import RequestQueue
from ui.web.guard.senders import is_this_machine, sender_of

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


def asking() -> str:
    """Return the sender of the request that a function of the page serves, "" for this machine.

    Clients of MCP are this machine: gradio calls the functions for them.
    """
    from gradio.context import LocalContext

    request = LocalContext.request.get(None)
    return sender_at(getattr(getattr(request, "client", None), "host", None))


def sender_at(address: object) -> str:
    """Return the sender at the address of a connection, "" for this machine.

    Args:
        address: the address; None where there is none.
    """
    return "" if not isinstance(address, str) or is_this_machine(address) else sender_of(address)


def in_turn(queue: RequestQueue, work: Callable[_Given, _Result]) -> Callable[_Given, Awaitable[_Result]]:
    """Return a function of the page that waits for a place in a queue before it does its work in a thread.

    gradio has 40 threads for all functions: a visitor who called one that takes a second as fast as the rates
    allow would have all of them, and no question would be answered.

    Args:
        queue: the queue.
        work: the work, with the parameters that gradio reads.
    """

    @wraps(work)
    async def waiting(*given: _Given.args, **named: _Given.kwargs) -> _Result:
        from gradio import Error

        try:
            async with queue.place(asking()):
                return await anyio.to_thread.run_sync(partial(work, *given, **named))
        except TorchnotesError as error:
            raise Error(str(error), print_exception=False) from None

    return waiting
