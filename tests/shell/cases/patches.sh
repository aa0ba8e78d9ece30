## refused
patch src/gate/door.py < patches/door.diff
## refused
patch -p1 -i patches/door.diff
## refused
patch -p1 -d . < patches/ci.patch
## passes
patch -p1 --dry-run -i patches/door.diff
## passes
patch -p1 -o out/door.py < patches/door.diff
## passes
patch -p0 <<'D'
--- notes.txt
+++ notes.txt
@@ -1,3 +1,3 @@
-alpha
+ALPHA
 beta
 gamma
D
## passes
patch <<'D'
--- ops/live.conf
+++ ops/live.conf
@@ -1,3 +1,3 @@
 resource "x" "live" {
-  count = 3
+  count = 4
 }
D
## refused
cd ops && patch <<'D'
--- a/ops/live.conf
+++ b/ops/live.conf
@@ -1,3 +1,3 @@
 resource "x" "live" {
-  count = 3
+  count = 4
 }
D
## passes
diff -u src/util.py src/app.py > out/d.patch; patch -p0 < out/d.patch; true
## passes
interdiff --version >/dev/null 2>&1; lsdiff patches/ci.patch 2>/dev/null; true
## refused
patch -p1 < patches/door.diff > out/log
## refused
patch -p1 --input=patches/ci.patch
## refused
patch -s -p1 ops/live.conf < patches/util.diff 2>/dev/null; true
## refused
patch -p1 -R < patches/ci.patch 2>/dev/null; true
## refused
patch -p2 -d src < patches/door.diff
## passes
patch -p1 -C < patches/ci.patch 2>/dev/null; true
## refused
cat patches/ci.patch | patch -p1
## passes
patch -p1 <<'D1'
--- a/notes.txt
+++ b/notes.txt
@@ -1,3 +1,3 @@
-alpha
+ALPHA
 beta
 gamma
D1
## refused
patch -p1 <<'D1'
--- /dev/null
+++ b/src/gate/new.py
@@ -0,0 +1 @@
+x
D1
## refused, and changes nothing
patch -p1 <<'D1'
--- a/conf/keys.yaml
+++ /dev/null
@@ -1,2 +0,0 @@
-db_password: hunter2
-api_token: abc
D1
## refused
printf -- '--- a/ops/live.conf\n+++ b/ops/live.conf\n@@ -1,3 +1,3 @@\n unit "x" "live" {\n-  count = 3\n+  count = 4\n }\n' | git apply
## refused
printf -- '--- a/ops/live.conf\n+++ b/ops/live.conf\n@@ -1,3 +1,3 @@\n unit "x" "live" {\n-  count = 3\n+  count = 4\n }\n' > q.diff; git apply q.diff
## passes
printf -- '--- a/docs/a.md\n+++ b/docs/a.md\n@@ -1,1 +1,1 @@\n-a\n+b\n' | git apply
## passes
d=$(mktemp -d); cp -r src "$d"; patch -d "$d" -p0 < patches/util.diff
