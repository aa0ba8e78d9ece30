"""Compound commands of tree-sitter's tree -> syntax."""

from guards.shell.grouping import goes_on, newline
from guards.shell.syntax import Compound, Lost, Raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.syntax import Seq
    from guards.shell.tree import Walker


def between(w: "Walker", children: "list[Any]", first: int, last: int, depth: int) -> "Seq":
    """The commands between two children that are its brackets or keywords."""
    return w.body(children[first + 1 : last], children[first].end_byte, children[last].start_byte, depth)


def compound(w: "Walker", kind: str, node: "Any") -> Compound:
    return Compound(kind, w.src, node.start_byte, node.end_byte)


def group(w: "Walker", node: "Any", depth: int) -> Compound:
    children = node.children
    opening = children[0].type
    if opening == "((":
        made = compound(w, "arith", node)
        made.a = w.src[children[0].end_byte : children[-1].start_byte]
        return made
    made = compound(w, "subshell" if opening == "(" else "group", node)
    made.a = between(w, children, 0, len(children) - 1, depth)
    return made


def test(w: "Walker", node: "Any", _: int) -> Compound:
    """`[` is an ordinary command, in which < and > redirect; `[[` is not."""
    children = node.children
    made = compound(w, "[" if children[0].type == "[" else "test", node)
    made.a = w.src[children[0].end_byte : children[-1].start_byte]
    if made.a[:1] not in (" ", "\t", "\n", "\\"):
        raise Lost("a word that only begins like a test")
    return made


def if_(w: "Walker", node: "Any", depth: int) -> Compound:
    made = compound(w, "if", node)
    made.a = []
    children = node.children
    clause(w, made, children, depth)
    for child in children:
        if child.type == "elif_clause":
            clause(w, made, child.children, depth)
        elif child.type == "else_clause":
            inner = child.children
            made.b = w.body(inner[1:], inner[0].end_byte, child.end_byte, depth)
    return made


def clause(w: "Walker", made: Compound, children: "list[Any]", depth: int) -> None:
    kinds = [child.type for child in children]
    then = kinds.index("then")
    stop = len(children)
    for ending in ("elif_clause", "else_clause", "fi"):
        if ending in kinds:
            stop = min(stop, kinds.index(ending))
    end = children[stop].start_byte if stop < len(children) else children[-1].end_byte
    body = w.body(children[then + 1 : stop], children[then].end_byte, end, depth)
    made.a.append((between(w, children, 0, then, depth), body))


def while_(w: "Walker", node: "Any", depth: int) -> Compound:
    children = node.children
    made = compound(w, children[0].type, node)
    made.a = between(w, children, 0, len(children) - 1, depth)
    made.b = do(w, children[-1], depth)
    return made


def do(w: "Walker", node: "Any", depth: int) -> "Seq":
    children = node.children
    if node.type not in ("do_group", "compound_statement"):
        raise Lost("a loop has no body")
    return between(w, children, 0, len(children) - 1, depth)


def for_(w: "Walker", node: "Any", depth: int) -> Compound:
    children = node.children
    made = compound(w, "for", node)
    if node.start_byte in w.kinds:
        return counting(w, made, do(w, children[-1], depth))
    made.a = w.src[children[1].start_byte : children[1].end_byte]
    made.c = do(w, children[-1], depth)
    if children[2].type == "in":
        made.b = words(w, children[3:], children[2].end_byte)
    return made


def counting(w: "Walker", made: Compound, body: "Seq") -> Compound:
    """`for ((…))` behind a mask."""
    start, end = made.start, w.kinds[made.start][1]
    made.kind = "cfor"
    made.a = w.src[w.src.index("((", start) + 2 : end - 2]
    made.c = body
    return made


def words(w: "Walker", nodes: "list[Any]", start: int) -> "list[Raw]":
    """The words of a loop's list, which a semicolon or a newline ends."""
    raws: list[Raw] = []
    for node in nodes:
        if node.type in (";", "\n") or node is nodes[-1]:
            newline(w.masked, start, node.start_byte)
            break
        if node.type == "comment":
            start = node.end_byte
            continue
        if raws and (raws[-1].end == node.start_byte or goes_on(w.masked, start, node.start_byte)):
            raws[-1].end = node.end_byte
        else:
            if newline(w.masked, start, node.start_byte):
                raise Lost("a loop's list spans lines")
            raws.append(Raw(w.src, node.start_byte, node.end_byte))
        start = node.end_byte
    return raws


def cfor(w: "Walker", node: "Any", depth: int) -> Compound:
    children = node.children
    made = compound(w, "cfor", node)
    kinds = [child.type for child in children]
    made.a = w.src[children[kinds.index("((")].end_byte : children[kinds.index("))")].start_byte]
    made.c = do(w, children[-1], depth)
    return made


def case(w: "Walker", node: "Any", depth: int) -> Compound:
    made = compound(w, "case", node)
    children = node.children
    kinds = [child.type for child in children]
    stop = kinds.index("in")
    made.a = Raw(w.src, children[1].start_byte, children[stop - 1].end_byte)
    made.b = [item(w, child, depth) for child in children[stop + 1 :] if child.type == "case_item"]
    return made


def item(w: "Walker", node: "Any", depth: int) -> "tuple[list[Raw], Seq, str]":
    children = node.children
    kinds = [child.type for child in children]
    close = kinds.index(")")
    patterns: list[Raw] = []
    fresh = True
    for child in children[:close]:
        if child.type in ("(", "|"):
            fresh = True
        elif fresh:
            patterns.append(Raw(w.src, child.start_byte, child.end_byte))
            fresh = False
        else:
            patterns[-1].end = child.end_byte
    ended = kinds[-1] in (";;", ";&", ";;&")
    stop = len(children) - ended
    end = children[stop].start_byte if ended else node.end_byte
    body = w.body(children[close + 1 : stop], children[close].end_byte, end, depth)
    return patterns, body, kinds[-1] if ended else ";;"


def function(w: "Walker", node: "Any", depth: int) -> Compound:
    made = compound(w, "function", node)
    children = node.children
    named = [child for child in children if child.type == "word"]
    bodies = [child for child in children if child.type in BUILD]
    if len(bodies) != 1 or not named:
        raise Lost("a function has no body")
    made.a = w.src[named[0].start_byte : named[0].end_byte]
    made.b = BUILD[bodies[0].type](w, bodies[0], depth)
    for child in children:
        if child.type in ("file_redirect", "herestring_redirect"):
            for _, _, kind, redir in w.redirect(child, child.start_byte):
                if kind != "r":
                    raise Lost("words stand behind a function")
                if redir.word is not None:
                    redir.word.src = w.src
                made.b.redirs.append(redir)
    return made


BUILD: "dict[str, Any]" = {
    "subshell": group,
    "compound_statement": group,
    "test_command": test,
    "if_statement": if_,
    "while_statement": while_,
    "for_statement": for_,
    "c_style_for_statement": cfor,
    "case_statement": case,
    "function_definition": function,
}
