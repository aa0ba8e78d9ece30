"""docker and its kin: a container's files are not this machine's, but for the folders that are mounted into it."""

from guards.engine.world import join, normal
from guards.shell import args as words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.args import Args
    from guards.shell.steps import Step, Word
    from guards.shell.stepping import Walk

_VALUES = (
    "-a", "--attach", "--add-host", "--annotation", "--blkio-weight", "--cap-add", "--cap-drop", "--cgroup-parent", "--cidfile",
    "-c", "--cpu-shares", "--cpus", "--cpuset-cpus", "--device", "--dns", "--entrypoint", "-e", "--env", "--env-file", "--expose", "--gpus",
    "--group-add", "--health-cmd", "-h", "--hostname", "--ip", "--ipc", "-l", "--label", "--log-driver", "--log-opt", "-m", "--memory",
    "--mount", "--name", "--network", "--net", "--network-alias", "--pid", "--platform", "-p", "--publish", "--pull", "--restart",
    "--runtime", "--security-opt", "--shm-size", "--stop-signal", "--tmpfs", "--ulimit", "-u", "--user", "--userns", "-v", "--volume",
    "--volumes-from", "-w", "--workdir",
)  # fmt: skip
_GLOBALS = {
    "value": (
        "--context",
        "-c",
        "-H",
        "--host",
        "--config",
        "-l",
        "--log-level",
        "--tlscacert",
        "--tlscert",
        "--tlskey",
    )
}
_BUILD = {
    "out": ("--iidfile", "--metadata-file"),
    "value": (
        "-t",
        "--tag",
        "-f",
        "--file",
        "--build-arg",
        "--target",
        "--platform",
        "--secret",
        "--ssh",
        "--cache-from",
        "--cache-to",
        "--label",
        "--network",
        "--progress",
        "-o",
        "--output",
    ),
}


def docker(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    rest = words_of.scan(words, _GLOBALS, stop=True).operands
    if rest and rest[0].text in ("container", "image", "buildx", "builder"):
        rest = rest[1:]
    verb = rest[0].text if rest else None
    if verb in ("run", "create"):
        _run(walk, step, rest[1:])
    elif verb in ("cp",):
        from guards.shell import transfer

        transfer.scp(walk, step, rest[1:], {"id": "docker cp", "value": ()})
    elif verb in ("save", "export"):
        for value in words_of.scan(rest[1:], {"value": ("-o", "--output")}).values(("-o", "--output")):
            walk.touch(step, value, cause=f"docker {verb} -o")
    elif verb == "build":
        _build(walk, step, words_of.scan(rest[1:], _BUILD))
    elif verb in ("exec", "compose"):
        walk.leave(f"docker {verb}: what is mounted there is not known")


def _build(walk: "Walk", step: "Step", args: "Args") -> None:
    for value in args.values(_BUILD["out"]):
        walk.touch(step, value, cause="docker build")
    for value in args.values(("-o", "--output")):
        text = value.rough
        for piece in text.split(",") if "=" in text else ["dest=" + text]:
            key, _, path = piece.partition("=")
            if key == "dest" and path != "-":
                walk.touch(step, words_of.plain(path) if value.text is not None else value, cause="docker build -o")


def _run(walk: "Walk", step: "Step", words: "list[Word]") -> None:
    """The inner command, seen from inside; what it touches beneath a mount is touched here."""
    args = words_of.scan(words, {"value": _VALUES}, stop=True)
    mounts = _mounts(walk, step, args)
    if not mounts:
        walk.leave("docker run: nothing is mounted")
        return
    entry = args.value("--entrypoint")
    argv = ([entry] if entry is not None else []) + args.operands[1:]
    where = args.value("-w", "--workdir")
    inside = where.text if where is not None and where.text else mounts[0][1]
    before = len(walk.effects)
    walk.inner(step, argv, inside)
    made = walk.effects[before:]
    del walk.effects[before:]
    for effect in made:
        _outside(walk, step, effect, mounts)


def _mounts(walk: "Walk", step: "Step", args: "Args") -> "list[tuple[str, str]]":
    """(here, inside) of every writable bind mount."""
    found: list[tuple[str, str]] = []
    for value in args.values(("-v", "--volume")):
        if value.text is None:
            walk.leave("docker run: a mount that is not known")
            continue
        pieces = value.text.split(":")
        if (
            len(pieces) > 1
            and (len(pieces) < 3 or "ro" not in pieces[2].split(","))
            and pieces[0][:1] in ("/", ".", "~")
        ):
            found.append((normal(walk.full(step, pieces[0])), normal(pieces[1])))
    for value in args.values(("--mount",)):
        fields = dict([(k.strip(), v) for k, _, v in [f.partition("=") for f in (value.text or "").split(",")]])
        source = fields.get("source", fields.get("src", ""))
        target = fields.get("target", fields.get("dst", fields.get("destination", "")))
        if fields.get("type") == "bind" and source and target and "readonly" not in fields and "ro" not in fields:
            found.append((normal(walk.full(step, source)), normal(target)))
    return found


def _outside(walk: "Walk", step: "Step", effect: "Any", mounts: "list[tuple[str, str]]") -> None:
    def mapped(path: str, cwd: str) -> "str | None":
        here = normal(join(cwd or "/", path))
        for outside, inside in mounts:
            if here == inside or here.startswith(inside.rstrip("/") + "/"):
                return normal(outside + here[len(inside.rstrip("/")) :])
        return None

    if effect.certainty != "exact":
        named = [mapped(path, cwd) for path, cwd in effect.mentions]
        effect.mentions = tuple([(path, "/") for path in named if path is not None])
        walk.add(effect)
        return
    path = mapped(effect.path, effect.cwd)
    if path is not None:
        walk.path(step, path, effect.act, cause=f"docker run: {effect.cause}", follow=effect.follow, tree=effect.tree)
