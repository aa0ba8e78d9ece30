"""$((…)), ((…)), let: whole numbers, as far as they are static. What an expression assigns and cannot be worked out
is not known afterwards."""

from guards.shell.fields import NAME, join
from guards.shell.quotes import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LEVELS = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<=", ">=", "<", ">"), ("<<", ">>"), ("+", "-"),
    ("*", "/", "%"),
)  # fmt: skip
SYMBOLS = (
    "<<=", ">>=", "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "++", "--", "**", "+=", "-=", "*=", "/=", "%=",
    "|=", "&=", "^=",
)  # fmt: skip
WIDE = 1 << 63


class Unknown(Exception):
    """The expression is not static."""


def evaluate(m: "Any", text: str) -> "int | None":
    """The value, or None when it is not static. Substitutions in the text are read as steps."""
    atoms: list[Any] = []
    quoted(m, text, 0, atoms, "")
    spelled = join(atoms)
    plain = spelled if isinstance(spelled, str) else text
    tokens = tokenize(plain)
    try:
        if not isinstance(spelled, str) or len(tokens) > 500:
            raise Unknown
        return Parser(m, tokens).whole()
    except (Unknown, ZeroDivisionError, RecursionError):
        forget(m, tokens)
        return None


def forget(m: "Any", tokens: "list[str]") -> None:
    """Every variable that the expression may assign is unknown now."""
    for index, token in enumerate(tokens):
        if token[0] in NAME and not token[0].isdigit():
            near = [*tokens[max(0, index - 1) : index], *tokens[index + 1 : index + 2]]
            if any(t in ("++", "--", "[") or (t[-1:] == "=" and t not in ("==", "!=", "<=", ">=")) for t in near):
                m.state.assign(token, None)


def tokenize(text: str) -> "list[str]":
    tokens: list[str] = []
    i, n = 0, len(text)
    while i < n:
        c = text[i]
        if c in " \t\n":
            i += 1
        elif c in NAME:
            end = i + 1
            while end < n and (text[end] in NAME or text[end] == "#"):
                end += 1
            tokens.append(text[i:end])
            i = end
        else:
            symbol = next((s for s in SYMBOLS if text.startswith(s, i)), c)
            tokens.append(symbol)
            i += len(symbol)
    return tokens


class Parser:
    def __init__(self, m: "Any", tokens: "list[str]") -> None:
        self.m = m
        self.tokens = tokens
        self.i = 0

    def peek(self) -> str:
        return self.tokens[self.i] if self.i < len(self.tokens) else ""

    def take(self, token: str) -> bool:
        if self.peek() == token:
            self.i += 1
            return True
        return False

    def whole(self) -> int:
        if not self.tokens:
            return 0
        found = self.comma()
        if self.i < len(self.tokens):
            raise Unknown
        return found

    def comma(self) -> int:
        found = self.assignment()
        while self.take(","):
            found = self.assignment()
        return found

    def assignment(self) -> int:
        name = self.peek()
        after = self.tokens[self.i + 1] if self.i + 1 < len(self.tokens) else ""
        if name.isidentifier() and after[-1:] == "=" and after not in ("==", "!=", "<=", ">="):
            self.i += 2
            value = self.assignment()
            if after != "=":
                value = apply(after[:-1], self.variable(name), value)
            self.m.state.assign(name, str(value))
            return value
        return self.ternary()

    def ternary(self) -> int:
        found = self.level(0)
        if not self.take("?"):
            return found
        yes = self.assignment()
        if not self.take(":"):
            raise Unknown
        no = self.assignment()
        return yes if found else no

    def level(self, depth: int) -> int:
        if depth == len(LEVELS):
            return self.power()
        found = self.level(depth + 1)
        while self.peek() in LEVELS[depth]:
            op = self.peek()
            self.i += 1
            found = apply(op, found, self.level(depth + 1))
        return found

    def power(self) -> int:
        found = self.unary()
        if self.take("**"):
            exponent = self.power()
            if not 0 <= exponent < 64:
                raise Unknown
            return wrap(found**exponent)
        return found

    def unary(self) -> int:
        token = self.peek()
        if token in ("++", "--"):
            self.i += 1
            return self.change(self.peek(), token, before=True)
        if token in ("-", "+", "!", "~"):
            self.i += 1
            value = self.unary()
            return {"-": -value, "+": value, "!": int(not value), "~": ~value}[token]
        return self.primary()

    def primary(self) -> int:
        token = self.peek()
        self.i += 1
        if token == "(":
            found = self.comma()
            if not self.take(")"):
                raise Unknown
            return found
        if token[:1].isdigit():
            return number(token)
        if not token.isidentifier():
            raise Unknown
        if self.peek() in ("++", "--"):
            self.i -= 1
            return self.change(token, self.tokens[self.i + 1], before=False)
        return self.variable(token)

    def change(self, name: str, op: str, before: bool) -> int:
        if not name.isidentifier():
            raise Unknown
        self.i += 1 if before else 2
        old = self.variable(name)
        new = old + (1 if op == "++" else -1)
        self.m.state.assign(name, str(new))
        return new if before else old

    def variable(self, name: str) -> int:
        found = self.m.lookup(name)
        if not isinstance(found, str):
            raise Unknown
        found = found.strip()
        if found == "":
            return 0
        sign = -1 if found[0] == "-" else 1
        if not found.lstrip("+-")[:1].isdigit():
            raise Unknown
        return sign * number(found.lstrip("+-"))


def number(token: str) -> int:
    base, digits = 10, token
    if "#" in token:
        head, digits = token.split("#", 1)
        base = int(head) if head.isdigit() and head.isascii() else 0
    elif token[:2] in ("0x", "0X"):
        base, digits = 16, token[2:]
    elif token[0] == "0" and len(token) > 1:
        base, digits = 8, token[1:]
    if not 2 <= base <= 36 or len(digits) > 64 or not digits.isascii():
        raise Unknown
    try:
        return wrap(int(digits, base))
    except ValueError:
        raise Unknown from None


def wrap(value: int) -> int:
    return (value + WIDE) % (2 * WIDE) - WIDE


def apply(op: str, a: int, b: int) -> int:
    if op in ("/", "%"):
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return wrap(quotient if op == "/" else a - quotient * b)
    if op in ("<<", ">>"):
        if not 0 <= b < 64:
            raise Unknown
        return wrap(a << b if op == "<<" else a >> b)
    simple = {
        "+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b, "==": a == b, "!=": a != b,
        "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b, "&&": bool(a and b), "||": bool(a or b),
    }  # fmt: skip
    return wrap(int(simple[op]))
