"""Verbs of git that leave the work tree alone, but for what their options and operands name; and the index, filled by
hand: what it is told to hold, the next checkout writes.
"""

from guards.shell import args as words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.gitverbs import Git

# verb → written: options whose value is written · run: options whose value is a command · all: operands are written,
# with one of these where it is not empty · ending: what stands behind the operand's name
_PACK = ("--upload-pack", "--exec")
_SEND = ("--receive-pack", "--exec")
_FETCH = ("-j", "--jobs", "--depth", "--deepen", "--shallow-since", "--filter", "-o", "--server-option", "--refmap")
OPTIONS: "dict[str, dict[str, Any]]" = {
    "archive": {"run": ("--exec",), "value": ("--exec", "-o", "--output", "--format", "--prefix", "--remote")},
    "bugreport": {"written": ("-o", "--output-directory"), "value": ("-o", "--output-directory", "-s", "--suffix")},
    "diagnose": {"written": ("-o", "--output-directory"), "value": ("-o", "--output-directory", "-s", "--suffix")},
    "fast-export": {"written": ("--export-marks",), "value": ("--export-marks", "--import-marks", "--anonymize-map")},
    "fetch": {"run": _PACK[:1], "value": (*_PACK[:1], *_FETCH)},
    "fetch-pack": {"run": _PACK, "value": (*_PACK, "--depth")},
    "index-pack": {"written": ("-o",), "value": ("-o",)},
    "interpret-trailers": {"all": ("--in-place",), "value": ("--trailer", "--where", "--if-exists", "--if-missing")},
    "ls-remote": {"run": _PACK, "value": (*_PACK, "-o", "--server-option", "--sort")},
    "mailinfo": {"all": (), "value": ("--encoding", "--quoted-cr")},
    "mailsplit": {"written": ("-o",), "glued": ("-o", "-b", "-d", "-f")},
    "pack-objects": {"all": (), "ending": "-0.pack", "unless": ("--stdout",), "value": ("--window", "--depth")},
    "pull": {"run": _PACK[:1], "value": (*_PACK[:1], *_FETCH)},
    "push": {"run": _SEND, "value": (*_SEND, "-o", "--push-option", "--repo")},
    "send-email": {"run": ("--to-cmd", "--cc-cmd", "--header-cmd", "--sendmail-cmd"), "value": ("--to", "--cc")},
    "send-pack": {"run": _SEND, "value": (*_SEND, "--remote")},
}


def options(call: "Git", verb: str) -> None:
    """What a verb's options and operands write or run."""
    row = OPTIONS[verb]
    args = words_of.scan(call.words, row)
    for name, value in args.options:
        if value is not None and name in row.get("written", ()):
            call.touch(value, cause=f"git {verb} {name}")
        elif value is not None and name in row.get("run", ()):
            call.walk.text(call.step, value.rough, cwd=call.top())
    marks = row.get("all")
    if marks is None or (marks and not args.has(marks)) or args.has(row.get("unless", ())):
        return
    from guards.shell.programs import added

    for word in args.operands:
        call.touch(added(word, row.get("ending", "")), cause=f"git {verb}")


def update_index(call: "Git") -> None:
    """--cacheinfo and --index-info put any content under any name; a plain name takes what the work tree has."""
    for at, word in enumerate(call.words):
        text = word.rough
        if text == "--index-info":
            _index_info(call)
        if not text.startswith("--cacheinfo"):
            continue
        given = [w.rough for w in call.words[at + 1 :][:3]] if text == "--cacheinfo" else [text.partition("=")[2]]
        if given and given[0].count(",") >= 2:
            name = given[0].split(",", 2)[2]
        else:
            name = given[2] if len(given) > 2 else ""
        if name:
            call.walk.path(call.step, call.below(name), cause="git update-index --cacheinfo", follow=False)


def _index_info(call: "Git") -> None:
    text = call.walk.arriving(call.step)
    if text is None:
        earlier = call.walk.before(call.step)
        made = " ".join([w.rough for w in earlier.argv[1:]]) if earlier is not None else ""
        pieces = made.replace("\\t", " ").replace("\\n", " ").split()
        call.walk.opaque(call.step, pieces, "git update-index --index-info: what arrives is not known")
        return
    for line in text.replace("\0", "\n").splitlines():
        head, tab, name = line.partition("\t")
        if tab and name and not head.startswith("0 "):
            call.walk.path(call.step, call.below(name), cause="git update-index --index-info", follow=False)
