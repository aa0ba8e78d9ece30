"""A session that lives in memory: `guards replay` judges a whole transcript with it and writes nothing."""

from __future__ import annotations

from guards.engine.state import Session


class Memory(Session):
    """Same words as the session on disk; marks and records are kept here and forgotten with the object."""

    def __init__(self, session: str = "replay") -> None:
        super().__init__("", session, frozen=True)
        self._marks: set[str] = set()
        self._records: dict[str, list[str]] = {}

    def marked(self, key: str) -> bool:
        return key in self._marks

    def mark(self, key: str) -> bool:
        first = key not in self._marks
        self._marks.add(key)
        return first

    def unmark(self, key: str) -> None:
        self._marks.discard(key)

    def records(self, name: str) -> list[str]:
        return list(self._records.get(name, ()))

    def add(self, name: str, record: str) -> None:
        self._records.setdefault(name, []).append(record.replace("\n", " "))

    def forget(self, name: str) -> None:
        self._records.pop(name, None)
