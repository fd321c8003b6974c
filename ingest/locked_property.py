"""A thread-safe cached property."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

_Value = TypeVar("_Value")


class LockedCachedProperty(Generic[_Value]):
    """A property that is computed once per instance, however many threads read it.

    Since Python 3.12 `functools.cached_property` takes no lock, so that two threads may both compute a value;
    before, one lock is shared by all instances of a class, so that they wait for each other. Here each
    instance has its own lock, which is dropped once the value is computed. A thread that reads the property
    while computing it gets a RecursionError, as without a lock, instead of a deadlock. Exceptions are not
    cached.

    The value is stored in the instance's `__dict__` under the name of the property, and can be replaced by
    assignment.

    Args:
        function: computes the value from the instance.
    """

    def __init__(self, function: Callable[[Any], _Value]) -> None:
        self._function = function
        self._name = function.__name__
        self._guard = threading.Lock()
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type[object], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type[object]) -> LockedCachedProperty[_Value]: ...
    @overload
    def __get__(self, instance: object, owner: type[object]) -> _Value: ...
    def __get__(self, instance: object | None, owner: type[object]) -> LockedCachedProperty[_Value] | _Value:
        """Return the value, computed by the first thread that reads it."""
        if instance is None:
            return self
        held, lock_name = vars(instance), f"{self._name} (lock)"
        with self._guard:  # held only to find the lock of the instance
            if self._name in held:
                return cast("_Value", held[self._name])
            lock = held.setdefault(lock_name, threading.RLock())
        with lock:
            if self._name not in held:
                held[self._name] = self._function(instance)
                held.pop(lock_name, None)
            return cast("_Value", held[self._name])

    if TYPE_CHECKING:  # at run time, assignment writes to the instance's __dict__

        def __set__(self, instance: object, value: _Value) -> None: ...


locked_cached_property = LockedCachedProperty
