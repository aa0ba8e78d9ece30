"""The fence's hot program: `prefix.py TEXT` runs a shell text inside the fence, `prefix.py -- COMMAND …` one command.

Claude Code starts every shell command through it (CLAUDE_CODE_SHELL_PREFIX). It only finds its package, as hook.py
does, and says so when even that fails: a command that cannot be fenced is not run.
"""

import gc
import sys

gc.disable()  # one command is put under way: a collection would only cost the time of one

ROOMS = ("", ".engine", ".harness", ".lanes", ".shell", ".knowledge", ".compile", ".compile.policies", ".fence")


def _main(argv: "list[str]") -> None:
    code = argv[0].rpartition("/fence/")[0] or "."
    module = type(sys)
    for room in ROOMS:
        package = module("guards" + room)
        package.__path__ = [code + room.replace(".", "/")]
        sys.modules["guards" + room] = package
    from guards.engine.loader import Loader

    sys.meta_path.insert(0, Loader(code))
    from guards.fence.door import run

    run(code.rpartition("/")[0] or ".", argv[1:])


if __name__ == "__main__":
    try:
        _main(sys.argv)
    except BaseException as fault:
        if isinstance(fault, SystemExit):
            raise
        sys.stderr.write(
            f"guards: the fence could not be put up ({type(fault).__name__}: {fault}), so the command was not run. the"
            " owner can see why with guards doctor, or take the fence out with make unwire.\n"
        )
        sys.stderr.flush()
        sys.exit(126)
