"""Settings texts as people leave them: any value, written with any blanks, comments, commas and line ends."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from guards.wiring.forms import claude

WANTED = {
    name: claude.entry(event, f"/home/o/.local/share/guards/py -IS /x/hook.py claude {event}  # guards:managed")
    for event, name in claude.EVENTS.items()
}
RULES = ["Edit(//home/o/.local/share/guards/**)", "Edit(//home/o/.local/state/guards/**)"]

WORDS = st.sampled_from(["model", "env", "statusLine", "a", "ü", "hooks2", "x y", "//", "/*", "{", "}", '"', "\\"])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-9, 9**9), WORDS, st.just("# guards:managed no"))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=6,
)
FOREIGN = st.fixed_dictionaries(
    {
        "type": st.just("command"),
        "command": st.sampled_from(["mine.sh", "grep guards:managed f", "echo '# guards:managed' x"]),
    }
)
GROUPS = st.lists(
    st.fixed_dictionaries(
        {"hooks": st.lists(FOREIGN, max_size=2)}, optional={"matcher": st.sampled_from(["", "Bash"])}
    ),
    max_size=2,
)
HOOKS = st.dictionaries(st.sampled_from(["PreToolUse", "Stop", "Notification", "SessionStart"]), GROUPS, max_size=3)
PERMISSIONS = st.fixed_dictionaries(
    {},
    optional={
        "deny": st.lists(st.sampled_from(["Read(.env)", RULES[0]]), unique=True, max_size=2),
        "allow": st.lists(WORDS),
    },
)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    members = draw(st.dictionaries(WORDS, VALUES, max_size=3))
    if draw(st.booleans()):
        members["hooks"] = draw(HOOKS)
    if draw(st.booleans()):
        members["permissions"] = draw(PERMISSIONS)
    order = draw(st.permutations(list(members)))
    return {key: members[key] for key in order}


@st.composite
def texts(draw: st.DrawFn, of: st.SearchStrategy[dict[str, Any]] | None = None) -> str:
    value = draw(documents() if of is None else of)
    eol = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    style = draw(st.sampled_from(["tidy", "tabs", "tight", "one line", "odd"]))
    if style in ("tidy", "tabs"):
        text = json.dumps(value, indent="  " if style == "tidy" else "\t", ensure_ascii=draw(st.booleans()))
        text = text.replace("\n", eol)
    elif style == "tight":
        text = json.dumps(value, separators=(",", ":"))
    elif style == "one line":
        text = json.dumps(value)
    else:
        text = _odd(draw, value, eol)
    around = st.sampled_from(["", eol, eol + eol, "  ", f"/* end */{eol}", f"// end{eol}"])
    return draw(st.sampled_from(["", "\ufeff"])) + draw(around) + text + draw(around)


def _odd(draw: st.DrawFn, value: Any, eol: str) -> str:
    """Blanks and comments anywhere, commas after the last item too."""
    blanks = ["", " ", eol, f"{eol}  ", f"{eol}\t", " /* c, } */ ", f" // it's \"{eol}", f"//{eol}  "]
    blank, more = st.sampled_from(blanks), st.booleans()

    def write(node: Any) -> str:
        if isinstance(node, dict):
            items = [json.dumps(k) + draw(blank) + ":" + draw(blank) + write(v) for k, v in node.items()]
        elif isinstance(node, list):
            items = [write(v) for v in node]
        else:
            return json.dumps(node)
        inside = draw(blank) + (draw(blank) + "," + draw(blank)).join(items)
        trailing: bool = draw(more)
        if items and trailing:
            inside += draw(blank) + ","
        inside += draw(blank)
        return "{" + inside + "}" if isinstance(node, dict) else "[" + inside + "]"

    return write(value)
