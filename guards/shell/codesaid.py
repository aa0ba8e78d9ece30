"""What a program text names where a target is not known: its literals, but for those that are only read or shown."""

from guards.engine.event import OPAQUE, UNKNOWN, Effect
from guards.shell import mentions
from guards.shell.codetexts import ANY, OUTSIDE, named, sure
from guards.shell.steps import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.code import Program

# calls whose first argument is only read or shown: under these names they are the language's own
READS = frozenset(
    {"readFileSync", "existsSync", "statSync", "lstatSync", "accessSync", "createReadStream", "require", "readJsonSync",
     "readdirSync", "file_get_contents", "file_exists", "is_file", "is_dir", "readTextFile", "readTextFileSync",
     "scandir", "readFile", "readdir", "opendir", "readLines", "print_r", "var_dump"}
)  # fmt: skip
# … and those that others have functions of: only as a method of these
SHOWS = frozenset({"log", "error", "warn", "info", "read", "readlines", "exist", "exist?", "access", "stat", "readFile",
                   "ReadFile", "readString", "readAllLines", "read_to_string", "foreach", "children", "entries", "glob",
                   "lines", "file?"})  # fmt: skip
OBJECTS = frozenset(
    {"fs", "fsp", "promises", "File", "IO", "console", "Deno", "Files", "os", "Dir", "io", "Path", "path"}
)


def say(program: "Program") -> None:
    """Adds the effects of what stayed unsure, and of text that is run unseen."""
    walk, values = program.walk, program.values
    cwd = program.step.cwd or walk.event.cwd
    read = _only_read(program)
    found = [
        _word(program, v) if k == "raw" else v for k, v in values.found if k == "raw" or (k == "text" and v not in read)
    ]
    plain = [mentions.decoded(x) for x in found if isinstance(x, str)]
    handed = mentions.handed(walk, program.step) if program.unsure else []
    literals = [x for x in [*found, *plain] if isinstance(x, str) and x and not any([c in x for c in "\n\0\1"])]
    whole = mentions.of_words([*found, *plain, *program.args[1:], *handed], cwd)
    for act, name, text in program.unsure:
        cause = f"{values.language}: {name} of a value that is not known"
        tried = mentions.of_words(named(text, literals), cwd)
        listed = (*whole, *tried, *_seen(program, text, cwd)) if text[:1] == ANY else tried
        walk.add(Effect("", act, UNKNOWN, cwd, cause=cause, mentions=tuple(dict.fromkeys(listed))))
    if program.opaque:
        texts = [x.rough if isinstance(x, Word) else x for x in [*found, *plain]] if program.crude else []
        named_too = (*whole, *mentions.crude(texts, cwd))
        walk.add(Effect("", "write", OPAQUE, cwd, cause=f"{values.language}: {program.opaque}", mentions=named_too))


def _word(program: "Program", text: str) -> "Word | str":
    """A literal that is filled in, as a text or as a word that is not static."""
    filled = program.values.filled(text)
    if len(filled) == 1 and sure(filled[0]):
        return filled[0]
    pieces = program.values.pieces(text)
    rough = "".join([p if s else "\0" for s, p in pieces])
    return Word(None, text, "a value of the program", parts=tuple([p for s, p in pieces if s]), rough=rough)


def _seen(program: "Program", text: str, cwd: str) -> "tuple[tuple[str, str], ...]":
    """What begins with the unknown, as a path seen from here."""
    parts = tuple([part for part in text.replace(OUTSIDE, ANY).split(ANY) if part])
    return mentions.of_word(
        Word(None, text, "a value of the program", parts=parts, rough=text), cwd, program.walk.world
    )


def _only_read(program: "Program") -> "set[str]":
    """Texts that stand nowhere but in a reading call: no mention of what is written.

    A path that is read comes back in what an error or an open file knows of it.
    """
    found = program.values.found
    if program.opaque or any(
        [k == "name" and ".path." in f"{v}." and not v.startswith(("os.", "path")) for k, v in found]
    ):
        return set()
    places = [at for at, (kind, _) in enumerate(found) if kind == "text"]
    kept = {found[at][1] for at in places if not _reads(program, at)}
    return {found[at][1] for at in places} - kept


def _reads(program: "Program", at: int) -> bool:
    values = program.values
    (kind, name), opening, after = values.at(at - 2), values.at(at - 1), values.at(at + 1)
    if kind != "name" or after not in (("mark", ")"), ("mark", ",")) or opening not in (("mark", "("), ("mark", "[")):
        return False
    head, _, tail = name.rpartition(".")
    if tail in values.names.owners or name in values.names.base or name in program.renamed:
        return False  # a function of the text itself
    if opening[1] == "[":
        return name == "Dir"
    return (tail in READS and name[:1] != ".") or name in READS or _shows(head, tail)


def _shows(head: str, tail: str) -> bool:
    return (head.rpartition(".")[2] in OBJECTS and tail in (*SHOWS, *READS)) or (not head and tail in READS)
