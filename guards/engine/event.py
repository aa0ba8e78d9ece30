"""The four records that cross rooms: Event, Effect, Verdict, Reply.

Plain classes with slots: `dataclasses` and `typing` would cost more than a whole silent call.
Words here are the words of the policy, of the manual and of the messages.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# event → mode. Fixed here, never chosen: what a failure means must not be a setting.
MODES = {
    "before-tool": "gate",
    "prompt": "gate_all",
    "stop": "gate_all",
    "subagent-stop": "gate_all",
    "session-start": "observe",
    "after-tool": "observe",
    "after-tool-failure": "observe",
    "subagent-start": "observe",
    "before-compact": "observe",
    "session-end": "observe",
}

# How sure a reader is of an effect's path. Only `exact` effects are judged by human_lane; the
# other three are shell_lane's.
EXACT, UNKNOWN, OPAQUE, UNREADABLE = "exact", "unknown", "opaque", "unreadable"
WRITE, DELETE, RESTORE = "write", "delete", "restore"

# strongest first: deny beats ask beats note
ACTIONS = ("deny", "ask", "note", "watch")


class Effect:
    """One path that a call would touch.

    path       as the call names it; relative paths hang on `cwd`. Empty when the target is unknown.
    act        write | delete | restore
    certainty  exact | unknown | opaque | unreadable
    cwd        directory the path is relative to; "" means the event's own
    follow     the last part is followed when it is a link (open() does; unlink, rename and sed -i do not)
    tree       everything beneath goes with it (rm -r, mv of a folder, chmod -R)
    expanded   the text was already expanded as the tool does it; False for tools that take `~` literally,
               where `~/x`, `$HOME/x` and `file://x` are further forms that only deny
    change     None, ("content", text) or ("edits", ((old, new, all), ...)): what a file tool would do to it; or
               ("later", (function, ...)): what a shell command does to its text, one after the other, each giving
               the new text or None
    cause      a short phrase: which field or step says so ("file_path", "sed -i", "rm -r"), or why it is not exact
    mentions   for effects that are not exact: path-shaped words, as (path, cwd) pairs
    """

    __slots__ = ("act", "cause", "certainty", "change", "cwd", "expanded", "follow", "mentions", "path", "tree")

    def __init__(
        self,
        path: str,
        act: str = WRITE,
        certainty: str = EXACT,
        cwd: str = "",
        follow: bool = True,
        tree: bool = False,
        expanded: bool = False,
        change: "tuple[Any, ...] | None" = None,
        cause: str = "",
        mentions: "tuple[tuple[str, str], ...]" = (),
    ) -> None:
        self.path = path
        self.act = act
        self.certainty = certainty
        self.cwd = cwd
        self.follow = follow
        self.tree = tree
        self.expanded = expanded
        self.change = change
        self.cause = cause
        self.mentions = mentions

    def __repr__(self) -> str:
        return f"Effect({self.act} {self.path!r} {self.certainty} cwd={self.cwd!r} cause={self.cause!r})"


class Event:
    """One hook call in neutral form.

    harness    claude | codex | cursor | gemini | copilot
    name       neutral event name, a key of MODES
    cwd        the harness's current directory (absolute, "" when it named none)
    project    the directory the session was opened in ("" when unknown)
    session    session id ("" when unknown); agent: id of a subagent ("" for the root)
    agent_type what kind of subagent
    tool       tool name as the harness spells it; kind: its class from policy/harness/<name>.toml
               (write, edit, notebook, patch, shell, read, search, spawn, follow-up, other, or "unknown")
    input      the tool's input, always a dict; response: the tool's answer, any shape, or None
    text       the prompt, the failure's error text, the stop's last message: the event's own text
    source     session-start: startup, resume, clear, compact; before-compact: manual, auto
    mode       permission mode ("" when unknown)
    odd        () or the fields of a known tool that are missing or of another type than the adapter knows
    raw        the whole payload
    command    the text of a shell call ("" otherwise); effects: filled on first use by the reader that
               dispatch put into `reader`
    probe      fired by guards itself: judged the same, never counted
    """

    __slots__ = (
        "_effects", "agent", "agent_type", "command", "cwd", "harness", "input", "kind", "mode", "name", "odd",
        "probe", "project", "raw", "reader", "response", "session", "source", "text", "tool",
    )  # fmt: skip

    def __init__(self, harness: str, name: str, raw: "dict[str, Any]") -> None:
        self.harness = harness
        self.name = name
        self.raw = raw
        self.cwd = self.project = self.session = self.agent = self.agent_type = ""
        self.tool = self.kind = self.text = self.source = self.mode = self.command = ""
        self.input: dict[str, Any] = {}
        self.response: Any = None
        self.odd: tuple[str, ...] = ()
        self.probe = False
        self.reader: Callable[[Event], list[Effect]] | None = None
        self._effects: list[Effect] | None = None

    @property
    def effects(self) -> "list[Effect]":
        """Every path the call would touch; read once, then kept."""
        if self._effects is None:
            self._effects = self.reader(self) if self.reader is not None else []
        return self._effects


class Verdict:
    """What a guard says: `deny`, `ask`, `note` or `watch` (journal only). Nothing to say is None.

    text    the sentence for the model or the owner
    rule    "policy/human-lane.toml: lane 'ci'"
    path    the path it is about, for the journal ("" when none)
    marks   what to remember once this verdict is delivered: ("once", key) makes a file of its own and
            drops the verdict when another process made it first; ("add", name, record) appends a record;
            ("forget", name) drops the records; ("keep", name, record) keeps one for the whole machine;
            ("spend", name, amount, limit) drops a note that does not fit into what the session has left, or turns it
            into facts["else"]: (shorter text, (file, whole text) to be saved)
    facts   further journal fields, plain values
    """

    __slots__ = ("action", "facts", "guard", "marks", "path", "rule", "text")

    def __init__(
        self,
        guard: str,
        action: str,
        text: str = "",
        rule: str = "",
        path: str = "",
        marks: "tuple[tuple[Any, ...], ...]" = (),
        facts: "dict[str, Any] | None" = None,
    ) -> None:
        self.guard = guard
        self.action = action
        self.text = text
        self.rule = rule
        self.path = path
        self.marks = marks
        self.facts = facts or {}

    def __repr__(self) -> str:
        return f"Verdict({self.guard} {self.action} {self.rule!r} {self.text!r})"


class Reply:
    """What the process says to the harness: bytes on two streams and an exit code."""

    __slots__ = ("code", "stderr", "stdout")

    def __init__(self, code: int = 0, stdout: bytes = b"", stderr: bytes = b"") -> None:
        self.code = code
        self.stdout = stdout
        self.stderr = stderr


class Deadline(BaseException):
    """A guard used up its time. A BaseException so that no guard's own `except Exception` keeps it."""
