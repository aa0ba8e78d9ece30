"""Which patterns of an index a path matches. The index is one text, so that loading it costs next to nothing.

A line is a key, a tab, and `number pattern` items: `P:src/a` a whole path from the root, `N:name` a name at any depth,
`E:.py` what a name ends in from a dot on, `G:name` patterns with wildcards by their last plain part, `A:` all others.
guards/knowledge/globs.py makes it. A pattern is only taken apart where its line was found.
"""

MARK = "\x01"  # between the items of a line


def match(index: str, path: str) -> "list[int]":
    """The numbers of the patterns that match a path relative to the root, or a folder above it."""
    from guards.lanes.paths import fold

    folded = fold(path)
    parts = folded.split("/")
    found: set[int] = set()
    whole = ""
    for part in parts:
        whole = whole + "/" + part if whole else part
        found.update(_plain(index, "P:" + whole))
        found.update(_plain(index, "N:" + part))
        at = part.find(".")
        while at >= 0:
            found.update(_plain(index, "E:" + part[at:]))
            at = part.find(".", at + 1)
        found.update(_tried(index, "G:" + part, parts))
    found.update(_tried(index, "A:", parts))
    return sorted(found)


def _items(index: str, key: str) -> "list[str]":
    at = index.find("\n" + key + "\t")
    if at < 0:
        return []
    start = at + len(key) + 2
    return index[start : index.find("\n", start)].split(MARK)


def _plain(index: str, key: str) -> "list[int]":
    return [int(item.partition(" ")[0]) for item in _items(index, key)]


def _tried(index: str, key: str, parts: "list[str]") -> "list[int]":
    items = _items(index, key)
    if not items:
        return []
    from guards.knowledge.globs import tokens
    from guards.lanes.patterns import accepts

    found = []
    for item in items:
        number, _, pattern = item.partition(" ")
        taken = tokens(pattern)
        if taken is not None and accepts(taken, parts):
            found.append(int(number))
    return found
