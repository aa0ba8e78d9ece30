"""What one run of a real program left behind: how it ended, and everything it showed the scripted model."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.harness.forms import Part
from tests.harness.model import Request


@dataclass
class Run:
    """What one run left behind."""

    harness: str
    argv: list[str]
    code: int | None  # None: it did not end in time
    out: str
    err: str
    seconds: float
    requests: list[Request] = field(repr=False)

    def of(self, thread: str = "main") -> list[Request]:
        return [request for request in self.requests if request.thread == thread]

    def shown(self, thread: str = "main", since: int = 1) -> str:
        """Everything this conversation was shown after its `since`-th request: results and notes."""
        return "\n".join(part.text for part in self.pieces(thread, since))

    def pieces(self, thread: str = "main", since: int = 1) -> list[Part]:
        mine = ("assistant", "model")
        return [p for request in self.of(thread)[since:] for p in request.new if p.role not in mine]

    def results(self, thread: str = "main") -> list[str]:
        """The tools' results, in the order the model saw them."""
        return [part.text for part in self.pieces(thread, 0) if part.kind == "result"]

    def opening(self, thread: str = "main") -> str:
        """What the conversation's first request held."""
        return "\n".join(part.text for part in self.of(thread)[0].parts)

    def story(self) -> str:
        """The run as a reader of a failed test needs it."""
        ended = "did not end in time" if self.code is None else f"exit {self.code}"
        lines = [f"{self.harness}: {ended} after {self.seconds:.1f} s: {' '.join(self.argv[1:])[:300]}"]
        for request in self.requests:
            lines.append(f"--- request {request.number} ({request.thread}) added:")
            # what a program opens with is long and the same every time: a glance at it will do
            known = any(part.role in ("assistant", "model") for part in request.parts)
            lines += [_clip(str(part), 1200 if known else 240) for part in request.new]
        for name, text in (("stdout", self.out), ("stderr", self.err)):
            # the programs' own event stream says again what the requests say, but for its errors
            told = [line for line in text.splitlines() if not line.startswith("{") or '"type":"error"' in line]
            text = "\n".join(told)
            if text.strip():
                lines.append(f"--- {name}:\n{_clip(text, 1600)}")
        return "\n".join(lines)


def _clip(text: str, limit: int = 1200) -> str:
    half = limit // 2
    if len(text) <= limit:
        return text
    return f"{text[:half]}\n  [… {len(text) - limit} more …]\n{text[-half:]}"


Keep = Callable[[Run], Run]
