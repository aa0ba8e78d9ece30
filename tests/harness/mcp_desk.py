"""A small MCP server on standard input and output, so that the real programs have tools which no table names.

`mcp_desk.py LOG`: every call is appended to LOG as one JSON line, and `put_file` truly writes.
"""

import json
import sys
from typing import Any

TEXT = {"type": "string"}
TOOLS: dict[str, dict[str, Any]] = {
    "put_file": {"path": TEXT, "text": TEXT},
    "run_it": {"command": TEXT},
    "spawn_session": {"prompt": TEXT},
    "send_prompt": {"session": TEXT, "prompt": TEXT},
    "long_text": {"characters": {"type": "integer"}},
}


def call(name: str, given: dict[str, Any], log: str) -> str:
    with open(log, "a", encoding="utf-8") as file:
        file.write(json.dumps({"tool": name, **given}) + "\n")
    if name == "put_file":
        with open(given["path"], "w", encoding="utf-8") as file:
            file.write(given["text"])
    if name == "long_text":
        return "a line of text\n" * (int(given["characters"]) // 15)
    return "done"


def answer(method: str, params: dict[str, Any], log: str) -> dict[str, Any]:
    if method == "initialize":
        version = params.get("protocolVersion", "2025-06-18")
        return {
            "protocolVersion": version,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "desk", "version": "1"},
        }
    if method == "tools/list":
        return {
            "tools": [
                {"name": name, "description": name, "inputSchema": {"type": "object", "properties": fields}}
                for name, fields in TOOLS.items()
            ]
        }
    if method == "tools/call":
        text = call(params["name"], params.get("arguments", {}), log)
        return {"content": [{"type": "text", "text": text}]}
    return {}


def main(log: str) -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            result = answer(message["method"], message.get("params") or {}, log)
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
