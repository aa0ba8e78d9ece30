"""Shell patterns: which paths one matches, and whether it matches a text. Bounded, without regular expressions."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from guards.engine.world import World

FOLDERS = 256  # directories listed for one pattern
FOUND = 4096  # paths it may give
STEPS = 200_000  # comparisons for one text


def escaped(text: str) -> str:
    """Text in which every character that a pattern knows stands for itself."""
    if text.isalnum():
        return text
    return "".join(["\\" + c if c in "*?[]\\" else c for c in text])


def literal(pattern: str) -> "str | None":
    """What a pattern without active characters spells, else None."""
    if "\\" not in pattern:
        return None if any(c in pattern for c in "*?[") else pattern
    out = []
    i = 0
    while i < len(pattern):
        if pattern[i] == "\\" and i + 1 < len(pattern):
            i += 1
        elif pattern[i] in "*?[":
            return None
        out.append(pattern[i])
        i += 1
    return "".join(out)


def expand(pattern: str, cwd: "str | None", world: "World", made: "list[str]") -> "list[str] | None":
    """The paths that match, sorted, spelled as the shell would; None where that is not known: no directory, or too
    many. `made` are paths that earlier commands of the text make."""
    if cwd is None and not pattern.startswith("/"):
        return None
    parts = pattern.split("/")
    rows = [""]
    if pattern.startswith("/"):
        rows = ["/"]
        parts = parts[1:]
    budget = [FOLDERS]
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        if part == "":
            if not last:
                rows = [row + "/" if not row.endswith("/") else row for row in rows]
            continue
        found = step(rows, part, cwd or "/", world, made, last, budget)
        if found is None or len(found) > FOUND:
            return None
        rows = found
    return sorted(rows)


def step(
    rows: "list[str]", part: str, cwd: str, world: "World", made: "list[str]", last: bool, budget: "list[int]"
) -> "list[str] | None":
    """One part of the pattern behind each of the paths found so far."""
    spelled = literal(part)
    out: list[str] = []
    for row in rows:
        base = row if row.startswith("/") else cwd + "/" + row
        if spelled is not None:
            path = base.rstrip("/") + "/" + spelled
            if world.lstat(path) is not None or any(m == path or m.startswith(path + "/") for m in made):
                out.append(row + spelled + ("" if last else "/"))
            continue
        budget[0] -= 1
        names = world.listdir(base)
        if budget[0] < 0 or (names is not None and len(names) >= 10000):
            return None
        for name in {*(names or ()), *below(base, made)}:
            if (name[0] != "." or part[0] == ".") and match(part, name):
                if last or is_folder(world, base, name, made):
                    out.append(row + name + ("" if last else "/"))
    return out


def below(base: str, made: "list[str]") -> "list[str]":
    base = base.rstrip("/") + "/"
    return [path[len(base) :].split("/")[0] for path in made if path.startswith(base) and len(path) > len(base)]


def is_folder(world: "World", base: str, name: str, made: "list[str]") -> bool:
    path = base.rstrip("/") + "/" + name
    info = world.stat(path)
    return (info is not None and info.st_mode & 0o170000 == 0o040000) or any(m.startswith(path + "/") for m in made)


def match(pattern: str, text: str) -> bool:
    """Whether a pattern matches the whole text. `*` also matches a slash, as in case and ${x#…}."""
    p = t = 0
    star = mark = -1
    steps = 0
    while t < len(text):
        steps += 1
        if steps > STEPS:
            return True  # hostile: what may match counts as a match
        if p < len(pattern) and pattern[p] == "*":
            star, mark = p, t
            p += 1
            continue
        width = one(pattern, p, text[t]) if p < len(pattern) else 0
        if width:
            p += width
            t += 1
        elif star >= 0:
            mark += 1
            p, t = star + 1, mark
        else:
            return False
    while p < len(pattern) and pattern[p] == "*":
        p += 1
    return p == len(pattern)


def one(pattern: str, p: int, c: str) -> int:
    """How many characters of the pattern match the character `c`; 0 when they do not."""
    head = pattern[p]
    if head == "?":
        return 1
    if head == "\\" and p + 1 < len(pattern):
        return 2 if pattern[p + 1] == c else 0
    if head == "[":
        end = closing(pattern, p)
        if end:
            return end - p if member(pattern[p + 1 : end - 1], c) else 0
    return 1 if head == c else 0


def closing(pattern: str, p: int) -> int:
    """The index behind the bracket expression that starts at `p`; 0 when it is none."""
    i = p + 1
    if pattern[i : i + 1] in ("!", "^"):
        i += 1
    if pattern[i : i + 1] == "]":
        i += 1
    while i < len(pattern):
        if pattern[i] == "\\":
            i += 2
        elif pattern.startswith("[:", i) and ":]" in pattern[i + 2 :]:
            i = pattern.index(":]", i + 2) + 2
        elif pattern[i] == "]":
            return i + 1
        else:
            i += 1
    return 0


CLASSES: "dict[str, Callable[[str], bool]]" = {
    "alpha": str.isalpha,
    "digit": str.isdigit,
    "alnum": str.isalnum,
    "upper": str.isupper,
    "lower": str.islower,
    "space": str.isspace,
    "punct": lambda c: c.isprintable() and not c.isalnum() and c != " ",
    "blank": lambda c: c in " \t",
    "xdigit": lambda c: c in "0123456789abcdefABCDEF",
}


def member(inside: str, c: str) -> bool:
    negated = inside[:1] in ("!", "^")
    i = 1 if negated else 0
    found = False
    while i < len(inside):
        if inside.startswith("[:", i):
            end = inside.index(":]", i) if ":]" in inside[i:] else len(inside)
            test = CLASSES.get(inside[i + 2 : end])
            found = found or test is None or test(c)
            i = end + 2
            continue
        if inside[i] == "\\" and i + 1 < len(inside):
            i += 1
        low = inside[i]
        if inside[i + 1 : i + 2] == "-" and i + 2 < len(inside):
            high = inside[i + 2]
            if high == "\\" and i + 3 < len(inside):
                high = inside[i + 3]
                i += 1
            found = found or low <= c <= high  # bash's default (globasciiranges) is the C order
            i += 3
        else:
            found = found or low == c
            i += 1
    return found is not negated
