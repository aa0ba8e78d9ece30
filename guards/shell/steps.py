"""What a shell command's text says, in neutral form: words, redirections, steps. Both readers give this.

A step is one command that the text would run, in the order of the text, with its words expanded as far as
they are static. What is not static is not guessed: a word then has no `text` and names its `cause`.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

NOTHING: "Mapping[str, str | None]" = {}


class Word:
    """One word of a command after quote removal and expansion.

    text    the word as the program gets it, or None when it is not static
    raw     its source text
    cause   why it is not static ("variable X", "command substitution", "glob"), "" when it is; "process
            substitution" stands beside the text /dev/fd/63
    parts   the static fragments of a word that is not static, in order, for mentions: "$X/ci.yml" has
            ("/ci.yml",)
    quoted  some part of it was quoted
    glob    `text` still holds unquoted * ? [ : nothing matched, or the directory could not be listed
    rough   the word with what is not static left as it was written ("$X/ci.yml"): what to read when the
            word is itself code, as in `bash -c "… $X …"`
    many    may stand for no word or for several (an unquoted variable, "$@")
    feed    for <(…): the text that the inner commands are known to print, else None
    """

    __slots__ = ("cause", "feed", "glob", "many", "parts", "quoted", "raw", "rough", "text")

    def __init__(
        self,
        text: "str | None",
        raw: str = "",
        cause: str = "",
        *,
        parts: "tuple[str, ...]" = (),
        quoted: bool = False,
        glob: bool = False,
        rough: "str | None" = None,
        many: bool = False,
        feed: "str | None" = None,
    ) -> None:
        self.text = text
        self.raw = raw if raw or text is None else text
        self.cause = cause
        self.parts = parts
        self.quoted = quoted
        self.glob = glob
        self.rough = rough if rough is not None else (text if text is not None else raw)
        self.many = many
        self.feed = feed

    def __repr__(self) -> str:
        return f"Word({self.text!r})" if self.text is not None else f"Word(None, {self.raw!r}, {self.cause!r})"


class Redirect:
    """One redirection of a step.

    op      ">" ">>" ">|" "&>" "&>>" "<>" ">&" "<" "<&" "<<" "<<<"; `>& file` is given as "&>", so ">&" and
            "<&" have a descriptor, "-" or something unknown behind them and touch no file by name
    fd      the descriptor before it, or None; `{name}>` gives None
    target  the word behind it; None for here-documents
    body    the text of a here-document or here-string, with what is not static left as written; else None
    known   `body` is exact
    own     `body` stands in the text word for word (<<'E')
    """

    __slots__ = ("body", "fd", "known", "op", "own", "target")

    def __init__(
        self,
        op: str,
        target: "Word | None" = None,
        fd: "int | None" = None,
        body: "str | None" = None,
        known: bool = True,
        own: bool = False,
    ) -> None:
        self.op = op
        self.own = own
        self.target = target
        self.fd = fd
        self.body = body
        self.known = known

    def __repr__(self) -> str:
        return f"Redirect({self.op!r}, {self.target!r}, fd={self.fd!r}, body={self.body!r})"


class Step:
    """One command that the text would run.

    argv       its words; empty for bare assignments and for the redirections of a group, loop or subshell
    assigns    the assignments before it, or the bare ones: name -> Word (`X+=`: the joined value)
    redirects  in order
    cwd        absolute directory it runs in, or None when that is not known
    stdin      text known to arrive on standard input (a here-document, `echo … |`), with what is not static
               left as written; else None
    exact      `stdin` is exact
    piped      standard input is a pipe
    env        the environment a child process gets, as far as it is known: name -> value; None where the text
               made it unknown. To be handed to the reading of inner code (`sh -c`)
    files      what earlier steps wrote where the text shows it: absolute path -> content, None where it is not
               known any more (`cat > x.sh <<E` … `sh x.sh`)
    put        what it writes to a file by redirection: (path, text or a function that gives it, appended); else None
    line       the source of the step, clipped
    reader     "tree-sitter" | "bashlex"
    sure       False where it may not run: after && and ||, in if, while, case, a trap
    followed   the reader itself read the code that this step runs (eval, source, trap, a function, an alias):
               its steps stand in the same reading, and the step needs no further look for inner code
    """

    __slots__ = (
        "_stdin", "argv", "assigns", "cwd", "env", "exact", "files", "followed", "line", "piped", "put", "reader",
        "redirects", "sure",
    )  # fmt: skip

    def __init__(
        self,
        argv: "list[Word]",
        cwd: "str | None",
        assigns: "dict[str, Word] | None" = None,
        redirects: "list[Redirect] | None" = None,
        *,
        line: str = "",
        reader: str = "tree-sitter",
    ) -> None:
        self.argv = argv
        self.assigns = assigns or {}
        self.redirects = redirects or []
        self.cwd = cwd
        self._stdin: Any = None
        self.exact = True
        self.piped = False
        self.env: Mapping[str, str | None] = NOTHING
        self.files: Mapping[str, str | None] = NOTHING
        self.put: tuple[str, Any, bool] | None = None
        self.line = line
        self.reader = reader
        self.sure = True
        self.followed = False

    @property
    def stdin(self) -> "str | None":
        """Looked up when it is asked for: it may stand in a file (`cat x.sh | sh`)."""
        if self._stdin is not None and not isinstance(self._stdin, str):
            self._stdin = self._stdin()
        found: str | None = self._stdin
        return found

    @stdin.setter
    def stdin(self, text: "str | Callable[[], str | None] | None") -> None:
        self._stdin = text

    @property
    def name(self) -> "str | None":
        """The command's name; None when there is none or it is not static."""
        return self.argv[0].text if self.argv else None

    def __repr__(self) -> str:
        return f"Step({self.argv!r}, cwd={self.cwd!r}, redirects={self.redirects!r})"


class Reading:
    """What a reader made of a text.

    steps       in the order of the text
    unreadable  why the text could not be read to its end ("" when it could); what was read stands in `steps`
    reader      "tree-sitter" | "bashlex" | "" when neither could
    mentions    for unreadable text only: its words by a crude split at blanks, quotes and operators
    files       as Step.files, behind the last step
    """

    __slots__ = ("files", "mentions", "reader", "steps", "unreadable")

    def __init__(
        self,
        steps: "list[Step] | None" = None,
        unreadable: str = "",
        reader: str = "tree-sitter",
        mentions: "tuple[str, ...]" = (),
    ) -> None:
        self.files: Mapping[str, str | None] = NOTHING
        self.steps = steps if steps is not None else []
        self.unreadable = unreadable
        self.reader = reader
        self.mentions = mentions

    def __repr__(self) -> str:
        return f"Reading({self.steps!r}, unreadable={self.unreadable!r}, reader={self.reader!r})"
