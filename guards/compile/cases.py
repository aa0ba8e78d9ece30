"""`[[case]]` rows: what an owner says a policy does. `guards check` asks the same judges as a hook."""

from guards.compile.fields import Field, Table, mapping, rows, text
from guards.engine.event import MODES

VERDICTS = ("none", "watch", "note", "ask", "deny")

CASE = Table(
    {
        "verdict": text(choices=VERDICTS, required=True, doc="what the guard must say; none: silence"),
        "event": text(choices=tuple(MODES), default="before-tool", doc="the event it is asked at"),
        "harness": text(default="claude", doc="the harness whose tool table counts"),
        "tool": text(doc="the tool's name; Bash for a command, Write for a path"),
        "path": text(doc="the path it names; relative ones lie in a fresh repository, ~/ is the home"),
        "command": text(doc="the shell command"),
        "text": text(doc="the prompt of the call or of the event"),
        "input": mapping(text(), doc="further fields of the call, as the harness names them"),
        "why": text(doc="what this case is about"),
    }
)


def field() -> Field:
    return rows(CASE, key=None, tighter="add", doc="what the guard says to a call; run by guards check")
