"""One undo log for everything that changes: trying, refusing and undoing an act are the same mechanism."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_ABSENT: Any = object()


class Trail:
    """Remembers how to take back each change since a mark, at a cost of what was touched.

    All mutable state of a session (world, ledger, performers, books) is changed through it.
    """

    __slots__ = ("_undo",)

    def __init__(self) -> None:
        self._undo: list[Callable[[], object]] = []

    def mark(self) -> int:
        """A position to roll back to."""
        return len(self._undo)

    def rollback(self, mark: int) -> None:
        """Take back every change made since ``mark``, newest first."""
        while len(self._undo) > mark:
            self._undo.pop()()

    def push(self, undo: Callable[[], object]) -> None:
        """Remember ``undo`` as the way to take back a change just made."""
        self._undo.append(undo)

    def put(self, table: dict[K, V], key: K, value: V) -> None:
        """``table[key] = value``."""
        old = table.get(key, _ABSENT)
        if old is _ABSENT:
            self._undo.append(lambda: table.pop(key, None))
        else:
            self._undo.append(lambda: table.__setitem__(key, old))
        table[key] = value

    def drop(self, table: dict[K, V], key: K) -> None:
        """Remove ``key`` from ``table`` if it is there."""
        old = table.pop(key, _ABSENT)
        if old is not _ABSENT:
            self._undo.append(lambda: table.__setitem__(key, old))

    def add(self, members: set[K], item: K) -> None:
        """Add ``item`` to a set."""
        if item not in members:
            members.add(item)
            self._undo.append(lambda: members.discard(item))

    def discard(self, members: set[K], item: K) -> None:
        """Remove ``item`` from a set if it is there."""
        if item in members:
            members.discard(item)
            self._undo.append(lambda: members.add(item))

    def append(self, items: list[V], item: V) -> None:
        """Append ``item`` to a list."""
        items.append(item)
        self._undo.append(items.pop)

    def assign(self, target: object, name: str, value: object) -> None:
        """``target.name = value``."""
        old = getattr(target, name)
        self._undo.append(lambda: setattr(target, name, old))
        setattr(target, name, value)
