"""A scripted model on loopback, for the real harness programs.

It speaks as much of three interfaces as the programs need to hold a conversation: Anthropic Messages, OpenAI
Responses and Gemini generateContent. A test says what the model does, turn by turn; everything that a program
shows the model in return is kept, and that is what the tests look at. A turn may be a function: it is called
when the program asks for that turn, so a test can change the machine in the middle of a session. When such a
function fails, the conversation ends and `faults` holds what it raised.
"""

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

from tests.harness.forms import (
    Call,
    Events,
    Json,
    Part,
    Turn,
    anthropic_answer,
    anthropic_parts,
    gemini_answer,
    gemini_parts,
    openai_answer,
    openai_parts,
)


@dataclass
class Request:
    """One request of a program. `new` is what this conversation had not held before."""

    number: int
    thread: str  # "main", the marker of a subagent, or "side" for titles and the like
    parts: list[Part]
    new: list[Part]
    body: Json = field(repr=False)


Step = Turn | Callable[[Request], Turn]
DONE = Turn(text="done")


def turn(*calls: Call) -> Turn:
    return Turn(calls=calls)


# ---------------------------------------------------------------- the script


class Model:
    """A context manager: the server runs inside it, on a port of its own.

    script      the main conversation's turns; past the end the model says "done"
    subagents   marker → turns, for the conversation whose opening holds that marker
    """

    def __init__(self, script: Sequence[Step], subagents: dict[str, Sequence[Step]] | None = None) -> None:
        self.scripts: dict[str, Sequence[Step]] = {**(subagents or {}), "main": script}
        self.requests: list[Request] = []
        self.faults: list[BaseException] = []
        self._lock = threading.Lock()
        self._taken: Counter[str] = Counter()
        self._held: dict[str, Counter[Part]] = {}
        self._last: dict[str, tuple[str, Turn]] = {}
        self._server = _Server(self)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, body: Json, parts: list[Part], tools: bool) -> tuple[int, Turn]:
        """The next turn of the conversation that these parts belong to."""
        with self._lock:
            thread = self._thread(parts) if tools else "side"
            held = self._held.get(thread, Counter())
            self._held[thread] = Counter(parts)
            request = Request(len(self.requests) + 1, thread, parts, _fresh(parts, held), body)
            self.requests.append(request)
            if not tools:
                return request.number, DONE
            digest = hashlib.sha256(repr(parts).encode()).hexdigest()
            before, again = self._last.get(thread, ("", DONE))
            if before == digest:  # a program that asks twice gets the same answer twice
                return request.number, again
            taken = self._taken[thread]
            self._taken[thread] += 1
            steps = self.scripts[thread]
        step = steps[taken] if taken < len(steps) else DONE
        chosen = step if isinstance(step, Turn) else self._call(step, request)
        with self._lock:
            self._last[thread] = (digest, chosen)
        return request.number, chosen

    def _call(self, step: Callable[[Request], Turn], request: Request) -> Turn:
        try:
            return step(request)
        except BaseException as fault:  # noqa: BLE001 - raised again by the driver, in the test's own thread
            self.faults.append(fault)
            return Turn(text="the script failed")

    def _thread(self, parts: list[Part]) -> str:
        opening = ""
        for part in parts:
            if part.role in ("assistant", "model"):
                break
            opening += part.text
        return next((marker for marker in self.scripts if marker != "main" and marker in opening), "main")


def _fresh(parts: list[Part], held: Counter[Part]) -> list[Part]:
    """The parts that were not there before; a second equal one counts as new."""
    left = held.copy()
    new = []
    for part in parts:
        if left[part]:
            left[part] -= 1
        else:
            new.append(part)
    return new


# ---------------------------------------------------------------- the server


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, model: Model) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model = model


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: object) -> None:
        """The requests are kept by the model; nothing is written to standard error."""

    def _send(self, data: bytes, kind: str = "application/json") -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _send_json(self, value: Json) -> None:
        self._send(json.dumps(value).encode())

    def _send_events(self, events: Events) -> None:
        lines = []
        for name, data in events:
            lines.append(f"event: {name}\n" if name else "")
            lines.append(f"data: {json.dumps({'type': name, **data} if name else data)}\n\n")
        self._send("".join(lines).encode(), "text/event-stream")

    def do_HEAD(self) -> None:
        self._send(b"")

    def do_GET(self) -> None:
        self._send_json({"data": [], "models": [], "has_more": False})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        body: Json = json.loads(raw or b"{}")
        try:
            self._post(self.path.split("?")[0], body)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the program went away; what it asked for is kept

    def _post(self, path: str, body: Json) -> None:
        model = self.server.model
        tools = body.get("tools") or []
        name = str(body.get("model", "scripted"))
        if path.endswith(("/count_tokens", ":countTokens")):
            self._send_json({"input_tokens": 100, "totalTokens": 100})
        elif path.endswith("/messages"):
            # a title or a summary is asked for with no tool, or with one that holds the answer
            number, answer = model.answer(body, list(anthropic_parts(body)), len(tools) > 1)
            self._reply(*anthropic_answer(number, answer, name), stream=bool(body.get("stream")))
        elif path.endswith("/responses"):
            number, answer = model.answer(body, list(openai_parts(body)), bool(tools))
            self._reply(*openai_answer(number, answer, name), stream=bool(body.get("stream")))
        elif path.endswith((":generateContent", ":streamGenerateContent")):
            declared = any(tool.get("functionDeclarations") for tool in tools)
            number, answer = model.answer(body, list(gemini_parts(body)), declared)
            self._reply(*gemini_answer(number, answer, name), stream=path.endswith("streamGenerateContent"))
        else:
            self._send_json({})

    def _reply(self, whole: Json, events: Events, *, stream: bool) -> None:
        if stream:
            self._send_events(events)
        else:
            self._send_json(whole)


def wait(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Look until the condition holds; False when the time is up."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
