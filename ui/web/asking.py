"""Who sends the request that gradio serves, as the queues count their shares by."""

from __future__ import annotations

from ui.web.guard.senders import is_this_machine, sender_of


def asking() -> str:
    """Return the sender of the request that a function of the page serves, "" for this machine.

    Clients of MCP are this machine: gradio calls the functions for them.
    """
    from gradio.context import LocalContext

    request = LocalContext.request.get(None)
    address = getattr(getattr(request, "client", None), "host", None)
    return "" if not isinstance(address, str) or is_this_machine(address) else sender_of(address)
