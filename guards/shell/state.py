"""What a shell knows at one point of a text: directory, variables, functions, parameters.

States are forked where the text can go two ways and joined again where both ways left the same; more than a few
that differ are joined into one that knows less.
"""

from guards.shell.syntax import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

COPIES = 1 << 20  # entries of environments that a text may leave behind
MOST = 8  # states at once
OWN: "dict[str, None]" = {}  # folders that mktemp made, by their made-up names: fresh.py


class Sink:
    """Where standard output goes: the pieces that are known to arrive, until one is not known.
    A piece is text, or a function that gives text or None when it is asked."""

    __slots__ = ("known", "pieces")

    def __init__(self) -> None:
        self.pieces: list[Any] = []
        self.known = True

    def put(self, piece: "Any") -> None:
        if piece is None:
            self.known = False
        elif piece != "":
            self.pieces.append(piece)

    def text(self) -> "str | None":
        out = []
        for piece in self.pieces if self.known else ():
            text = piece if isinstance(piece, str) else piece()
            if text is None:
                return None
            out.append(text)
        return "".join(out) if self.known else None


class State:
    """cwd, old: None when not known · vars: name -> value, None where not known · env: what a child process gets
    dead: "" or what ended this way through the text: exit, return, break, continue"""

    __slots__ = (
        "aliases",
        "allexport",
        "args",
        "copied",
        "cwd",
        "dead",
        "env",
        "exported",
        "frames",
        "funcs",
        "noglob",
        "nullglob",
        "oddglob",
        "old",
        "stack",
        "traps",
        "vars",
    )  # fmt: skip

    def __init__(self, cwd: "str | None", env: "Mapping[str, str | None]", args: "list[Any] | None") -> None:
        self.cwd = cwd
        self.old: str | None = None
        self.stack: list[str | None] = []
        self.vars: dict[str, Any] = {}
        self.env = env
        self.exported: frozenset[str] = frozenset()
        self.funcs: dict[str, Any] = {}
        self.aliases: dict[str, str] = {}
        self.args = args
        self.frames: list[dict[str, Any]] = []
        self.noglob = self.nullglob = self.oddglob = self.allexport = False
        self.traps: tuple[str, ...] = ()
        self.dead = ""
        self.copied = 0

    def fork(self) -> "State":
        other = State.__new__(State)
        other.cwd = self.cwd
        other.old = self.old
        other.stack = self.stack[:]
        other.vars = self.vars.copy()
        other.env = self.env
        other.exported = self.exported
        other.funcs = self.funcs.copy()
        other.aliases = self.aliases.copy()
        other.args = self.args
        other.frames = [frame.copy() for frame in self.frames]
        other.allexport = self.allexport
        other.noglob = self.noglob
        other.nullglob = self.nullglob
        other.oddglob = self.oddglob
        other.traps = self.traps
        other.dead = self.dead
        other.copied = self.copied
        return other

    def same(self, other: "State") -> bool:
        return (
            self.cwd == other.cwd
            and self.dead == other.dead
            and self.vars == other.vars
            and self.old == other.old
            and self.args == other.args
            and self.funcs == other.funcs
            and self.aliases == other.aliases
            and self.stack == other.stack
            and self.traps == other.traps
            and self.noglob == other.noglob
            and self.allexport == other.allexport
            and self.nullglob == other.nullglob
            and self.oddglob == other.oddglob
            and (self.env is other.env or self.env == other.env)
        )

    # ---- variables
    def assign(self, name: str, value: "Any") -> None:
        """`value` is text, a tuple with holes, a list, or None for not known."""
        self.vars[name] = value
        if self.allexport or name in self.exported or name in self.env:
            self.to_env(name)

    def export(self, name: str) -> None:
        self.exported |= {name}
        if name in self.vars:
            self.to_env(name)

    def to_env(self, name: str) -> None:
        from guards.shell.fields import real

        value = self.vars[name]
        self.copied += len(self.env)
        if self.copied > COPIES:
            raise Late("the text takes too long to read")
        self.env = {**self.env, name: real(value) if isinstance(value, str) else None}

    def unset(self, name: str) -> None:
        self.vars[name] = ""
        if name in self.env:
            self.env = {key: value for key, value in self.env.items() if key != name}

    def forget(self, other: "State") -> None:
        """Keep what both know."""
        if self.cwd != other.cwd:
            self.cwd = None
        if self.old != other.old:
            self.old = None
        if self.stack != other.stack:
            self.stack = [None for _ in self.stack]
        for name in {*self.vars, *other.vars}:
            if name not in self.vars or name not in other.vars or self.vars[name] != other.vars[name]:
                self.vars[name] = None
                if name in self.env or name in other.env or name in self.exported:
                    self.to_env(name)
        if self.args != other.args:
            self.args = None
        self.oddglob = self.oddglob or other.oddglob or self.noglob != other.noglob
        self.noglob = self.noglob and other.noglob
        self.allexport = self.allexport or other.allexport
        self.funcs.update(other.funcs)
        self.aliases.update(other.aliases)
        self.traps = (*self.traps, *[t for t in other.traps if t not in self.traps])


Outcomes = list  # of (State, status): status True, False, or None when it is not known


def merge(outcomes: "list[tuple[State, bool | None]]") -> "list[tuple[State, bool | None]]":
    """States that are the same become one; more than MOST that differ are joined."""
    if len(outcomes) < 2:
        return outcomes
    kept: list[tuple[State, bool | None]] = []
    for state, status in outcomes:
        for index, (other, known) in enumerate(kept):
            if state.same(other):
                if known != status:
                    kept[index] = (other, None)
                break
        else:
            if len(kept) < MOST:
                kept.append((state, status))
            else:
                join(kept, state, status)
    return kept


def join(kept: "list[tuple[State, bool | None]]", state: State, status: "bool | None") -> None:
    """Into the first that ended, or did not end, in the same way."""
    for index, (other, known) in enumerate(kept):
        if other.dead == state.dead:
            other.forget(state)
            if known != status:
                kept[index] = (other, None)
            return
    kept[-1] = (state, status)
