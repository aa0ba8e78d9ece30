## refused
lua5.4 -e 'local f = io.open("ops/live.conf", "a"); f:write("x"); f:close()'
## refused
lua5.4 -e 'os.remove("conf/keys.yaml")'
## refused
lua5.4 -e 'os.rename("notes.txt", "ops/n.conf")'
## refused
lua5.4 -e "os.execute('touch ops/live.conf')"
## passes
lua5.4 -e 'for l in io.lines("ops/live.conf") do print(l) end'
## passes
lua5.4 -e 'print(io.open("conf/keys.yaml"):read("a"))'
## passes
lua5.4 - <<'L'
-- io.open("ops/live.conf","w")
print("x")
L
## refused
lua5.4 -e 'p = "ops/" .. "live.conf"; io.open(p, "w"):close()'
## refused
echo 'file delete ops/live.conf' | tclsh
## refused
tclsh <<'T'
set fh [open "src/gate/door.py" a]
puts $fh "x"
close $fh
T
## passes
tclsh <<'T'
set fh [open ops/live.conf]
puts [read $fh]
T
## refused
echo 'exec touch ops/live.conf' | tclsh
## refused
echo 'file rename -force notes.txt ops/n.conf' | tclsh
## refused
ruby -e 'File.write("ops/live.conf", "x")'
## refused
ruby -e 'File.open("ops/live.conf", "a") { |f| f.puts "x" }'
## passes
ruby -e 'puts File.read("ops/live.conf")'
## refused
ruby -rfileutils -e 'FileUtils.rm_rf "ops"'
## refused
ruby -rfileutils -e 'FileUtils.cp("notes.txt", "ops/")'
## refused
ruby -e 'File.delete("conf/keys.yaml")'
## refused
ruby -e 'system("touch ops/live.conf")'
## refused
ruby -e '`touch ops/live.conf`'
## refused
ruby -e 'IO.write "src/gate/hours.py", "x"'
## passes
ruby -ne 'puts $_ if $_ > "a"' conf/keys.yaml
## refused
ruby -pi.bak -e '$_.upcase!' conf/keys.yaml
## refused
ruby <<'R'
%w[ops/live.conf conf/keys.yaml].each { |f| File.write(f, "x") }
R
## passes
ruby -e 'Dir.glob("ops/*").each { |f| puts f }'
## refused
ruby -e 'Dir["ops/*.conf"].each { |f| File.delete f }'
## passes
sqlite3 out/x.schema 'create table t(a);'
## refused
sqlite3 ops/x.schema '.tables'
## refused
sqlite3 :memory: '.output ops/o.txt' 'select 1;'
## refused
sqlite3 :memory: "attach 'src/gate/a.db' as x; create table x.t(a);"
## refused
sqlite3 out/y.schema <<'S'
create table t(a);
.once conf/keys.yaml
select * from t;
S
## refused
sqlite3 :memory: "select writefile('ops/live.conf','x');"
## refused
sqlite3 :memory: ".shell touch ops/live.conf"
## passes
sqlite3 -readonly :memory: 'select 1'
## refused
perl -i.bak -pe 's/a/b/' conf/keys.yaml
## refused
perl -e 'open F, ">>ops/live.conf"; print F "x"; close F'
## passes
perl -e 'open(my $f, "<", "ops/live.conf"); print <$f>'
## passes
perl -e 'open(F, "ops/live.conf"); print <F>'
## refused
perl -e 'unlink "conf/keys.yaml"'
## refused
perl -e 'unlink("a", "conf/keys.yaml")'
## refused
perl -e 'rename "notes.txt", "ops/n.conf"'
## refused
perl -MFile::Copy -e 'copy("notes.txt","ops/live.conf")'
## refused
perl -e 'system("touch", "ops/live.conf")'
## refused
perl -e '`touch ops/live.conf`'
## refused
perl -e 'qx(touch ops/live.conf)'
## passes
perl -E 'say for grep { $_ > 3 } 1..5; say "ops/live.conf"'
## passes
perl -ne 'print "$.:$_" if /count/' ops/live.conf
## passes
perl -lane 'print $F[0]' ops/live.conf
## passes
perl -pe 's/3/4/' ops/live.conf > out/p.conf
## refused, and changes nothing
perl -pie 's/3/4/' ops/live.conf
## refused
perl -ni -e 'print unless /x/' notes.txt ops/live.conf
## refused
perl -MFile::Path=remove_tree -e 'remove_tree("ops")'
## refused
perl -e '$f="ops/live.conf"; open(O,">$f"); print O "x"'
## refused
perl <<'P'
use strict;
my @f = ("ops/live.conf");
for my $f (@f) { open(my $h, '>', $f) or die; print $h "x"; }
P
## refused, and changes nothing
perl -e 'mkdir "ops/x"; rmdir "ops/x"'
## refused
php -r 'unlink("conf/keys.yaml");'
## passes
php -r 'echo file_get_contents("ops/live.conf");'
## refused
php -r '$f = fopen("ops/live.conf", "a"); fwrite($f, "x");'
## refused
php -r 'copy("notes.txt", "ops/n.conf");'
## refused
php -r 'rename("notes.txt", "conf/keys.yaml");'
## refused
php -r 'shell_exec("touch ops/live.conf");'
## passes
php -r 'echo 3 > 2 ? "ops/live.conf" : "x";'
## refused
php <<'P'
<?php file_put_contents('src/gate/door.py', "x", FILE_APPEND);
P
## refused
node -e 'require("fs").writeFileSync("ops/live.conf", "x")'
## refused
node -e "const fs=require('fs'); fs.rmSync('ops',{recursive:true})"
## refused
node -e 'const {writeFileSync: w} = require("fs"); w("ops/live.conf","x")'
## refused
node -e 'require("child_process").execSync("touch ops/live.conf")'
## refused
node -e 'require("child_process").spawnSync("touch", ["ops/live.conf"])'
## passes
node -p 'require("fs").readFileSync("ops/live.conf","utf8").length'
## refused
node -e 'require("fs").createWriteStream("conf/keys.yaml").end("x")'
## refused
node -e 'import("fs").then(f => f.promises.appendFile("ops/live.conf","x"))'
## refused
node -e 'const p=require("path"); require("fs").writeFileSync(p.join("ops","live.conf"),"x")'
## passes
node -e 'require("fs").copyFileSync("ops/live.conf","out/p.conf")'
## refused
node -e 'require("fs").copyFileSync("notes.txt", "ops/n.conf")'
## refused
node - <<'J'
const fs = require('fs');
for (const f of ['ops/live.conf']) fs.writeFileSync(f, fs.readFileSync(f, 'utf8') + '#');
J
## passes
node -e 'console.log(JSON.stringify({a:"ops/live.conf > x"}))' > out/j
## passes
node -e 'require("fs").writeFileSync("out/x.json", require("fs").readFileSync("conf/keys.yaml"))'
## passes
node -e 'const f="out/"+"x"; require("fs").writeFileSync(f, "conf/keys.yaml")'
## passes
node -e 'require("fs").openSync("ops/live.conf","r")'
## refused
node -e 'require("fs").openSync("ops/o.conf","w")'
## refused
node -e "require('fs').writeFileSync(\`\${process.cwd()}/ops/live.conf\`, 'x')"
## passes
node scripts/x.js 2>/dev/null; true
## refused
perl -e 'open(F,">","ops/" . "live.conf"); print F 1'
## refused
perl -e '$p = join("/", "ops", "live.conf"); open(F, ">", $p); print F 1'
## refused
perl -e 'open(F, "> $ARGV[0]"); print F 1' ops/live.conf
## refused
perl -e 'open STDOUT, ">ops/live.conf"; print 1'
## refused
perl -e 'exec "touch ops/live.conf"'
## refused
perl -pe 'BEGIN{open STDOUT,">","ops/live.conf"}' notes.txt
## refused
perl -MIO::File -e 'IO::File->new("ops/live.conf","w")->print(1)'
## refused
perl -e 'use File::Spec; open F, ">", File::Spec->catfile("ops","live.conf"); print F 1'
## refused
perl -i -ne 'print' -- ops/live.conf
## refused
ruby -e 'open("ops/live.conf","w"){|f| f<<1}'
## refused
ruby -e 'File.write(File.join("ops","live.conf"), 1)'
## passes
ruby -e 'Pathname=nil; require "pathname"; Object.const_get(:File).write("ops/live.conf",1)'
## refused
ruby -e '%x(touch ops/live.conf)'
## refused
ruby -e 'exec "touch", "ops/live.conf"'
## refused
node -e 'fs.writeFileSync("ops/live.conf","x")'
## refused
node -e 'const f="ops/live"+".conf"; fs.writeFileSync(f,"x")'
## refused
node -e 'process.chdir("ops"); fs.writeFileSync("live.conf","x")'
## refused
node -e '["ops/live.conf"].forEach(f=>fs.appendFileSync(f,"x"))'
## refused
node -e 'require("node:fs/promises").writeFile("ops/live.conf","x")'
## refused
node -e 'fs.writeFileSync(process.argv[1],"x")' ops/live.conf
## refused
node -e 'eval("fs.writeFileSync(\"ops/live.conf\",\"x\")")'
## refused
node -e 'fs["writeFileSync"]("ops/live.conf","x")'
## refused
node -e 'const p=Buffer.from("b3BzL2xpdmUuY29uZg==","base64").toString(); fs.writeFileSync(p,"x")'
## refused
echo 'fs.writeFileSync("ops/live.conf","x")' > out/w.js && node -r fs out/w.js 2>/dev/null; echo 'require("fs").writeFileSync("ops/live.conf","x")' > out/w.js && node out/w.js
## refused
echo 'require("fs").writeFileSync("ops/live.conf","x")' | node
## refused
php -r '@file_put_contents("ops"."/live.conf","x");'
## refused
lua5.4 -e 'local p="ops/live.conf" local f=assert(io.open(p,"w")) f:write(1)'
## refused
sqlite3 :memory: '.once ops/live.conf' 'select 1'
## refused
perl -i -pe 's/3/4/ if $. == 2' ops/live.conf
## refused
perl -wpi -e '1' conf/keys.yaml
## refused
perl -e 'open(my $o, ">>", "src/gate/door.py") or die; print {$o} "x"'
## refused
perl -e 'use Path::Tiny' 2>/dev/null; perl -MFile::Copy=move -e 'move("scratch.txt","ops/s.conf")'
## refused
perl -e 'for (glob "ops/*.conf") { unlink }'
## refused
perl -e 'my @l = <STDIN>; open F, ">ops/live.conf"; print F @l' < notes.txt
## refused
perl -e 'local @ARGV=("ops/live.conf"); local $^I=""; while(<>){s/3/4/;print}'
## passes
perl -F: -ane 'print $F[0]' conf/keys.yaml
## passes
perl -e 'print "open(F, q{>ops/live.conf})"'
## passes
perl -ne 'print STDERR $_ if $. > 1' conf/keys.yaml
## refused
ruby -e 'require "fileutils"; FileUtils.mv "scratch.txt", "ops/s.conf"'
## refused
ruby -e 'File.open("ops/live.conf", File::WRONLY|File::APPEND) { |f| f << 1 }'
## refused
ruby -e '$stdout.reopen("ops/live.conf", "a"); puts 1'
## refused
ruby -e 'require "pathname"; Pathname("ops/live.conf").write("x")'
## refused
ruby -e 'Dir.mkdir("src/gate/r")'
## refused
ruby -i -ne 'puts $_.chomp + "!"' notes.txt conf/keys.yaml
## passes
ruby -e 'puts IO.readlines("conf/keys.yaml").size > 1'
## refused
php -r 'file_put_contents("conf/keys.yaml", file_get_contents("notes.txt"));'
## refused
php -r '$p = "ops/live.conf"; file_put_contents($p, "x");'
## refused
php -r 'mkdir("src/gate/p"); touch("ops/t.conf");'
## passes
php -r 'print_r(file("conf/keys.yaml"));'
## refused
php -r 'system("rm -f ops/live.conf");'
## refused
lua5.4 -e 'io.output("ops/live.conf"); io.write("x")'
## passes
lua5.4 -e 'local t = io.lines("conf/keys.yaml"); print(t() > "a")'
## refused
lua5.4 -e 'io.popen("cat > ops/l.conf", "w"):write("x")'
## refused
echo 'io.open("ops/l2.conf","w"):close()' | lua5.4 -
## refused
tclsh <<'T'
file copy -force notes.txt ops/t.conf
T
## refused
tclsh <<'T'
set p ops/live.conf
set f [open $p r+]
puts -nonewline $f x
close $f
T
## refused
tclsh <<'T'
file mkdir src/gate/t
T
## refused
node -e 'const fs=require("fs"); fs.writeFile("ops/live.conf","x",()=>{})'
## refused
node -e 'const {promises: p} = require("fs"); p.writeFile("conf/keys.yaml","x")'
## refused
node --input-type=module -e 'import {writeFileSync as w} from "fs"; w("ops/live.conf","x")'
## refused
node -e 'require("fs").truncateSync("ops/live.conf", 2)'
## refused
node -e 'require("fs").unlinkSync("conf/keys.yaml")'
## refused
node -e 'require("fs").mkdirSync("src/gate/n",{recursive:true})'
## refused
node -e 'require("fs").symlinkSync("/tmp","ops/nl")'
## refused
node -e 'const cp=require("child_process"); cp.exec("cp notes.txt ops/c.conf")'
## passes
node -e 'console.log(require("fs").readdirSync("ops").filter(f => f > "a"))'
## passes
node -e 'require("fs").writeFileSync("out/n.txt", "ops/live.conf")'
## passes
node -pe 'require("fs").statSync("ops/live.conf").size'
## passes
sqlite3 out/z.schema < /dev/null
## refused
sqlite3 src/gate/z.schema 'insert into t values(1)' 2>/dev/null; true
## refused
sqlite3 ops/y.schema <<< 'create table t(a);'
## passes
sqlite3 :memory: '.read scripts/fix.sh' 2>/dev/null; true
## refused
sqlite3 out/w.schema ".backup ops/w.db"
## refused
sqlite3 out/v.schema "vacuum into 'ops/v.db'"
## refused
tail -1 scripts/fix.sh | bash
## refused
sed -n 2p scripts/fix.sh | sh
## refused
eval "$(tail -1 scripts/fix.sh)"
## refused
bash -c "$(tail -1 scripts/fix.sh)"
## refused
x=$(tail -1 scripts/fix.sh); eval "$x"
## refused
grep echo scripts/fix.sh | sed 's/x/x/' | bash
## refused
tail -1 < scripts/fix.sh | bash
## refused
bash <(tail -1 scripts/fix.sh)
## refused
source <(sed -n 2p scripts/fix.sh)
## refused
tail -1 scripts/gen.py | python3
## refused, and changes nothing
head -1 scripts/fix.sh | bash
## passes
head -1 notes.txt | bash
## passes
source <(grep PORT .env)
## passes
x=$(tail -1 notes.txt); echo "$x"
## refused
python3 -c 'from os import *; remove("ops/live.conf")'
## refused
node -e "const w=require('fs').writeFileSync; w('ops/live.conf','x')"
## refused
echo ops/live.conf | python3 -c 'open(input().strip(),"a").write("x")'
## passes
echo README.md | python3 -c 'open(input().strip(),"a").write("x")'
## refused
F=ops/live.conf; echo $F | python3 -c 'import sys; open(sys.stdin.read().strip(),"a").write("x")'
## refused
F=ops/live.conf python3 -c 'import os; open(os.environ["F"],"a").write("x")'
## passes
node -e "const r=require('fs').readFileSync; r('ops/live.conf')"
## passes
cat ops/live.conf | python3 -c 'import sys; open(sys.argv[1],"w").write(sys.stdin.read())' out/x
## passes
python3 -c 'from os.path import *; print(exists("ops/live.conf"))'
## refused
printf 'require("fs").appendFileSync("ops/live.conf", "x")' > out/a.js; node -r ./out/a.js -e 0
## refused
printf 'require("fs").appendFileSync("ops/live.conf", "x")' > out/a.js; node --require=./out/a.js -e 0
## refused
printf 'import { appendFileSync } from "fs"; appendFileSync("ops/live.conf", "x")' > out/a.mjs; node --import ./out/a.mjs -e 0
## passes
node -r fs -e 'console.log(1)'
## refused
printf 'require("fs").appendFileSync("ops/live.conf", "x")' > out/a.js; node out/a
## refused
printf 'require("fs").appendFileSync("ops/live.conf", "x")' > out/index.js; node out
## refused
python3 -c 'from functools import partial; w = partial(open, mode="a"); w("ops/live.conf").write("x")'
## passes
python3 -c 'from functools import partial; r = partial(open, mode="r"); r("ops/live.conf").read()'
## refused
python3 -c 'import functools; functools.partial(open, "ops/live.conf")("a").write("x")'
## refused
python3 -c 'w = __builtins__.open; w("ops/live.conf", "a").write("x")'
## refused
python3 -c 'w = getattr(__import__("builtins"), "op" + "en"); w("ops/live.conf", "a").write("x")'
## refused
python3 -c 'import os; list(map(os.remove, ["ops/live.conf"]))'
## refused
python3 -c 'import os, threading; threading.Thread(target=os.remove, args=("ops/live.conf",)).start()'
## passes
python3 -c 'import os; print(list(map(os.path.basename, ["ops/live.conf"])))'
## refused
node -e 'const fs = require("fs"); ["ops/live.conf"].forEach(fs.unlinkSync)'
## refused
node -e '["ops/live.conf"].forEach(require("fs").unlinkSync)'
## passes
node -e 'const fs = require("fs"); console.log(["ops/live.conf"].map(fs.existsSync))'
## passes
OUT=$(ls -d out | head -1)/x node -e 'const fs = require("fs"); fs.writeFileSync(process.env.OUT, fs.readFileSync("ops/live.conf"))'
## refused
OUT=$(printf -- -) node -e 'const fs = require("fs"); fs.readFileSync("ops/live.conf"); fs.appendFileSync(process.env.OUT.replace("-", "ops/live.conf"), "x")'
## refused
node -e "require('fs').appendFileSync('\x6fps/live.conf', 'x')"
## refused
node -e 'require("fs").appendFileSync("\u{6f}ps/live.conf", "x")'
## refused
perl -e 'open(F, ">>", "\x6fps/live.conf"); print F "x"'
## refused
node - ops/live.conf <<'P'
const fs = require('fs')
let p = 'notes.txt'; p = process.argv[2] || p; fs.appendFileSync(p, 'x')
P
## passes
node - <<'P'
const fs = require('fs')
let p = 'notes.txt'; p = process.argv[2] || p; fs.appendFileSync(p, fs.readFileSync('ops/live.conf'))
P
## refused
node - <<'P'
const fs = require('fs')
const p = 'notes.txt'; const w = (p) => fs.appendFileSync(p, 'x'); w('ops/live.conf')
P
## passes
node - <<'P'
const fs = require('fs')
function save(p) { fs.writeFileSync(p, fs.readFileSync('ops/live.conf')) } save('out/live.txt')
P
## refused
node - <<'P'
const fs = require('fs')
const o = {out: 'notes.txt'}; function f(out) { fs.appendFileSync(out, 'x') } f('ops/live.conf')
P
## passes
node - <<'P'
const fs = require('fs')
const o = {out: 'out/a.txt', from: 'ops/live.conf'}; fs.writeFileSync(o.out, fs.readFileSync(o.from))
P
## refused
ruby -e 'p = "notes.txt"; p = ARGV[0]; File.write(p, "x")' ops/live.conf
## passes
ruby -e 'i, o = ARGV; File.write(o, File.read(i))' ops/live.conf out/r.txt
## refused
perl -e 'sub w { my ($f, $x) = @_; open(F, ">>", $f) or die "no $f"; print F $x } w("ops/live.conf", "x")'
## passes
perl -e 'my ($i, $o) = @ARGV; open(I, "<", $i); open(O, ">", $o); print O <I>' ops/live.conf out/p.txt
## refused
php -r '$p = "notes.txt"; $p = $argv[1]; file_put_contents($p, "x");' ops/live.conf
## passes
php -r 'foreach (glob("ops/*.conf") as $f) copy($f, "out/" . basename($f));'
## refused
lua5.4 -e 'for _, p in ipairs({"notes.txt", "ops/live.conf"}) do local f = io.open(p, "a"); f:write("x"); f:close() end'
## refused
export P=ops/live.conf; node -e 'require("fs").appendFileSync(process.env.P, "x")'
## refused
export P=ops/live.conf; perl -e 'open(F, ">", $ENV{P}); print F 1'
## passes
node -e 'const out = process.env.NOBODY_SET || "out/o"; fs.copyFileSync("ops/live.conf", out)'
## refused
node -e 'fs.writeFileSync.call(fs, "ops/live.conf", "x")'
## refused
node -e 'const k = "writeFileSync"; fs[k]("ops/live.conf", "x")'
## refused
node -e 'const ops = {w: fs.writeFileSync}; ops.w("ops/live.conf", "x")'
## passes
node -e 'const k = "readFileSync"; fs[k]("ops/live.conf")'
## refused
ruby -e 'File.send(:write, "ops/live.conf", "x")'
## refused
php -r '$f = "file_put_contents"; $f("ops/live.conf", "x");'
## refused
php -r 'array_map("unlink", ["ops/live.conf"]);'
## refused
perl -MFile::Copy -e 'my $c = \&copy; &$c("notes.txt", "ops/live.conf")'
## refused
node -e 'const c = ["-a", "ops/live.conf"]; require("child_process").execFileSync("tee", c, {input: "x"})'
## refused
node -e 'const {execSync} = require("child_process"); const sh = c => execSync(c); sh("cp notes.txt ops/live.conf")'
## refused
node -e 'require("child_process").execSync("bash", {input: "echo x >> ops/live.conf"})'
## passes
node -e 'const {execFileSync} = require("child_process"); for (const f of ["ops/live.conf"]) execFileSync("cat", [f])'
## refused
perl -e 'open(P, "|-", "tee", "ops/live.conf"); print P 1'
## refused
node -e 'const log = p => fs.appendFileSync(p, "x"); log("ops/live.conf")'
## passes
node -e 'const rows = []; const log = p => rows.push(p); log("ops/live.conf"); fs.writeFileSync("out/rows", rows.join())'
## refused
node -e 'try { fs.readFileSync("ops/live.conf/x") } catch (e) { fs.writeFileSync(e.path.slice(0, -2), "x") }'
## refused
ruby -rpathname -e 'p = Pathname.new("ops/live.conf"); p.write("x")'
## refused
ruby -e 'require "fileutils"; include FileUtils; cp "notes.txt", "ops/live.conf"'
## refused
ruby -rfileutils -e 'FileUtils.cd("ops") { File.write("live.conf", "x") }'
## refused
ruby -e 'open("|tee ops/live.conf", "w") { |f| f << 1 }'
## refused
perl -MIO::File -e 'IO::File->new(">ops/live.conf")->print(1)'
## refused
perl -MFile::Copy -e 'copy(@ARGV)' notes.txt ops/live.conf
## passes
perl -MFile::Copy -e 'copy(@ARGV)' ops/live.conf out/c
## refused
php -r 'error_log("x", 3, "ops/live.conf");'
## refused
node -e 'new Function("require", "require(\"fs\").appendFileSync(\"ops/live.conf\", \"x\")")(require)'
## refused
node --import 'data:text/javascript,import fs from "fs"; fs.appendFileSync("ops/live.conf", "x")' -e 1
## passes
node --import 'data:text/javascript,console.log("ops/live.conf")' -e 1
## refused
node - <<'P'
const fs = require('fs')
for (const f of 'notes.txt ops/live.conf'.split(' ')) fs.appendFileSync(f, 'x')
P
## passes
node - <<'P'
const fs = require('fs')
for (const f of fs.readdirSync('ops')) fs.copyFileSync(`ops/${f}`, `out/${f}`)
P
## refused
node - <<'P'
const fs = require('fs'), path = require('path')
for (const f of fs.readdirSync('ops')) fs.appendFileSync(path.join('ops', f), 'x')
P
## passes
node - <<'P'
const fs = require('fs')
const path = require('path'), os = require('os')
const d = fs.mkdtempSync(path.join(os.tmpdir(), 'x-')); fs.copyFileSync('ops/live.conf', path.join(d, 'a')); fs.rmSync(d, {recursive: true})
P
## passes
node - <<'P'
const fs = require('fs')
for (const f of ['docs/a.md', 'README.md']) fs.writeFileSync(f, fs.readFileSync(f, 'utf8').replaceAll('ops/live.conf', 'x'))
P
## passes
cat > scripts/report.js <<'P'
const [,, dir, out] = process.argv; require('fs').writeFileSync(out, require('fs').readdirSync(dir).join())
P
node scripts/report.js .github/workflows out/wf.txt
## passes
ruby -e 'Dir["docs/*.md"].each { |f| s = File.read(f); s.gsub!("ops/live.conf", "x"); File.write(f, s) }'
## passes
ruby -rtmpdir -rfileutils -e 'Dir.mktmpdir do |d| FileUtils.cp_r("ops", d) end'
## passes
perl -MFile::Basename -e 'for (glob "ops/*.conf") { open my $o, ">", "out/" . basename($_); print $o 1 }'
## refused
tclsh <<'T'
proc w {p} { set f [open $p w]; puts $f x; close $f }
w ops/live.conf
T
## refused
tclsh <<'T'
foreach p {notes.txt ops/live.conf} { set f [open $p a]; puts $f x; close $f }
T
## passes
tclsh <<'T'
foreach f [glob ops/*.conf] { file copy -force $f [file join out [file tail $f]] }
T
