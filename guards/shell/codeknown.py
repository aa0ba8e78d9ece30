"""Names of functions and methods, of all languages together, by what they give: for codecalls.py and codegiven.py."""

JOINS = frozenset(
    {"path.join", "path.resolve", "join", "resolve", "File.join", "Path.of", "Paths.get", "filepath.Join", "catfile",
     "catdir", "file.path", "joinpath", "Path.Combine", "Join-Path", "pathJoin"}
)  # fmt: skip
SAME = frozenset(
    {"Pathname", "Pathname.new", "Path.new", "Path", "String", "raw", "URL", "fileURLToPath", "realpathSync",
     "realpath", "normalize", "abs_path", "expand_path", "File.expand_path", "File.realpath", "path", "encodeURI",
     "escapeshellarg", "Shellwords.escape", "shellescape", "Array.from", "Object.values", "Object.keys", "sorted",
     "sort", "reverse", "uniq", "ipairs", "pairs", "array_values", "array_filter", "array_unique", "File", "IO.all",
     "dir", "list", "List.of", "Arrays.asList", "values", "keys", "map", "Array", "Set", "toString", "chomp", "trim",
     "tostring", "c", "io.file", "Arrays.stream", "Stream.of", "lc", "String.raw"}
)  # fmt: skip
ENDS = frozenset({"basename", "File.basename", "path.basename", "filepath.Base", "fileparse"})
HEADS = frozenset({"dirname", "File.dirname", "path.dirname", "filepath.Dir"})
TEMPORARY = frozenset(
    {"tmpdir", "os.tmpdir", "Dir.tmpdir", "sys_get_temp_dir", "os.TempDir", "tempdir", "Dir.mktmpdir", "tempfile",
     "Tempfile.new", "Tempfile.create", "os.tmpname", "tmpnam", "tempname", "GetTempPath",
     "Files.createTempDirectory", "Files.createTempFile", "File.createTempFile", "File.Temp.new", "File.Temp.newdir",
     "Path.tempdir", "Path.tempfile"}
)  # fmt: skip
# a name behind the one that is given
MADE = frozenset({"mkdtempSync", "mkdtemp", "tempnam"})
# names in a folder, lines that arrive
LISTS = frozenset(
    {"readdirSync", "readdir", "Dir.children", "Dir.entries", "Dir.each_child", "scandir", "io.lines", "Files.list",
     "Files.walk", "listFiles", "list.files", "Dir.foreach", "file", "STDIN.read", "gets", "os.ReadDir", "readline",
     "Deno.readDirSync", "STDIN", "$stdin.read", "io.read"}
)  # fmt: skip
GLOBS = frozenset(
    {"glob", "globSync", "Dir", "Dir.glob", "fs.globSync", "Pathname.glob", "filepath.Glob", "fg.sync", "glob.sync",
     "Sys.glob"}
)  # fmt: skip
READS = frozenset(
    {"readFileSync", "File.read", "File.readlines", "File.foreach", "IO.readlines", "IO.read", "file_get_contents",
     "readLines", "readTextFileSync", "IO.foreach", "File.readAllLines"}
)  # fmt: skip
HERE = frozenset(
    {"process.cwd", "Dir.pwd", "Dir.getwd", "getcwd", "cwd", "os.Getwd", "Deno.cwd", "lfs.currentdir"}
)  # fmt: skip
BESIDE = frozenset({"__dirname", "__DIR__", "__dir__", "import.meta.dirname"})
SELF = frozenset(
    {"__filename", "__FILE__", "import.meta.filename", "$0", "$PROGRAM_NAME", "import.meta.url"}
)  # fmt: skip
TEMPLATES = frozenset(
    {"sprintf", "format", "util.format", "String.format", "string.format", "fmt.Sprintf", "Kernel.format"}
)  # fmt: skip
# what comes from the clock, from chance, from numbers, from elsewhere
ELSE = (
    "Date", "Math", "crypto", "Time", "rand", "time", "process.pid", "performance", "uuid", "SecureRandom", "Random",
    "randomUUID", "date", "os.time", "os.date", "localtime", "uniqid", "microtime", "getpid",
    "System.currentTimeMillis", "JSON.parse", "parseInt", "Number", "Process.pid", "length", "count", "size",
    "strftime", "UUID",
)  # fmt: skip
# methods after which a text, or what a list holds, is what it was
KEEPS = frozenset(
    {"trim", "toString", "to_s", "to_a", "to_str", "sort", "sort_by", "reverse", "concat", "flat", "values", "keys",
     "each", "entries", "uniq", "first", "last", "shift", "pop", "chomp", "strip", "freeze", "dup", "filter",
     "select", "reject", "grep", "forEach", "each_with_index", "trimEnd", "toPath", "toFile", "getPath",
     "getAbsolutePath", "realpath", "expand_path", "cleanpath", "stringify", "canonpath", "compact", "slice", "at",
     "find", "detect", "sample", "take", "drop", "flatten", "each_entry", "lines", "href", "pathname",
     "toAbsolutePath", "normalize", "stream", "map", "min", "max", "each_slice", "children", "fetch", "get", "tap",
     "then", "toList", "iterator", "to_path", "path"}
)  # fmt: skip
