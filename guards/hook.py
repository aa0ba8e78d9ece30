"""The door that harnesses run: hook.py HARNESS EVENT [GUARD], one event on descriptor 0.

It only finds its package (`-I` leaves no path to it, and the checkout must not be on sys.path, where a `re.py` would
shadow the library) and catches what the rest could not. When even that fails, before-tool refuses with a sentence.
"""

import gc
import sys

gc.disable()  # one event and out: a collection would only cost the time of one

ROOMS = ("", ".engine", ".harness", ".lanes", ".shell", ".knowledge", ".compile", ".compile.policies", ".fence")


def _packages(code: str) -> None:
    module = type(sys)
    for room in ROOMS:
        package = module("guards" + room)
        package.__path__ = [code + room.replace(".", "/")]
        sys.modules["guards" + room] = package


def _main(argv: "list[str]") -> None:
    here = argv[0].rpartition("/")[0] or "."
    _packages(here)
    from guards.engine.loader import Loader

    sys.meta_path.insert(0, Loader(here))
    from guards.engine.door import main

    main(here.rpartition("/")[0] or ".", argv[1:])


if __name__ == "__main__":
    try:
        _main(sys.argv)
    except BaseException as fault:
        gate = "before-tool" in sys.argv[2:3]
        if gate and not (isinstance(fault, SystemExit) and fault.code in (0, 2)):
            sys.stderr.write(
                f"guards could not judge this call ({type(fault).__name__}: {fault}), so it is refused. the owner can"
                " see why with guards doctor, or take the hooks out with make unwire.\n"
            )
            sys.stderr.flush()
        if isinstance(fault, SystemExit):
            raise
        sys.exit(2 if gate else 0)
