## passes
gh pr create --title "ops" --body "touches ops/live.conf > conf/keys.yaml"
## passes
gh pr view 3 --json files
## passes
gh run list --workflow .github/workflows/ci.yml
## passes
gh api repos/x/y/contents/.github/workflows/ci.yml
## passes
tail -f /dev/null & kill %1
## passes
npm ci
## passes
npm install --save-dev eslint
## passes
npm test
## passes
npm run build
## passes
npx eslint src/gate --max-warnings 0
## passes
npx prettier --check .github ops
## passes
npx tsc --noEmit -p .
## passes
yarn install --frozen-lockfile
## passes
pnpm -r build
## passes
docker build -t x -f ops/live.conf .
## passes
docker run --rm -v "$PWD":/w:ro -w /w alpine cat ops/live.conf
## passes
docker compose up -d
## passes
docker ps
## passes
terraform validate ops
## passes
terraform plan -out out/plan ops
## passes
terraform fmt -check ops
## passes
kubectl get pods -n ops
## passes
kubectl apply -f ops/live.conf --dry-run=client
## passes
helm template . -f conf/keys.yaml > out/h.yaml
## passes
actionlint .github/workflows/ci.yml
## passes
scp ops/live.conf host:/tmp/
## passes
ssh host 'rm -rf ops && echo x > conf/keys.yaml'
## passes
curl -fsSL https://example.com/install.sh -o out/i.sh
## passes
wget -qO- https://example.com/.github/workflows/ci.yml
## passes
kill $(pgrep -f ops) 2>/dev/null
## passes
sleep 1; date
## passes
man tee > out/tee.txt
## passes
openssl x509 -in conf/keys.yaml -noout -text
## passes
psql -f schema/steps/0001_base.sql
## passes
mysql < schema/steps/0001_base.sql
## passes
psql -c "select 1 > 0"
## passes
tmux new-session -d 'tail -f out/log'
## passes
vim -R ops/live.conf -c q
## passes
code ops/live.conf
## passes
open ops/live.conf
## passes
go vet ./ops/...
## passes
go test ./src/gate/...
## passes
cargo test --manifest-path ops/Cargo.toml
## passes
mvn -f ops/pom.xml verify
## passes
gradle :gate:test
## passes
dotnet test src/gate
## passes
pre-commit run --files ops/live.conf
## passes
pre-commit run --all-files
## passes
act -W .github/workflows/ci.yml -n
## passes
semgrep --config auto src/gate
## passes
trivy fs ops
## passes
uv run pytest tests/ops
## passes
uv run python -m app.ops --config conf/keys.yaml
## passes
poetry run pytest tests/gate
## passes
claude -p "explain ops/live.conf"
## passes
codex exec "look at .github/workflows/ci.yml"
## passes
guards explain 'rm ops/live.conf'
## passes
guards status
## passes
crontab -l
## passes
at -l
## passes
systemctl status nginx
## passes
journalctl -u ops
## passes
iptables -L
## passes
git status
## passes
git status --short && git diff --stat
## passes
git log --oneline -5 -- ops/live.conf
## passes
git commit -m "ci: touch .github/workflows/ci.yml and ops/live.conf"
## passes
git commit -am 'fix: don't'
## passes
git add .github/workflows/ci.yml ops/live.conf
## passes
git add -A && git commit -m "$(printf 'a\n\nrm -rf ops > conf/keys.yaml')"
## passes
git push -u origin feature
## passes
git fetch origin && git log HEAD..origin/main --oneline
## passes
git tag -a v1 -m 'ops/live.conf'
## passes
git branch -vv
## passes
git checkout -b fix/ops-live.conf
## passes
git stash list
## passes
git diff main...feature -- src/gate | head -50
## passes
git show HEAD:ops/live.conf | head
## passes
git blame -L1,3 src/gate/door.py
## passes
git grep -n "password" -- src config
## passes
git rev-parse --abbrev-ref HEAD
## passes
git config user.email
## passes
git ls-files | grep -E 'ops|gate' | wc -l
## passes
git log --all --graph --format='%h %s' | head
## passes
grep -rn TODO src ops .github
## passes
grep -n 'x > y' conf/keys.yaml
## passes
rg -n "count" ops --type tf
## passes
rg --files .github | sort
## passes
find . -name '*.conf' | head
## passes
find ops -type f -exec cat {} +
## passes
find . -path ./node_modules -prune -o -name '*.py' -print
## passes
cat ops/live.conf | head -20
## passes
cat .env | grep -v TOKEN
## passes
sed -n '1,40p' .github/workflows/ci.yml
## passes
head -c 100 conf/keys.yaml
## passes
wc -l src/gate/*.py
## passes
diff -u ops/live.conf ops/stage.conf
## passes
ls -la ~/.claude ops
## passes
tree ops -L 2
## passes
stat ops/live.conf
## passes
md5sum ops/*.conf > out/sums
## passes
jq . package.json
## passes
yq '.jobs' .github/workflows/ci.yml
## passes
python3 -m pytest tests -q
## passes
pytest tests/test_deploy.py -k "gate and not ops" 2>&1 | tail -20
## passes
python3 -c "import yaml; print(yaml.safe_load(open('.github/workflows/ci.yml')))"
## passes
python3 -c "import json,sys; d=json.load(open('package.json')); print(d['version'])"
## passes
node -e "console.log(require('./package.json').version)"
## passes
make -n fix-ci
## passes
make lint 2>&1 | tee out/lint.log
## passes
ansible-lint ops
## passes
shellcheck scripts/fix.sh
## passes
yamllint .github/workflows
## passes
ruff check src/gate
## passes
ruff check . --fix-only --diff
## passes
black --check src/gate
## passes
mypy src/gate
## passes
eslint src/gate/door.py
## passes
hadolint ops/live.conf
## passes
cp ops/live.conf out/live.bak
## passes
cp -r ops out/ops-copy
## passes
tar czf out/b.tgz ops src config
## passes
zip -r out/a.zip ops
## passes
rsync -a ops/ out/d/
## passes
curl -s -d @conf/keys.yaml http://127.0.0.1:1/
## passes
echo "see ops/live.conf" >> notes.txt
## passes
echo "ops/live.conf" > out/list.txt
## passes
printf '%s\n' ops/live.conf conf/keys.yaml > out/list.txt
## passes
cat <<'EOF' > docs/ops.md
Run `rm -rf ops` then `echo x > conf/keys.yaml`.
EOF
## passes
export OPS_FILE=ops/live.conf; echo $OPS_FILE
## passes
cd ops && ls && cat live.conf
## passes
cd src/gate && grep -n def *.py
## passes
(cd .github && find . -type f)
## passes
for f in ops/*.conf; do echo "== $f"; cat "$f"; done
## passes
for f in $(git diff --name-only); do wc -l "$f"; done
## passes
while read -r l; do echo "$l"; done < conf/keys.yaml
## passes
xargs -a targets.txt wc -l
## passes
git ls-files ops | xargs -I{} grep -c x {}
## passes
awk '{print $1 > "/dev/stderr"}' ops/live.conf
## passes
awk -F: '$2 > 3 {print}' conf/keys.yaml
## passes
sort ops/live.conf | uniq > out/u
## passes
comm -12 <(sort ops/live.conf) <(sort ops/stage.conf)
## passes
[ -f ops/live.conf ] && echo yes
## passes
test -s conf/keys.yaml; echo $?
## passes
time cat ops/live.conf >/dev/null
## passes
which terraform; command -v jq
## passes
ps aux | grep ops
## passes
env | grep -i ops
## passes
history | grep ops | tail
## passes
alias ll='ls -la ops'
## passes
base64 conf/keys.yaml
## passes
gpg --verify ops/live.conf.asc ops/live.conf
## passes
sqlite3 -readonly src/gate/users.schema '.tables'
## passes
bash -c 'grep -c count ops/live.conf'
## passes
sh -c 'cat ops/live.conf | wc -l' > out/n
## passes
sudo cat conf/keys.yaml
## passes
timeout 5 tail -n 3 ops/live.conf
## passes
nohup grep -r x ops > out/g.log 2>&1 &
## passes
less ops/live.conf
## passes
perl -ne 'print if $. > 3' ops/live.conf
## passes
ruby -ne 'print' ops/live.conf
## passes
php -l src/app.py
## passes
node --check scripts/x.js
## passes
alembic upgrade head
## passes
python manage.py migrate --plan
## passes
rails db:migrate:status
## passes
flyway info -locations=filesystem:schema/steps
## passes
prisma migrate status
## passes
gitleaks detect --source .
## passes
detect-secrets scan config
## passes
du -sh ops .git
## passes
rm -rf out/tmp build/x
## passes
rm -f /tmp/nosuch-xyz
## passes
mkdir -p out/ops/live
## passes
touch out/ops.conf
## passes
mv out/list.txt out/ops.txt
## passes
ln -s ../ops/live.conf out/l
## passes
git worktree list
## passes
git bisect log
## passes
git cherry -v main
## passes
git shortlog -sn
## passes
git describe --tags
## passes
jq -r '.scripts | keys[]' package.json
## passes
column -t -s, ops/live.conf
## passes
diff <(git show HEAD:ops/live.conf) ops/live.conf
## passes
git show HEAD --stat | cat
## passes
echo '{"file_path": "ops/live.conf"}' | jq -r .file_path
## passes
echo "rm -rf ops" | wc -c
## passes
python3 - <<'EOF'
from pathlib import Path
for p in Path("ops").glob("*.conf"):
    print(p, len(p.read_text()))
EOF
## passes
python3 - <<'EOF'
import json
data = {"path": "ops/live.conf"}
with open("/tmp/out.json", "w") as fh:
    json.dump(data, fh)
EOF
## passes
python3 - <<'EOF'
import ast, sys
src = open("src/gate/door.py").read()
tree = ast.parse(src)
print([n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)])
EOF
## passes
TMP=$(mktemp); git show HEAD:ops/live.conf > "$TMP"; diff "$TMP" ops/live.conf; rm "$TMP"
## passes
OUT=/tmp/x-$$; grep -c x ops/live.conf > $OUT; cat $OUT
## passes
D=$(mktemp -d) && cp -r ops "$D/" && ls "$D" && rm -rf "$D"
## passes
cat ops/live.conf > "$TMPDIR/live.conf"
## passes
cat ops/live.conf > "$OUT_DIR/live.conf"
## passes
cp ops/live.conf "$BACKUP/"
## passes
LOG=out/$(date +%F).log; pytest > "$LOG" 2>&1; tail -3 "$LOG"
## passes
bundle exec rspec spec/ops
## passes
ssh-keygen -lf ops/K.pub
## passes
ssh-keygen -l -f ops/K.pub
## passes
ssh-keygen -y -f ops/K > /dev/null
## passes
dos2unix -i ops/live.conf
## passes
dos2unix --info=c .github/workflows/*.yml
## passes
squawk schema/steps/0001_base.sql
## passes
sqruff lint schema/steps
## passes
pgsanity schema/steps/0001_base.sql
## passes
uvx zizmor .github/workflows/ci.yml
## passes
pinact run --check .github/workflows/ci.yml
## passes
check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/ci.yml
## passes
cfn-lint ops/live.conf
## passes
hexyl ops/live.conf
## passes
dyff between ops/live.conf ops/stage.conf
## passes
tig .github/workflows/ci.yml
## passes
uconv -f latin1 -t utf8 ops/live.conf
## passes
ansible-vault view conf/keys.yaml
## passes
keytool -list -keystore conf/keys.yaml
## passes
dockerfilelint ops/live.conf
## passes
buildah bud -f ops/live.conf -t app .
## passes
/kaniko/executor --dockerfile ops/live.conf --context . --no-push
## passes
migrate -path schema/steps -database "$DATABASE_URL" version
## passes
foreman start -e .env
## passes
pre-commit run --files .github/workflows/ci.yml
## passes
act -n -W .github/workflows/ci.yml
## passes
pg_format schema/steps/0001_base.sql
## passes
sql-formatter -l postgresql schema/steps/0001_base.sql
## passes
env $(cat .env | xargs) npm test
## passes
env $(grep -v '^#' .env | xargs -d '\n') pytest -q
## passes
for f in schema/steps/*.sql; do sed s/a/b/ "$f" > "$OUT/$(basename "$f")"; done
## passes
mkdir -p /tmp/demo && cd /tmp/demo
echo x > .env
## passes
set -e
rm -rf /tmp/d && mkdir /tmp/d && cd /tmp/d
echo x > .env
## passes
mkdir -p /tmp/proj/.github; cd /tmp/proj; echo a > .github/a
## passes
tmp=$(mktemp -d); cd "$tmp" || exit 1; echo A=1 > .env
## passes
cd "$(mktemp -d)" && mkdir ops && echo x > ops/live.conf
## passes
d=$(mktemp -d); cp -r . "$d/repo"; pushd "$d/repo"; sed -i s/a/b/ ops/live.conf; popd
## passes
(cd "$(mktemp -d)" && tar xf @R@/bundle.tar)
## passes
export D=$(mktemp -d); cp .env "$D/.env"
## passes
d=$(mktemp -d /tmp/t.XXXX); cp -r ops "$d/ops"; find "$d" -name '*.conf' -exec sed -i s/a/b/ {} +
## passes
d=$(mktemp -d); cp -r ops "$d/ops"; for f in "$d"/ops/*.conf; do echo x >> "$f"; done
## passes
d=$(mktemp -d); git clone -q . "$d/c"; git -C "$d/c" rm -q ops/live.conf
## passes
W=/tmp/run-$$; mkdir -p $W; cd $W; echo x > .env
## passes
W=/tmp/run-$(date +%s); mkdir -p "$W" && cd "$W" && echo x > .env
## passes
[ -f .env ] || cp .env.example .env; cat .env
## passes
if [ ! -f .env ]; then cp .env.example .env; fi; grep -c = .env
## passes
MODE=check; if [ "$MODE" = fix ]; then sed -i s/a/b/ ops/live.conf; fi; ls ops
## passes
[ a = b ] && cp drafts/ci.yml .github/workflows/ci.yml; ls ops
## passes
mkdir -p out && [ -f .env ] || cp .env.example .env
## passes
git -C "$REPO" log -- ops/live.conf
## passes
git -C "$REPO" diff HEAD~1 -- ops/live.conf
## passes
cp .env "$SCRATCHPAD/.env"
## passes
cp .env "$TMP_DIR/.env"
