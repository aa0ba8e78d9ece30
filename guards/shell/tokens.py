"""The text of a program in most languages → names, texts and marks. Enough to see which function gets which
literal.

A token is (kind, text): "name" (dotted: fs.writeFileSync, File::write, $fh), "text" (a literal without unknown
parts), "raw" (a literal with parts that are filled in at run time), "run" (backticks), "mark" (any other
character), "end" (a newline). Comments are left out. What the language's quotes and comments are is data
(policy/shell-lane.toml).
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Token = tuple[str, str]

LIMIT = 40_000  # tokens of one program
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_APART = frozenset(" \t\r\n\f\v;|(){}[],=&@>")
_HEX = frozenset("0123456789abcdefABCDEF")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "e": "\x1b"}


def split(text: str, language: "dict[str, Any]") -> "list[Token]":
    quotes, comments = language["quotes"], language["comments"]
    links, words = language.get("links", ()), language.get("words")
    found: list[Token] = []
    at, end = 0, len(text)
    while at < end and len(found) < LIMIT:
        c = text[at]
        if c == "\n":
            found.append(("end", c))
            at += 1
        elif c in " \t\r\f\v":
            at += 1
        elif (skip := _comment(text, at, comments)) > at:
            at = skip
        elif c in "%q" and language.get("percent") and (taken := _percent(text, at)):
            tokens, at = taken
            found += tokens
        elif words and (stop := _word(text, at, quotes, found)) > at:
            at = stop
        elif c in quotes:
            token, at = literal(text, at, language)
            found.append(token)
        elif c in _NAME or (c in "$@%" and text[at + 1 : at + 2] in _NAME and c in language.get("sigils", "")):
            at = _name(text, at, links, found)
        else:
            found.append(("mark", c))
            at += 1
    return found


def settled(text: str, language: "dict[str, Any]", name: str) -> "list[Token]":
    """The tokens, with dots that join texts apart from names, and `->` before a name as a link."""
    found = split(text, language)
    if "." not in language["joins"]:
        return found
    out: list[Token] = []
    for kind, value in found:
        if kind == "name" and value[:1] == "." and (name != "lua" or out[-1:] == [("mark", ".")]):
            out += [("mark", "."), ("name", value[1:])]
        elif kind == "name" and out[-2:] == [("mark", "-"), ("mark", ">")]:
            out[-2:] = [("name", "." + value)]
        elif kind == "name" and name == "lua" and out[-1:] == [("mark", ":")]:
            out[-1:] = [("name", "." + value)]
        else:
            out.append((kind, value))
    return out


def _word(text: str, at: int, quotes: str, found: "list[Token]") -> int:
    """A word without quotes, in languages that take one for a text; where it ends, `at` itself when it is none."""
    if text[at] == ">" and not text[at:].lstrip("> ").startswith("$null"):
        found += [("end", "\n"), ("name", "Out-File")]
        return at + 1
    end = at
    while end < len(text) and text[end] not in _APART and text[end] not in quotes:
        end += 1
    word = text[at:end]
    if word[:1] == "-":  # `-Path`: says what the next one is
        return end
    if word[:1] in "$:" or all([c in _NAME or c == "-" for c in word]):
        return at
    found.append(("text", word))
    return end


def _comment(text: str, at: int, comments: "tuple[str, ...]") -> int:
    for start in comments:
        if text.startswith(start, at):
            if start in ("/*", "--[[", "<!--"):
                end = text.find({"/*": "*/", "--[[": "]]", "<!--": "-->"}[start], at + len(start))
                return len(text) if end < 0 else end + 2
            if start == "#" and at and text[at - 1] in "$@{":  # $#, @#
                continue
            end = text.find("\n", at)
            return len(text) if end < 0 else end
    return at


def _name(text: str, at: int, links: "tuple[str, ...]", found: "list[Token]") -> int:
    """A name with what hangs on it; what follows a `.` after `)` begins with the link: ".write"."""
    start = at
    at += text[at] in "$@%"
    end = len(text)
    while at < end:
        if text[at] in _NAME:
            at += 1
            continue
        link = next((x for x in links if text.startswith(x, at) and text[at + len(x) : at + len(x) + 1] in _NAME), "")
        if not link or not text[at + len(link) : at + len(link) + 1]:
            break
        at += len(link)
    name = text[start:at]
    for link in links:
        name = name if link == "-" else name.replace(link, ".")
    if text.startswith("!(", at):  # File.write!("x")
        at += 1
    if found and found[-1] == ("mark", "."):
        found.pop()
        name = "." + name
    found.append(("name", name))
    return at


def literal(text: str, at: int, language: "dict[str, Any]") -> "tuple[Token, int]":
    """A quoted text and where it ends."""
    quote = text[at]
    fills = language.get("fills", {}).get(quote, ())
    triple = text.startswith(quote * 3, at) and language.get("triple")
    close = quote * 3 if triple else "]]" if quote == "[" else {"{": "}"}.get(quote, quote)
    at += 3 if triple else 1
    out: list[str] = []
    raw = False
    while at < len(text) and not text.startswith(close, at):
        c = text[at]
        if c == "\\" and at + 1 < len(text):
            known = quote != "'" or language.get("single")
            piece, at = _escaped(text, at + 1) if known else _kept(text, at + 1)
            out.append(piece)
            continue
        raw = raw or any(
            [text.startswith(f, at) and text[at + len(f) : at + len(f) + 1] not in (" ", quote, "") for f in fills]
        )
        out.append(c)
        at += 1
    kind = "run" if quote == "`" and language.get("runs") else "raw" if raw else "text"
    return (kind, "".join(out)), at + len(close)


def _kept(text: str, at: int) -> "tuple[str, int]":
    """Behind a backslash, where only itself and the quote mean something."""
    following = text[at]
    return (following if following in "\\'" else "\\" + following), at + 1


def _escaped(text: str, at: int) -> "tuple[str, int]":
    """Behind a backslash, as most languages have it: `n`, `x2e`, `u002e`, `u{2e}`."""
    following = text[at]
    if following in "xu":
        start = at + 2 if text[at + 1 : at + 2] == "{" else at + 1
        end = text.find("}", start) if start == at + 2 else start + (2 if following == "x" else 4)
        digits = text[start:end] if end > start else ""
        if 0 < len(digits) <= 6 and all([digit in _HEX for digit in digits]) and int(digits, 16) < 0x110000:
            return chr(int(digits, 16)), end + (start == at + 2)
    return _ESCAPES.get(following, following), at + 1


def _percent(text: str, at: int) -> "tuple[list[Token], int] | None":
    """Ruby's %x(…) %q(…) %w(…) and Perl's qx{…} q(…) qw(…)."""
    head = at + 1
    while head < len(text) and text[head] in "xqQwWiI" and head < at + 2:
        head += 1
    opening = text[head : head + 1]
    if (
        not opening
        or opening not in "([{<|!/"
        or (at and text[at - 1] in _NAME)
        or (text[at] == "%" and opening == "/")
    ):
        return None
    if text[at] == "%" and head == at + 1 and opening not in "([{|":
        return None
    close = {"(": ")", "[": "]", "{": "}", "<": ">"}.get(opening, opening)
    end = text.find(close, head + 1)
    if end < 0:
        return None
    body, letters = text[head + 1 : end], text[at + 1 : head]
    if "w" in letters.lower() or "i" in letters.lower():
        return [("text", word) for word in body.split()], end + 1
    return [("run" if "x" in letters else "text", body)], end + 1
