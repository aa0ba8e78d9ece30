"""Tools that no table names, judged by the shape of their input: a path-like field is a write, unless the tool's name
says that it only reads; a command-like field goes to the shell reader.

Which words and fields count is data (`[shape]` in policy/human-lane.toml). A tool without either costs nothing. A known
tool whose fields are missing or of another type is judged by every path-like string in it.
"""

import marshal

from guards.engine.event import DELETE, WRITE, Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World

DEPTH_MAX = 8  # tables within tables
NODES_MAX = 5000  # values looked at in one call
TEXT_MAX = 1 << 16  # characters of a value that can still be a path
_CONTENT = ("content", "contents", "filetext", "text", "newcontent", "data")
_OLD, _NEW = ("oldtext", "oldstring", "oldstr", "search"), ("newtext", "newstring", "newstr", "replace")
_TEXTS = (*_CONTENT, *_OLD, *_NEW)
_ARGS = ("args", "argv", "arguments", "parameters", "params", "commandargs")  # beside a command: its words
_BASES = (
    "root",
    "base",
    "basedir",
    "basepath",
    "rootdir",
    "rootpath",
    "cwd",
    "workspace",
    "workspaceroot",
    "projectroot",
)
_BELOW = ("relative", "relpath", "entry", "member")  # beside a base: a path below it
_PACKED = (*_ARGS, "input", "payload", "request", "json", "body")  # may hold the fields as JSON text


PROGRAMS = ("python3", "node")
_END = "END-OF-PROGRAM"


def own_name(tool: str) -> str:
    """What the server calls its tool."""
    return tool.rsplit("__", 1)[-1] if tool.startswith("mcp__") else tool


def words(tool: str) -> "list[str]":
    """The words of a tool's own name: `mcp__files__moveFile` is move, file."""
    out: list[str] = []
    last = ""
    for char in own_name(tool):
        if not char.isalnum():
            last = ""
            continue
        if not last or (char.isupper() and last.islower()) or char.isdigit() != last.isdigit():
            out.append("")
        out[-1] += char.lower()
        last = char
    return out


def only_reads(tool: str, shape: "dict[str, Any]") -> bool:
    """Whether the name says so: a reading word in it, and no writing one; or the whole name is known for it."""
    if key_of(own_name(tool)) in shape["naming"] or key_of("".join(tool.split("__")[-2:])) in shape["naming"]:
        return True
    spoken = words(tool)
    return any([word in shape["reads"] for word in spoken]) and not any([word in shape["writes"] for word in spoken])


def key_of(name: str) -> str:
    """A field's name without case and separators: `outputPath` and `output_path` are one."""
    return "".join([char for char in name.lower() if char.isalnum()])


def command(event: "Event", world: "World") -> str:
    """The text of a command-like field, "" when there is none: it is for the shell reader."""
    shape = data(world)
    if shape is None:
        return ""
    found: list[str] = []
    own = key_of(own_name(event.tool))
    for key, value, holder in _values(event.input):
        program = shape["programs"].get((own, key_of(key)))
        if program is not None and isinstance(value, str) and _readable(program, value):
            found.append(f"{program} - <<'{_END}'\n{value}\n{_END}")
        elif key_of(key) in shape["commands"]:
            text = value if isinstance(value, str) else _line(value)
            if text:
                found.append(" ".join([text, *_arguments(holder)]))
    return "\n".join(found)


def _readable(program: str, text: str) -> bool:
    """Whether the text is one of that language's. A notebook's cell may hold shell lines (`!rm x`, `%%bash`) instead:
    such a cell is read as shell text, which shows them."""
    if _END in text or program != "python3":
        return _END not in text
    from guards.shell import python

    return "get_ipython" not in text and python.parse(text) is not None


def _line(value: "Any") -> str:
    """The words of a list, as shell text; "" when it is none of words."""
    plain = isinstance(value, list) and all([isinstance(item, str) for item in value])
    return " ".join([_word(item) for item in value]) if plain else ""


def _arguments(holder: "dict[str, Any]") -> "list[str]":
    """What stands beside a command as its words."""
    return [text for key, value in holder.items() if key_of(key) in _ARGS and (text := _line(_opened(value)))]


def _opened(value: "Any") -> "Any":
    """What a text holds that is JSON itself; anything else as it is."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    from guards.engine.input import Unreadable, load

    try:
        return load(value.encode("utf-8", "replace"))
    except Unreadable:
        return value


def effects(event: "Event", world: "World") -> "list[Effect]":
    """The paths that an unknown tool may touch, or a known one whose fields are not as its table says."""
    shape = data(world)
    if shape is None:
        return []
    spoken = words(event.tool)
    reads = not event.odd and only_reads(event.tool, shape)
    moves = any([word in shape["moves"] for word in spoken])
    deletes = any([word in shape["deletes"] for word in spoken])
    copies = any([word in shape["copies"] for word in spoken])
    cause = _making(spoken)
    out: list[Effect] = []
    for key, value, holder in _values(event.input):
        bare = key_of(key)
        role = _role(bare, shape) or (
            "path" if bare in _BELOW and bare not in shape["ignored"] and _bases(holder) else ""
        )
        if not role and bare not in _TEXTS and bare not in shape["ignored"]:
            role = "path" if _rooted(value) or (event.odd and _looks(value)) else ""
        if not role or (reads and role != "output") or (copies and role == "source"):
            continue
        act = DELETE if deletes or (moves and role != "output") else WRITE
        bases = _bases(holder) if bare not in _BASES else []
        texts = [text for name in _texts(value) for text in (name, *[f"{base}/{name}" for base in bases])]
        out += [_effect(text, cause or key, act, moves, holder) for text in texts]
    return out


def _bases(holder: "dict[str, Any]") -> "list[str]":
    """The folders beside a path that it may be seen from."""
    found = [value for key, value in holder.items() if key_of(key) in _BASES]
    return [value.rstrip("/") for value in found if isinstance(value, str) and _local(value)]


def _making(spoken: "list[str]") -> str:
    """What a tool makes, as the cause of its effects: a folder is no file, and a link is like what it leads to."""
    if any([word in ("link", "symlink", "hardlink", "junction") for word in spoken]):
        return "link"
    return "mkdir" if any([word in ("mkdir", "directory", "dir", "folder") for word in spoken]) else ""


def data(world: "World") -> "dict[str, Any] | None":
    """The words and fields of `[shape]`; None when the guard is switched off in the policy."""
    rules = world.rules("human-lane")
    if not rules:
        return None
    shape: dict[str, Any] = marshal.loads(rules["shape"])
    return shape


def _role(key: str, shape: "dict[str, Any]") -> str:
    """output: written whatever the tool is called; source: what a move takes away; path: any other path."""
    if key in shape["ignored"]:
        return ""
    if key in shape["outputs"] or key.startswith(shape["outputs_begin"]):
        return "output"
    if key in shape["sources"]:
        return "source"
    return "path" if key in shape["paths"] or key.endswith(shape["paths_end"]) else ""


def _values(given: "Any") -> "list[tuple[str, Any, dict[str, Any]]]":
    """(key, value, the table it stands in) of every field, within bounds; a list of tables is looked into."""
    out: list[tuple[str, Any, dict[str, Any]]] = []
    todo: list[tuple[Any, int]] = [(given, 0)]
    while todo and len(out) < NODES_MAX:
        node, depth = todo.pop()
        if isinstance(node, dict):
            out += [(str(key), value, node) for key, value in node.items()]
            inner = [_opened(value) if key_of(str(key)) in _PACKED else value for key, value in node.items()]
        else:
            inner = node
        if depth < DEPTH_MAX:
            todo += [(item, depth + 1) for item in inner if isinstance(item, (dict, list))]
    return out


def _texts(value: "Any") -> "list[str]":
    """The values of a path field that can name a file here; of a table of files, the names."""
    items = list(value) if isinstance(value, (list, dict)) else [value]
    return [item for item in items[:NODES_MAX] if isinstance(item, str) and _local(item)]


def _local(text: str) -> bool:
    """Not empty, not too long, and no address of another machine."""
    scheme, mark, _ = text.partition("://")
    return 0 < len(text) <= TEXT_MAX and not (mark and scheme.isalnum() and scheme.lower() != "file")


def _rooted(value: "Any") -> bool:
    """Whether a value cannot well be anything but a path, whatever its field is called."""
    return (
        isinstance(value, str)
        and len(value) <= 4096
        and value.startswith(("/", "~/", "./", "../", "file:"))
        and not any([char in value for char in " \n\t"])
    )


def _looks(value: "Any") -> bool:
    """Whether a string could be meant as a path: one line, with a slash or a dot in it."""
    return isinstance(value, str) and len(value) <= 4096 and "\n" not in value and ("/" in value or "." in value)


def _effect(text: str, key: str, act: str, moves: bool, holder: "dict[str, Any]") -> Effect:
    """A delete takes what lies beneath with it, and a move puts it somewhere else."""
    if act == DELETE:
        return Effect(text, DELETE, follow=False, tree=True, cause=key)
    return Effect(text, WRITE, tree=moves, change=_change(holder), cause=key)


def _change(holder: "dict[str, Any]") -> "tuple[Any, ...] | None":
    """What the call says it would write, where it says so in a known form."""
    fields = {key_of(key): value for key, value in holder.items()}
    edits = fields.get("edits")
    listed = edits if isinstance(edits, list) else [holder]
    pairs = [_pair(edit) for edit in listed]
    if pairs and all(pairs):
        return ("edits", tuple(pairs))
    texts = [fields[key] for key in _CONTENT if isinstance(fields.get(key), str)]
    return ("content", texts[0]) if len(texts) == 1 and edits is None else None


def _pair(edit: "Any") -> "tuple[str, str, bool] | None":
    if not isinstance(edit, dict):
        return None
    fields = {key_of(key): value for key, value in edit.items()}
    old = [fields[key] for key in _OLD if isinstance(fields.get(key), str)]
    new = [fields[key] for key in _NEW if isinstance(fields.get(key), str)]
    return (old[0], new[0], False) if len(old) == 1 and len(new) == 1 else None


def _word(text: str) -> str:
    """One word of a command given as a list, quoted for the shell reader."""
    plain = bool(text) and all([char.isalnum() or char in "/._-+@%:,=" for char in text])
    return text if plain else "'" + text.replace("'", "'\\''") + "'"
