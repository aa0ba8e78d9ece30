"""Every rule of the wiring contract, and the record of what broke one.

A FAIL is wiring that does not do what it says: a hook that never runs, a refusal that is not heard, a file that a
harness drops. A warn is wiring that breaks under a condition (a space in a path, an older version, a busy machine).
"""

from dataclasses import asdict, dataclass
from typing import Any

FAIL, WARN = "FAIL", "warn"

# id → (level, what it holds). `guards wiring --rules` prints it, and a test asks for two fixtures each.
RULES: dict[str, tuple[str, str]] = {
    "unreadable": (FAIL, "a settings file can be opened and is a regular file"),
    "not-json": (FAIL, "it parses: a harness that cannot read it runs none of its hooks"),
    "comments": (WARN, "it is plain JSON, without comments and trailing commas"),
    "doubled-key": (FAIL, "no key stands twice: only the last one counts"),
    "shape": (FAIL, "hooks, groups and entries have the shape the harness reads; one bad entry can cost a file"),
    "flat": (FAIL, "an entry stands inside a group's `hooks` where the harness wants one"),
    "type": (FAIL, "an entry's type is one the harness knows"),
    "silenced": (FAIL, "nothing in the file switches its hooks off"),
    "event-unknown": (FAIL, "an event's name is one of the harness's"),
    "event-new": (WARN, "an event's name is known to every version in use; one that is not can cost the file"),
    "matcher-type": (FAIL, "a matcher is text"),
    "matcher-dead": (FAIL, "a matcher can match a tool, or a source of its event"),
    "matcher-unknown": (WARN, "a matcher's exact names are tools that are known"),
    "matcher-regex": (FAIL, "a matcher that is a pattern parses"),
    "matcher-ignored": (WARN, "a matcher stands only at an event that looks at it"),
    "if-rule": (FAIL, "an `if` is a permission rule that parses; else the hook never runs"),
    "timeout-type": (FAIL, "a timeout is a number: text, true or null costs the entry, or the file"),
    "timeout-range": (FAIL, "a timeout lies between 1 and 300 seconds"),
    "timeout-unit": (FAIL, "a timeout is in the harness's unit (Gemini: milliseconds; the others: seconds)"),
    "timeout-none": (WARN, "a hook has a timeout: without one a hang holds the call for ten minutes"),
    "timeout-short": (WARN, "a gate has at least 5 s: a timeout lets the call through"),
    "timeout-end": (WARN, "a hook at the session's end has a timeout that is heard there"),
    "deadline": (FAIL, "guards' own entries outlast the hook's own clock"),
    "async-gate": (FAIL, "a gate is not asynchronous: its refusal comes too late"),
    "once": (WARN, "nothing relies on `once`, which has no effect in settings"),
    "on-failure": (FAIL, "`onFailure` has a value the harness takes"),
    "args": (WARN, "nothing relies on `args`: older versions and other harnesses start the command without them"),
    "args-literal": (FAIL, "words in `args` are not for a shell: `$HOME` and `~` arrive as they stand"),
    "gone": (FAIL, "the program and the script of a command are there"),
    "not-executable": (FAIL, "a script that is started by itself may be executed"),
    "space": (FAIL, "a path with a space is quoted"),
    "bare-variable": (WARN, "a variable that holds a path is quoted"),
    "quoted-tilde": (FAIL, "a `~` that means the home is not quoted"),
    "relative": (FAIL, "a program or script has an absolute path: the session's directory moves"),
    "escapes": (FAIL, "a repository's hook runs what lies in the repository"),
    "syntax": (FAIL, "the command parses in the harness's shell: a syntax error ends with 2, which refuses every call"),
    "bashism": (FAIL, "the command says nothing that only bash knows where the harness takes /bin/sh"),
    "stream-path": (FAIL, "neither command nor script opens /dev/stdin or /dev/stderr by name: they are sockets"),
    "unsupported": (WARN, "a command can be checked on this system"),
    "doubled": (WARN, "no command stands twice for the same event and matcher, in any spelling"),
    "rewriter": (WARN, "no other hook rewrites the input of calls that guards judges"),
    "exit-docs": (WARN, "the head of a gate's script says what its exit codes mean"),
    "claim": (FAIL, "the head of a script claims no wiring that is not there"),
    "manual-heading": (FAIL, "HOOKS.md has a heading for every guard and every hook of the repository"),
    "manual-off": (FAIL, "its part says how to turn it off"),
    "manual-stale": (WARN, "no heading of a guard outlives the guard"),
    "dispatch": (FAIL, "policy/dispatch.toml compiles"),
    "dispatch-gone": (FAIL, "what a row of dispatch names is there: module, policy, program"),
    "dispatch-unlisted": (FAIL, "every guard has a row"),
}  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """One break of a rule. where: the place inside the file; line: 0 when the file has none."""

    rule: str
    file: str
    where: str
    text: str
    line: int = 0

    @property
    def level(self) -> str:
        return RULES[self.rule][0]

    def as_dict(self) -> dict[str, Any]:
        return {"level": self.level, **asdict(self)}
