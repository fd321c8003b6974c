"""How commands open the index: updated with the shipped documents, or as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.factory import AssistantFactory
    from index.storage.interface import Index


def open_factory() -> AssistantFactory:
    """Return a factory with the current settings."""
    from assistant.factory import AssistantFactory
    from assistant.settings import load_settings

    return AssistantFactory(load_settings())


def index_with_what_ships(factory: AssistantFactory | None = None) -> Index:
    """Open the index for a command that queries it, after adding the shipped documents if necessary.

    Args:
        factory: factory with the settings; None: a new one.
    """
    from ui.cli.progress import BuildProgressLine

    factory = factory or open_factory()
    with BuildProgressLine() as progress:
        factory.ship(progress)
    return factory.store.open()


def index_as_it_is(factory: AssistantFactory) -> Index:
    """Open the index for a command that manages it, whatever it was built with; create it if there is none.

    Args:
        factory: factory with the settings.
    """
    return index_with_what_ships(factory) if factory.store.current() is None else factory.store.open()
