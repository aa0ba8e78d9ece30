"""What other readers of the same text would make of a path: `~`, `$HOME`, `file://`, Windows spellings, text that is
trimmed. A tool that does not expand them would write a strange file; so these forms only ever refuse.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.engine.world import World


def of(path: str, world: "World", expanded: bool) -> "list[tuple[str, str]]":
    """The path, and what other readers of the same text would make of it. The rare ones only ever refuse."""
    out = [(path, "as named")]
    if "\0" in path:
        out = [(path.replace("\0", ""), "trimmed"), (path.split("\0", 1)[0], "trimmed")]
        path = out[0][0]
    if not expanded:
        bare = path.strip(" \t\r\n\"'")
        if bare != path:
            out.append((bare, "trimmed"))
        out += _expansions(bare, world)
    if "\\" in path or path[1:3] == ":/":
        text = posix(path)
        out += [(text, "windows")] if text[:1] != "/" else [(text, "windows"), ("/mnt" + text, "windows")]
    if "./" in path or " /" in path or path.endswith((".", " ")):
        trimmed = "/".join([part.rstrip(". ") or part for part in path.split("/")])
        if trimmed != path:
            out.append((trimmed, "trimmed"))
    return out


def posix(path: str) -> str:
    """A drive letter as Git Bash spells it: `C:` is `/c`."""
    path = path.replace("\\", "/")
    if path[1:3] in (":/", ":") and path[0].isalpha():
        return "/" + path[0].lower() + "/" + path[2:].lstrip("/")
    return path


def _expansions(path: str, world: "World") -> "list[tuple[str, str]]":
    out: list[tuple[str, str]] = []
    if path[:5].lower() == "file:":
        path = _unquoted(path[5:])
        if path.startswith("//"):
            path = "/" + path[2:].partition("/")[2]
        out.append((path, "uri"))
    if path.startswith("~"):
        name, _, rest = path[1:].partition("/")
        out += [(home + "/" + rest, "home") for home in (_homes(world) if not name else _home_of(name))]
    if "$" in path:
        out += [(_variables(path, world, home), "variable") for home in _homes(world)]
    return out


def _homes(world: "World") -> "list[str]":
    """The recorded home, and the one the harness may have: its HOME can differ."""
    return list(dict.fromkeys([home for home in (world.home, world.plain_env("HOME")) if home]))


def _home_of(name: str) -> "list[str]":
    import pwd

    try:
        return [pwd.getpwnam(name).pw_dir]
    except (KeyError, ValueError):
        return []


def _variables(path: str, world: "World", home: str) -> str:
    """`$NAME` and `${NAME}` replaced from the hook's environment."""
    out = ""
    rest = path
    while "$" in rest:
        before, _, rest = rest.partition("$")
        out += before
        if rest.startswith("{") and "}" in rest:
            name, _, rest = rest[1:].partition("}")
        else:
            end = 0
            while end < len(rest) and (rest[end].isalnum() or rest[end] == "_"):
                end += 1
            name, rest = rest[:end], rest[end:]
        value = home if name == "HOME" else (world.plain_env(name) if name else None)
        out += value or ""
    return out + rest


def _unquoted(text: str) -> str:
    """Percent-decoding of a URI's path."""
    first, *pieces = text.encode("utf-8", "surrogatepass").split(b"%")
    data = [first]
    for piece in pieces:
        try:
            data.append(bytes([int(piece[:2], 16)]) + piece[2:] if len(piece) > 1 else b"%" + piece)
        except ValueError:
            data.append(b"%" + piece)
    return b"".join(data).decode("utf-8", "replace")
