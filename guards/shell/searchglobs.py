"""Which files the options of a search leave: --include, --exclude and --exclude-dir of grep, -g and -t of rg."""

from guards.shell.globs import match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.args import Args
    from guards.shell.searching import Keep

    Filters = tuple[Keep, bool, bool]  # what is kept; whether more is left out; whether -g names what is kept

_TYPES = {
    "py": "*.py *.pyi", "python": "*.py *.pyi", "js": "*.js *.jsx *.vue *.cjs *.mjs", "ts": "*.ts *.tsx *.cts *.mts",
    "typescript": "*.ts *.tsx *.cts *.mts", "go": "*.go", "rust": "*.rs", "json": "*.json composer.lock *.sarif",
    "yaml": "*.yaml *.yml", "toml": "*.toml Cargo.lock", "sql": "*.sql *.psql", "css": "*.css *.scss",
    "md": "*.markdown *.md *.mdown *.mdwn *.mdx *.mkd *.mkdn",
    "html": "*.htm *.html *.ejs", "java": "*.java *.jsp *.jspx *.properties",
}  # fmt: skip


def of_grep(args: "Args") -> "Filters":
    """The last of --include and --exclude that matches a name decides; where none does, the first says what is left."""
    rules = [(o == "--include", v.text) for o, v in args.options if o in ("--include", "--exclude") and v is not None]
    folders = [v.text for v in args.values(("--exclude-dir",))]

    def keep(path: str, folder: bool) -> int:
        name = path.rstrip("/").rpartition("/")[2]
        if folder:
            return not any([f is not None and match(f.rstrip("/"), name) for f in folders])
        for include, pattern in reversed(rules):
            if pattern is not None and match(pattern, name):
                return include
        return not rules or not rules[0][0]

    unknown = None in folders or any([pattern is None for _, pattern in rules])
    return (keep if not unknown else _every), unknown, False


def _every(_path: str, _folder: bool) -> int:
    return 2


def of_rg(args: "Args") -> "Filters":
    """-g in the order of the line, the last that matches decides; `!` leaves out. -t and -T go by the file's name."""
    globs: list[tuple[bool, str]] = []
    loose = args.has(("--iglob",))
    for value in args.values(("-g", "--glob")):
        if value.text is None:
            return _every, True, True
        globs.append((value.text[:1] != "!", value.text.removeprefix("!")))
    types, known = _types(args, ("-t", "--type"))
    others, sure = _types(args, ("-T", "--type-not"))
    only = any([positive for positive, _ in globs])

    def keep(path: str, folder: bool) -> int:
        decided = next((positive for positive, pattern in reversed(globs) if ignores(pattern, path, folder)), None)
        if decided is False or (decided is None and only and not folder):
            return 0
        name = path.rpartition("/")[2]
        typed = not folder and any([match(t, name) for t in types])
        if not folder and ((types and not typed) or any([match(t, name) for t in others])):
            return 0
        return 2 if decided or typed else 1

    return keep, loose or not known or not sure, only


def _types(args: "Args", options: "tuple[str, ...]") -> "tuple[list[str], bool]":
    """The patterns of file types; none at all, and not sure, where one is not in the list."""
    found: list[str] = []
    for value in args.values(options):
        if value.text not in _TYPES:
            return [], False
        found += _TYPES[value.text or ""].split()
    return found, True


def ignores(pattern: str, path: str, folder: bool) -> bool:
    """As in .gitignore: without a slash the name counts, at any depth; with one the path from where rg runs."""
    if pattern[-1:] == "/":
        if not folder:
            return False
        pattern = pattern[:-1]
    found = False
    for one in alternatives(pattern):
        if "/" not in one:
            found = found or match(one, path.rpartition("/")[2])
        else:
            found = found or parts(one.lstrip("/").split("/"), path.removeprefix("./").split("/"))
    return found


def alternatives(pattern: str) -> "list[str]":
    """`*.{ts,tsx}` as two patterns; braces within braces stay as they are."""
    head, opened, rest = pattern.partition("{")
    inside, closed, tail = rest.partition("}")
    if not opened or not closed or "{" in inside or len(pattern) > 300:
        return [pattern]
    return [head + each + end for each in inside.split(",") for end in alternatives(tail)][:200]


def parts(pattern: "list[str]", path: "list[str]") -> bool:
    """Part by part; `**` stands for any number of them."""
    if not pattern:
        return not path
    if pattern[0] == "**":
        if len(pattern) == 1:
            return bool(path)
        return any([parts(pattern[1:], path[at:]) for at in range(len(path) + 1)]) if len(pattern) < 12 else True
    return bool(path) and match(pattern[0], path[0]) and parts(pattern[1:], path[1:])
