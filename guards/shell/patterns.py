"""Whether a file holds a pattern of grep or rg: yes, no, or None where that is not decided.

Plain text is looked for as it stands. Anything more is handed to the package `regex`, which can be stopped; a pattern
that would mean something else there is not decided.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from guards.shell.args import Args

SECONDS = 0.05  # for one text
TRIES = 4  # texts that may take too long, then no more is asked
_ACTIVE = frozenset(".[]()*+?{}|^$\\")
_BASIC = frozenset("(){}+?|")  # characters that are active behind a backslash in a basic expression
_SAFE = frozenset("wWsSbB")  # escapes that mean the same everywhere
_OTHER = ("-f", "--file", "-U", "--multiline", "--search-zip", "-P", "--perl-regexp", "--pcre2", "--engine")
_OF_LINES = ("-v", "--invert-match", "-z", "--null-data")
_NOT_TEXT = (b"\xff\xfe", b"\xfe\xff")  # rg decodes these


class Pattern:
    """The patterns of one search. `lines`: held against single lines, so that -v and -z are the caller's."""

    def __init__(self, args: "Args", name: str, lines: bool = False) -> None:
        self.rg = name in ("rg", "ripgrep")
        texts = [v.text for v in args.values(("-e", "--regexp"))] or [w.text for w in args.operands[:1]]
        self.known = None not in texts and not args.has(_OTHER if lines else (*_OTHER, *_OF_LINES))
        plain = name == "fgrep" or args.has(("-F", "--fixed-strings"))
        extended = self.rg or name == "egrep" or args.has(("-E", "--extended-regexp"))
        self.known = self.known and bool(texts)
        self.texts = [line for t in texts for line in (t or "").split("\n")]
        self.fold = _folds(args, self.texts, self.rg)
        self.without = args.has(("--files-without-match", *(() if self.rg else ("-L",))))
        self.whole = args.has(("-x", "--line-regexp"))
        self.word = args.has(("-w", "--word-regexp"))
        self.text_only = not self.rg and args.has(("-I", "--binary-files"))
        self.tried = 0
        forms = [_plain(t, plain, extended) for t in self.texts]
        self.plain = [f for f in forms if f is not None]
        simple = len(self.plain) == len(forms) and not self.whole and not self.word
        self.compiled = None if simple or not self.known else self._built(plain, extended)
        self.known = self.known and (simple or self.compiled is not None)

    def _built(self, plain: bool, extended: bool) -> "Any":
        found = []
        for text in self.texts:
            known = _plain(text, plain, extended)
            form = _literal(known) if known is not None else _form(text, extended)
            if form is None:
                return None
            found.append(form)
        whole = "|".join([f"(?:{f})" for f in found])
        if self.word:
            whole = rf"(?<!\w)(?:{whole})(?!\w)"
        if self.whole:
            whole = f"^(?:{whole})$"
        return compiled(whole, self.fold)

    def holds(self, data: bytes) -> "bool | None":
        if self.rg and data[:2] in _NOT_TEXT:
            return None
        found = self._found(data)
        if (self.rg or self.text_only) and found is not False and b"\0" in data:  # how far they look hangs on more
            return None
        return found if found is None or not self.without else not found

    def _found(self, data: bytes) -> "bool | None":
        if not data:
            return False
        return self._within(data)

    def line(self, text: str) -> "bool | None":
        return self._within(text.encode("utf-8", "surrogateescape")) if self.known else None

    def _within(self, data: bytes) -> "bool | None":
        if self.compiled is None and not self.fold:
            return any([t.encode("utf-8", "surrogateescape") in data for t in self.plain])
        text = data.decode("utf-8", "replace")
        if self.compiled is None:
            low = text.lower()
            return any([t.lower() in low for t in self.plain])
        if "\ufffd" in text or "\0" in text or self.tried >= TRIES:
            return None
        try:
            hit = self.compiled.search(text, timeout=SECONDS)
        except TimeoutError:
            self.tried += 1
            return None
        return None if hit is not None and "\n" in hit.group() else hit is not None


def of_find(text: "str | None", dialect: str, fold: bool) -> "Callable[[str], bool | None] | None":
    """A -regex of find, for the whole path. In its own dialect `+` and `?` are active without a backslash."""
    extended = dialect in ("posix-extended", "egrep", "posix-egrep", "posix-awk", "gnu-awk", "awk")
    if text is None or not (extended or dialect in ("emacs", "findutils-default")):
        return None
    form = _form(text if extended else _turned(text), True)
    made = None if form is None else compiled(f"\\A(?:{form})\\Z", fold)
    if made is None:
        return None

    def held(path: str) -> "bool | None":
        try:
            return made.search(path, timeout=SECONDS) is not None
        except TimeoutError:
            return None

    return held


def _turned(text: str) -> str:
    """Emacs's expression as an extended one: groups and alternatives have a backslash there, braces are text."""
    out, at = "", 0
    while at < len(text):
        c = text[at]
        at += 1
        if c == "\\" and text[at : at + 1] in ("(", ")", "|"):
            out += text[at]
            at += 1
        elif c == "\\":
            out += c + text[at : at + 1]
            at += 1
        elif c == "[":
            end = text.find("]", at + (2 if text[at : at + 1] == "^" else 1))
            end = len(text) if end < 0 else end + 1
            out += text[at - 1 : end]
            at = end
        else:
            out += "\\" + c if c in "(){}|" else c
    return out


def _folds(args: "Args", texts: "list[str]", rg: bool) -> bool:
    if args.has(("-i", "--ignore-case")):
        return True
    return rg and args.has(("-S", "--smart-case")) and all([t == t.lower() for t in texts])


def _plain(text: str, fixed: bool, extended: bool) -> "str | None":
    """The text that a pattern stands for; None where it is more than text."""
    if fixed:
        return text
    active = _ACTIVE if extended else _ACTIVE - _BASIC
    out, at = "", 0
    while at < len(text):
        c = text[at]
        if c == "\\":
            at += 1
            c = text[at : at + 1]
            if not c or c.isalnum() or c in "<>`'" or (not extended and c in _BASIC):
                return None
        elif c in active and not (c == "]" and "[" not in text):
            return None
        out += c
        at += 1
    return out


def _literal(text: str) -> str:
    return "".join(["\\" + c if c in _ACTIVE else c for c in text])


def _form(text: str, extended: bool) -> "str | None":
    """The pattern as an extended expression that `regex` reads alike; None for anything that it might not."""
    from guards.lanes import ere

    out, at = "", 0
    while at < len(text):
        c = text[at]
        if c == "[":
            end = ere.past_bracket(text, at)
            piece = text[at : end + 1]
            if piece[-1:] != "]" or "\\" in piece or "--" in piece or "&&" in piece or "||" in piece or "~~" in piece:
                return None
            out += "[" + piece[1:-1].replace("[:", "\0").replace("[", "\\[").replace("\0", "[:") + "]"
            at = end
        elif c == "\\":
            at += 1
            c = text[at : at + 1]
            spelled = _escape(c, extended)
            if spelled is None:
                return None
            out += spelled
        elif not extended and (c in _BASIC or (c == "*" and not out.strip("^"))):
            out += "\\" + c
        else:
            out += c
        at += 1
    return None if ere.unfit(out) or ("^" in out[1:] and not extended) else out


def _escape(c: str, extended: bool) -> "str | None":
    if not c or c in "`'":
        return None
    if c in "<>":
        return r"\b"
    if c in _BASIC:
        return "\\" + c if extended else c
    return None if c.isalnum() and c not in _SAFE else "\\" + c


def compiled(form: str, fold: bool) -> "Any":
    """None where the package is not there or does not take the pattern."""
    from guards.engine import packages

    packages.use()
    try:
        import regex
    except ImportError:
        return None
    try:
        return regex.compile(form, regex.VERSION0 | regex.MULTILINE | (regex.IGNORECASE if fold else 0))
    except (regex.error, ValueError, OverflowError, RecursionError, KeyError, IndexError):
        return None
