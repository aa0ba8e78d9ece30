"""One budget a stretch of a session (until compaction or /clear), shared by everything that is injected.

A token is an estimate: characters divided by a number of the policy. What was told and what was spent are append-only
records of the session; the count of its stretches is part of every key, so a compaction makes all of it owed again.
"""

from guards.engine.state import claims

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.world import World

STRETCHES = "context-stretches"
TOLD = "context-told"


class Purse:
    """The budget at one event. `stretch` numbers what lies between two compactions."""

    __slots__ = ("_limit", "_per", "stretch", "world")

    def __init__(self, rules: "dict[str, Any]", world: "World", more: int = 0) -> None:
        self.world = world
        self._per: int = rules["per"]
        self._limit: int = rules["session"]
        self.stretch = len(world.session.records(STRETCHES)) + more

    @property
    def name(self) -> str:
        return f"context-spent-{self.stretch}"

    def tokens(self, text: str) -> int:
        return -(-len(text) // self._per)

    def left(self) -> int:
        return self._limit - self.spent()

    def spent(self) -> int:
        return claims(self.world.session.records(self.name), self._limit)[0]

    def pay(self, text: str) -> "tuple[Any, ...]":
        """The mark that pays for a text, or drops it when another hook was faster."""
        return ("spend", self.name, self.tokens(text), self._limit)

    def key(self, agent: str, *what: str) -> str:
        return " ".join(["context", str(self.stretch), agent or "root", *what])

    def told(self, agent: str, what: str) -> "tuple[Any, ...]":
        return ("add", f"{TOLD}-{self.stretch}", f"{agent or 'root'} {what}")

    def ids(self, agent: str, stretch: int | None = None) -> "list[str]":
        """The ids told to an agent in this stretch, or in the one given."""
        found = self.world.session.records(f"{TOLD}-{self.stretch if stretch is None else stretch}")
        mine = [record.partition(" ")[2] for record in found if record.startswith((agent or "root") + " ")]
        return list(dict.fromkeys(mine))


def mark(text: str) -> str:
    """A short name for a text: the same text has the same."""
    from guards.engine.state import _fnv

    return f"{_fnv(text):016x}"
