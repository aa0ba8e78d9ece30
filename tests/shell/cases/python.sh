## passes
python3 - <<'EOF' > out/o.txt
print("> ops/live.conf")
EOF
## refused
cat > @B@/tmp/x.py <<'EOF'
open("ops/live.conf","w").write("x")
EOF
python3 @B@/tmp/x.py
## refused
python3 -c 'open("ops/live.conf", mode="w").write("x")'
## passes
python3 -c 'print(open("ops/live.conf").read())'
## refused
python3 -c 'import shutil; shutil.copy("notes.txt", "ops")'
## refused
python3 -c 'import shutil; shutil.move("ops/live.conf", "out")'
## refused
python3 -c 'import shutil; shutil.rmtree("src/gate")'
## refused
python3 -c 'import os; os.system("touch ops/live.conf")'
## refused
python3 -c 'import subprocess; subprocess.run(["touch", "ops/live.conf"])'
## passes
python3 -c 'import subprocess; subprocess.check_output("cat ops/live.conf", shell=True)'
## refused
python3 -c 'from pathlib import Path; p=Path("ops"); (p/"live.conf").write_text("x")'
## passes
python3 -c 'from pathlib import Path; print(Path("ops/live.conf").read_text())'
## refused
python3 -c 'from pathlib import Path; [p.unlink() for p in Path("ops").glob("*.conf")]'
## refused
python3 -c 'import pathlib; pathlib.Path("ops/x").mkdir()'
## refused
python3 -c 'import os; os.chmod("ops/live.conf", 0o600)'
## passes
python3 - <<'P'
import json
d = {"a": 1}
with open("out/x.json", "w") as f:
    json.dump(d, f)
print(open("conf/keys.yaml").read())
P
## refused
python3 - <<'P'
import re, pathlib
p = pathlib.Path(".github/workflows/ci.yml")
s = p.read_text()
p.write_text(re.sub("22.04", "24.04", s))
P
## refused
python3 - <<'P'
for name in ["conf/keys.yaml", "notes.txt"]:
    with open(name, "a") as f:
        f.write("x")
P
## refused
python3 - <<'P'
import sys
def main(path):
    open(path, "w").write("x")
main("ops/live.conf")
P
## refused
python3 - ops/live.conf <<'P'
import sys
open(sys.argv[1], "a").write("x")
P
## refused
python3 scripts/gen.py
## refused
python3 -c "exec(open('scripts/gen.py').read())"
## refused
python3 -c 'import base64; open(base64.b64decode("b3BzL2xpdmUuY29uZg==").decode(),"w").write("x")'
## refused
python3 -c 'f="ops/%s.conf" % "live"; open(f,"a").write("x")'
## refused
python3 -c 'f="{}/{}".format("ops","live.conf"); open(f,"a").write("x")'
## refused
python3 -c 'import os; n="live"; open(f"ops/{n}.conf","a").write("x")'
## refused
python3 -c 'import os; open(os.path.expanduser("~/.claude/settings.json"),"w").write("{}")'
## refused
python3 -c 'import os; os.makedirs("src/gate/x/y", exist_ok=True)'
## refused
python3 -c 'import os; os.symlink("/tmp", "ops/l")'
## refused
python3 -c 'import os; os.link("ops/live.conf", "out/l")'
## refused
python3 -c 'import os
fd = os.open("ops/live.conf", os.O_WRONLY|os.O_TRUNC)
os.write(fd, b"x")'
## passes
python3 -c 'import os
fd = os.open("ops/live.conf", os.O_RDONLY)
print(os.read(fd, 5))'
## passes
python3 -c 'import tarfile; tarfile.open("bundle.tar").extractall("out")'
## refused
python3 -c 'import zipfile; zipfile.ZipFile("wf.zip").extractall(".github/workflows")'
## passes
python3 -c 'import zipfile; z=zipfile.ZipFile("out/z.zip","w"); z.write("conf/keys.yaml")'
## passes
python3 -m json.tool package.json out/p.json
## passes
python3 -m json.tool ~/.claude/settings.json
## passes
python3 -m tarfile -e bundle.tar out
## refused
python3 -m tarfile -c ops/a.tar notes.txt
## refused
python3 -m zipfile -e bundle.zip .
## refused
python3 -m venv --without-pip ops/v
## passes
python3 -m py_compile src/app.py
## refused
python3 -c 'import sqlite3; sqlite3.connect("ops/a.db").execute("create table t(a)")'
## passes
python3 -c 'import csv,sys; print(3>2, "conf/keys.yaml > x")'
## refused
python3 -c 'import fileinput
for l in fileinput.input("ops/live.conf", inplace=True): print(l, end="")'
## refused
python3 -c 'import urllib.request as u; u.urlretrieve("http://127.0.0.1:8765/ci.yml", ".github/workflows/ci.yml")'
## refused
python3 -c "
import os
p = os.path.join(os.getcwd(), 'ops', 'live.conf')
with open(p, 'w') as f: f.write('x')"
## refused
python3 -c "from pathlib import Path; (Path.cwd()/'ops'/'live.conf').write_text('x')"
## refused
python3 -c "__import__('os').system('touch ops/live.conf')"
## refused
python3 -c "import os; getattr(os,'sys'+'tem')('touch ops/live.conf')"
## refused
python3 -c "eval('open(\"ops/live.conf\",\"w\")').write('x')"
## refused
python3 -c "exec('import os\nos.remove(\"ops/live.conf\")')"
## refused
python3 -c "import subprocess,shlex; subprocess.run(shlex.split('touch ops/live.conf'))"
## refused
python3 -c "import sys; open(sys.argv[1],'w').write('x')" ops/live.conf
## refused
python3 -c "import glob; [open(f,'a').write('x') for f in glob.glob('ops/*.conf')]"
## refused
python3 -c "import os
for d,_,fs in os.walk('ops'):
    for f in fs: open(os.path.join(d,f),'a').write('x')"
## refused
python3 -c "import os
os.chdir('ops')
open('live.conf','w').write('x')"
## refused
python3 -c "f=open; f('ops/live.conf','w').write('x')"
## refused
python3 -c "from builtins import open as o; o('ops/live.conf','w').write('x')"
## refused
python3 -c "import io; io.FileIO('ops/live.conf','w').write(b'x')"
## refused
python3 -c "import os; os.rename('notes.txt','ops/'+'live.conf')"
## refused
python3 -c "p=''.join(map(chr,[111,112,115,47,108,105,118,101,46,99,111,110,102])); open(p,'w').write('x')"
## refused
python3 -c "open(bytes.fromhex('6f70732f6c6976652e636f6e66').decode(),'w').write('x')"
## refused
python3 -c "open('fnoc.evil/spo'[::-1],'w').write('x')"
## refused
python3 -c "import tempfile,shutil,os
t=tempfile.mktemp()
open(t,'w').write('x')
shutil.move(t,'ops/live.conf')"
## refused
python3 -c "
class W:
    def __init__(self, p): self.p = p
    def go(self): open(self.p, 'w').write('x')
W('ops/live.conf').go()"
## refused
python3 - <<'P'
import re
path = 'ops/live.conf'
text = open(path).read()
text = re.sub('3', '4', text)
with open(path, 'w') as fh:
    fh.write(text)
P
## refused
python3 - <<'P'
from pathlib import Path
root = Path(__file__).resolve().parent if '__file__' in dir() else Path('.')
target = root / 'ops' / 'live.conf'
target.write_text(target.read_text() + '#')
P
## refused
python3 - <<'P'
import json, pathlib
edits = {'ops/live.conf': 'x', 'notes.txt': 'y'}
for path, text in edits.items():
    pathlib.Path(path).write_text(text)
P
## refused
python3 - <<'P'
import os, sys
sys.path.insert(0, 'scripts')
def patch(fn, old, new):
    with open(fn) as f: s = f.read()
    with open(fn, 'w') as f: f.write(s.replace(old, new))
for fn in ('ops/live.conf',):
    patch(fn, '3', '4')
P
## refused
cat > out/w.py <<'P'
import sys
open(sys.argv[1], 'w').write('x')
P
python3 out/w.py ops/live.conf
## refused
echo "open('ops/live.conf','w').write('x')" | python3
## refused
echo "open('ops/live.conf','w').write('x')" | python3 -
## refused
python3 <(echo "open('ops/live.conf','w').write('x')")
## refused
python3 /dev/stdin <<< "open('ops/live.conf','w').write('x')"
## refused
PYTHONSTARTUP=/dev/null python3 -Sc 'open("ops/live.conf","w")'
## refused
python3 -Bsc 'open("ops/live.conf","w")'
## refused
python3 -m timeit -n1 -r1 'open("ops/live.conf","w")' >/dev/null
## refused
python3 -c 'import runpy; runpy.run_path("scripts/gen.py")'
## refused
python3 -m pdb -c continue scripts/gen.py < /dev/null >/dev/null 2>&1; true
## refused
python3 -W ignore scripts/gen.py
## refused
python3 -c 'import os; os.truncate("ops/live.conf", 1)'
## refused
python3 -c 'import os; os.mkdir("src/gate/p")'
## refused
python3 -c 'import os; os.replace("scratch.txt","conf/keys.yaml")'
## refused
python3 -c 'import shutil; shutil.copyfile("notes.txt","ops/c.conf")'
## refused
python3 -c 'import shutil; shutil.copytree("drafts","ops/d")'
## refused
python3 -c 'from pathlib import Path; Path("ops/live.conf").unlink()'
## refused
python3 -c 'from pathlib import Path; Path("scratch.txt").rename("ops/s.conf")'
## refused
python3 -c 'from pathlib import Path; Path("ops/live.conf").open("a").write("x")'
## refused
python3 -c 'import pathlib; pathlib.Path("conf/keys.yaml").touch()'
## refused
python3 -c 'with open("ops/live.conf","r+") as f: f.write("x")'
## refused
python3 -c 'import io; io.open("ops/live.conf","ab").write(b"x")'
## refused
python3 -c 'import subprocess; subprocess.call("cat notes.txt > ops/s.conf", shell=True)'
## refused
python3 -c 'import subprocess; subprocess.run(["cp","notes.txt","ops/"], check=True)'
## passes
python3 -c 'import subprocess; print(subprocess.run(["cat","ops/live.conf"],capture_output=True).stdout)'
## refused
python3 -c 'import subprocess; subprocess.Popen("touch live.conf", shell=True, cwd="ops").wait()'
## passes
python3 -c 'import sys; print("conf/keys.yaml", file=sys.stderr)'
## passes
python3 -c 'print(sorted(open("conf/keys.yaml")), file=open("out/p.txt","w"))'
## refused
python3 -c 'import json; json.dump({}, open("ops/j.conf","w"))'
## refused
python3 - <<'P'
import os
for root, dirs, files in os.walk("ops"):
    for f in files:
        os.remove(os.path.join(root, f))
P
## refused
python3 - <<'P'
from pathlib import Path
for p in Path(".github").rglob("*.yml"):
    p.write_text(p.read_text() + "#")
P
## passes
python3 - <<'P'
from pathlib import Path
total = sum(len(p.read_text()) for p in Path(".github").rglob("*.yml"))
Path("out/total.txt").write_text(str(total))
P
## passes
python3 - <<'P'
import csv
rows = list(csv.reader(open("conf/keys.yaml")))
with open("/dev/null", "w") as f: csv.writer(f).writerows(rows)
P
## passes
python3 - <<'P'
text = """
open("ops/live.conf", "w")
"""
print(text)
P
## refused
printf 'import os\nos.remove("ops/live.conf")\n' | python3
## refused
python3 -m json.tool notes.txt ops/j 2>/dev/null; python3 -m json.tool package.json ops/j
## refused
python3 -m zipfile -c ops/z.zip notes.txt
## refused
python3 -m tarfile --extract wf.tar ops
## passes, and cannot be seen
python3 -m compileall -q src/gate
## refused
python3 -m compileall -q -b src/gate
## passes
python3 -m py_compile src/util.py
## passes
python3 -m http.server --help >/dev/null
## passes
python3 -c "import shutil,os; shutil.copy('ops/live.conf', os.environ['OUT'])"
## passes
OUT=@B@/tmp/o python3 -c "import shutil,os,sys; shutil.copy(sys.argv[1], os.environ['O'+'UT'])" ops/live.conf
## passes
python3 -c "import shutil,tempfile; d=tempfile.mkdtemp(); shutil.copy('ops/live.conf', d)"
## passes
python3 -c "
import tempfile,shutil,os
with tempfile.TemporaryDirectory() as d:
    shutil.copytree('ops', os.path.join(d, 'ops'))
    open(os.path.join(d, 'ops/live.conf'), 'a').write('x')"
## passes
python3 -c "import tempfile,os; open(os.path.join(tempfile.gettempdir(),'x'),'w').write(open('ops/live.conf').read())"
## refused
python3 -c "import tempfile; open(tempfile.mkdtemp(dir='ops')+'/x','w')"
## refused
ROOT=. python3 -c "import shutil,os; r=os.environ['RO'+'OT']; shutil.copy('drafts/live.conf', os.path.join(r,'ops/live.conf'))"
## refused
python3 -c "import shutil,os,socket; d=os.path.join(socket.os.getcwd(),'ops/live.conf'); shutil.copy('drafts/live.conf', d)"
## refused
python3 -c "import os; os.link('ops/live.conf', 'out/l')"
## passes
printf 'import argparse\np = argparse.ArgumentParser()\np.add_argument("--out", "-o")\np.add_argument("--src", default="ops/live.conf", help="like ops/live.conf")\na = p.parse_args()\nopen(a.out, "w").write(open(a.src).read())\n' > out/s.py; python3 out/s.py --out out/x
## refused
printf 'import argparse\np = argparse.ArgumentParser()\np.add_argument("--out", "-o")\np.add_argument("--src", default="README.md")\na = p.parse_args()\nopen(a.out, "w").write(open(a.src).read())\n' > out/s.py; python3 out/s.py -oops/live.conf
## refused
printf 'import argparse\np = argparse.ArgumentParser()\np.add_argument("--out")\na = p.parse_args(["--out", "ops/live.conf"])\nopen(a.out, "w").write("x")\n' > out/s.py; python3 out/s.py --out out/x
## refused
printf 'import argparse\np = argparse.ArgumentParser()\np.add_argument("--out")\np.set_defaults(out="ops/live.conf")\na = p.parse_args()\nopen(a.out, "w").write("x")\n' > out/s.py; python3 out/s.py
## refused
printf 'import argparse, sys\np = argparse.ArgumentParser()\np.add_argument("--out")\nsys.argv[2] = "ops/live.conf"\na = p.parse_args()\nopen(a.out, "w").write("x")\n' > out/s.py; python3 out/s.py --out out/x
## passes
printf 'import argparse\np = argparse.ArgumentParser()\np.add_argument("src")\np.add_argument("out")\na = p.parse_args()\nopen(a.out, "w").write(open(a.src).read())\n' > out/s.py; python3 out/s.py ops/live.conf out/x
## refused
printf 'import argparse\np = argparse.ArgumentParser()\np.add_argument("src")\np.add_argument("out")\na = p.parse_args()\nopen(a.out, "w").write(open(a.src).read())\n' > out/s.py; python3 out/s.py README.md ops/live.conf
## passes
OUT=$(mktemp); printf 'import sys\nfrom pathlib import Path\ntext = Path("ops/live.conf").read_text()\nopen(sys.argv[1], "w").write(text)\n' > out/s.py; python3 out/s.py "$(ls -d out | head -1)/x"
## passes
printf 'import sys\nSRC = "ops/live.conf"\nprint(f"reading {SRC}")\nopen(sys.argv[1], "w").write(open(SRC).read())\n' > out/s.py; python3 out/s.py "$(ls -d out | head -1)/x"
## refused
printf 'import sys\nSRC = "ops/live.conf"\nprint(f"reading {SRC}")\nopen(sys.argv[1].replace("-", SRC), "a").write(open(SRC).read())\n' > out/s.py; python3 out/s.py "$(printf %s -)"
## refused
printf 'f = open("ops/live.conf")\nopen(f.name, "a").write("x")\n' > out/s.py; python3 out/s.py
## refused
python3 - <<'P'
import subprocess
def run(cmd): subprocess.run(cmd, check=True)
for cmd in (['ls'], ['cp', 'drafts/live.conf', 'ops/live.conf']): run(cmd)
P
## passes
python3 - <<'P'
import subprocess
def run(cmd): return subprocess.run(cmd, capture_output=True, text=True).stdout
cmd = ['cat'] + ['ops/live.conf']
open('out/x', 'w').write(run(cmd))
P
## refused
python3 -c "import subprocess, sys; subprocess.run([sys.executable, 'scripts/gen.py'])"
## refused, and changes nothing
python3 -c "import subprocess, shutil; subprocess.run([shutil.which('touch'), '-d', '@0', '-c', '/nowhere', 'ops/none'])"
## refused
printf '{"out": "ops/live.conf"}' > out/c.json; python3 - <<'P'
import json
c = json.load(open('out/c.json'))
p = c.get('out') or 'notes.txt'
open(p, 'a').write('like ops/live.conf')
print(p, 'ops/live.conf', sep='=' if p != 'ops/live.conf' else 'ops/live.conf')
P
## passes
printf '{"out": "out/x"}' > out/c.json; python3 - <<'P'
import json
c = json.load(open('out/c.json'))
p = c.get('out') or 'notes.txt'
open(p, 'a').write(open('ops/live.conf').read())
P
## refused
python3 - -o ops/live.conf <<'P'
import getopt, sys
out = 'notes.txt'
for k, v in getopt.getopt(sys.argv[1:], 'o:')[0]:
    if k == '-o': out = v
open(out, 'a').write('x')
P
## refused
python3 - README.md ops/live.conf <<'P'
import sys
a = sys.argv[1:]
src = a.pop(0)
out = a.pop(0)
open(out, 'a').write(open(src).read())
P
## passes
python3 - ops/live.conf out/x <<'P'
import sys
it = iter(sys.argv[1:])
src = next(it)
out = next(it)
open(out, 'a').write(open(src).read())
src, out = sys.argv[1:3]
*srcs, out = sys.argv[1:]
_, src, out = sys.argv
open(out, 'a').write(open(src).read())
open(sys.argv[-1], 'a').write(open(sys.argv[1]).read())
P
## refused
python3 - -vo ops/live.conf <<'P'
import argparse
q = argparse.ArgumentParser()
q.add_argument('-v', action='store_true')
q.add_argument('-o')
open(q.parse_args().o, 'a').write('x')
P
## refused
python3 - --mark <<'P'
import argparse
q = argparse.ArgumentParser()
q.add_argument('--mark', nargs='?', const='ops/live.conf', default='notes.txt')
a = q.parse_args()
open(a.mark, 'a').write('x')
P
## passes
python3 - -v --src ops/live.conf out/x <<'P'
import argparse
q = argparse.ArgumentParser(description='takes ops/live.conf')
q.add_argument('-v', action='store_true')
q.add_argument('--src', default='ops/stage.conf')
q.add_argument('--log')
q.add_argument('out')
a = q.parse_args()
log = a.log or 'out/log'
open(a.out, 'w').write(open(a.src).read())
open(log, 'w').write('x')
P
## refused
python3 - --out out/x <<'P'
import argparse
q = argparse.ArgumentParser()
o = q.add_argument('--in', default='out/x')
o.default = 'ops/live.conf'
q.add_argument('--out')
a = q.parse_args()
open(vars(a)['in'], 'a').write('x')
P
## refused
python3 - ops/new.conf <<'P'
import argparse
q = argparse.ArgumentParser()
q.add_argument('out', type=argparse.FileType('w'))
q.parse_args()
P
## refused
python3 - <<'P'
try: open('ops/none.conf')
except FileNotFoundError as e: open(e.filename, 'w')
P
## refused
python3 - <<'P'
def f(*a, **k): return open(*a, **k)
f('ops/live.conf', mode='a').write('x')
P
## passes
python3 - <<'P'
def f(*a, **k): return open(*a, **k)
f('out/x', mode='a').write(f('ops/live.conf', **{'encoding': 'utf-8'}).read())
P
## refused
python3 - <<'P'
for p in '''README.md
ops/live.conf'''.split(): open(p, 'a').write('x')
P
## passes
python3 - <<'P'
src, out = 'ops/live.conf out/x'.split()
for s, d in {src: out}.items(): open(d, 'w').write(open(s).read())
P
## refused
python3 - <<'P'
names = ['notes.txt']
names.append('ops/live.conf')
for p in names: open(p, 'a').write('x')
P
## refused
python3 - <<'P'
import os
os.environ['P'] = 'ops/live.conf'
os.system('echo x >> $P')
P
## refused
python3 - <<'P'
p = 'notes.txt'
for i in range(3):
    open(p, 'a').write('x')
    p = 'ops/live.conf'
P
## passes
python3 - <<'P'
p = 'ops/live.conf'
text = open(p).read()
if text:
    p = 'out/x'
else:
    p = 'out/y'
open(p, 'w').write(text)
P
## refused
python3 - <<'P'
import threading
class A:
    def put(self, p): open(p, 'a').write('x')
class B:
    def put(self, p): pass
t = threading.Thread(target=A().put, args=('ops/live.conf',))
t.start(); t.join()
P
## refused
python3 - <<'P'
import os
from pathlib import Path
d = {'rm': os.remove}
d['rm']('ops/live.conf')
u = Path('ops/stage.conf').unlink
u()
P
## passes
python3 - <<'P'
from pathlib import Path
w = lambda p: Path(p).write_text(Path('ops/live.conf').read_text())
list(map(w, ['out/a', 'out/b']))
P
## refused
python3 - <<'P'
import textwrap
exec(compile(textwrap.dedent('''
    open('ops/live.conf', 'a').write('x')
'''), 'x', 'exec'))
P
## refused
python3 -m code <<<"open('ops/live.conf', 'a').write('x')"
## refused
python3 -m pdb -c "!open('ops/live.conf', 'a').write('x')" -c q src/util.py
## refused
python3 - <<'P'
import os
os.symlink('../ops', 'out/link')
open('out/link/live.conf', 'a').write('x')
P
## refused
python3 - <<'P'
import os
os.unlink('live.conf', dir_fd=os.open('ops', os.O_RDONLY))
P
## refused
python3 - <<'P'
import shelve, zipapp
import xml.etree.ElementTree as ET
ET.ElementTree(ET.Element('a')).write('ops/a.xml')
P
## refused
TMPDIR=ops python3 -c "import tempfile; tempfile.mkdtemp()"
## passes
python3 - <<'P'
import os, shutil, subprocess, tempfile
from pathlib import Path
d = tempfile.mkdtemp()
shutil.copytree('ops', d + '/ops')
subprocess.run(['sed', '-i', 's/a/b/', 'ops/live.conf'], cwd=d)
for p in (Path(d) / 'ops').rglob('*.conf'): p.write_text(p.read_text())
os.chdir(tempfile.mkdtemp())
os.makedirs('ops')
open('ops/live.conf', 'w').write('x')
P
## refused
python3 - <<'P'
import subprocess
subprocess.run(['sed', '-i', 's/count/size/', 'live.conf'], cwd='ops')
P
## passes
python3 - <<'P'
import os, subprocess
from pathlib import Path
for root, _, names in os.walk('ops'):
    for name in names:
        p = Path(root) / name
        to = Path('out/copies') / p.relative_to('ops')
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(p.read_text())
for f in subprocess.check_output(['git', 'ls-files', 'ops'], text=True).splitlines():
    open('out/' + f.replace('/', '_'), 'w').write(open(f).read())
P
## passes
python3 - <<'P'
import subprocess
from pathlib import Path
class Report:
    def __init__(self, out): self.out = Path(out)
    def save(self): (self.out / 'r.txt').write_text(Path('ops/live.conf').read_text())
Report('out').save()
root = Path(subprocess.check_output(['git', 'rev-parse', '--show-toplevel'], text=True).strip())
(root / 'out' / 'x').write_text((root / 'ops/live.conf').read_text())
P
