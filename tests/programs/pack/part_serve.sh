# part_serve.sh -- `skillrom serve`, with a stand-in for skillromd that writes down how it was started.

bin=$work/bin
mkdir "$bin"
cp "$SKILLROM" "$bin/skillrom"
cat >"$bin/skillromd" <<'SH'
#!/usr/bin/env python3
# Says what it was started with, then with SIGHUP what has become of it, and waits to be stopped.
import hashlib, os, signal, sys
def log(text):
    with open(os.environ["SERVED"], "a") as served:
        served.write(text + "\n")
def served():
    with open(sys.argv[1], "rb") as image:
        log(hashlib.sha256(image.read()).hexdigest())
signals = {signal.SIGHUP, signal.SIGTERM, signal.SIGINT}
signal.pthread_sigmask(signal.SIG_BLOCK, signals)
served()
log(" ".join(sys.argv[1:]))
log("started")
while signal.sigwait(signals) == signal.SIGHUP:
    served()
    log("replaced")
log("stopped")
SH
chmod +x "$bin/skillromd"
SERVED=$work/served
TMPDIR=$work/tmp
export SERVED TMPDIR
mkdir "$TMPDIR"

# until_served PATTERN COUNT: waits until that many lines of $SERVED match; gives up after a long while.
until_served() {
    tries=0
    until [ "$(grep -c -e "$1" "$SERVED" 2>/dev/null)" -ge "$2" ] 2>/dev/null; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || { echo "never served: $1"; cat "$SERVED" "$work/serve.log"; return 1; }
        sleep 0.05
    done
}
start_serve() {
    rm -f "$SERVED"
    "$bin/skillrom" serve "$@" 2>"$work/serve.log" &
    server=$!
}
stop_serve() {
    kill -TERM "$server" && wait "$server"
    code=$?
    server=''
    return $code
}

served=$work/live
make_skill "$served" one
digest_of() { pack "$served" "$work/live.rom" && sha256sum <"$work/live.rom" | cut -d" " -f1; }

start_serve "$served"
check 'serve packs a folder and starts skillromd' until_served started 1
check 'on the image of that folder' grep -q "$(digest_of)" "$SERVED"
check 'with HTTP on the usual port' grep -q -e '--http 127.0.0.1:7700' "$SERVED"
check 'SIGTERM ends it well' stop_serve
check 'and skillromd with it' until_served stopped 1
check 'and removes the temporary image' [ -z "$(ls -A "$TMPDIR")" ]

start_serve "$served" --watch --stdio --page 5
check 'serve --watch starts skillromd' until_served started 1
check 'with the options it was given, and ready for another image' grep -q -e '^/proc/[0-9]*/fd/[0-9]* --reload --stdio --page 5$' "$SERVED"
make_skill "$served/new/folder" two
check 'a new skill is packed and served' until_served replaced 1
check 'on the new image' grep -q "$(digest_of)" "$SERVED"
echo 'More.' >>"$served/new/folder/two/SKILL.md"
check 'a change in the new folder, too' until_served replaced 2
printf 'no frontmatter\n' >"$served/one/SKILL.md"
until_logged() {
    tries=0
    until grep -q -e "$1" "$work/serve.log"; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || { cat "$work/serve.log"; return 1; }
        sleep 0.05
    done
}
check 'a change that does not pack is reported' until_logged 'still serving the last good image'
check 'and serving goes on' [ "$(grep -c replaced "$SERVED")" -eq 2 ]
make_skill "$served" one
echo 'Corrected.' >>"$served/one/SKILL.md"
check 'once fixed it is served again' until_served replaced 3
check 'all by one skillromd' [ "$(grep -c started "$SERVED")" -eq 1 ]
check 'SIGTERM ends watching well' stop_serve
check 'and removes its temporary image' [ -z "$(ls -A "$TMPDIR")" ]

# Skills that have errors (defect 2): left out, unless they are being served.
make_bad "$served" crooked
good_digest() { # that of the folder without them
    rm -rf "$work/good-live" && cp -r "$served" "$work/good-live" && rm -rf "$work/good-live/crooked" "$work/good-live/late" &&
        pack "$work/good-live" "$work/good.rom" && sha256sum <"$work/good.rom" | cut -d" " -f1
}
start_serve "$served" --watch --stdio
check 'serve leaves out a skill that has errors (defect 2)' until_served started 1
check 'and serves the others' grep -q "$(good_digest)" "$SERVED"
check 'saying which' grep -q "crooked/SKILL.md:4:12: warning: left out: metadata 'version'" "$work/serve.log"
check 'and how many' grep -q '1 skill left out, 2 packed' "$work/serve.log"
make_bad "$served" late
make_skill "$served" third
check 'one that comes later changes nothing for the others' until_served replaced 1
check 'which are served' until_served "$(good_digest)" 1
sed -i 's/^description:/metadata:\n  version: 2\ndescription:/' "$served/third/SKILL.md"
check 'one that is served and gets an error' until_logged "skill 'third' is being served and now has errors"
check 'stays as it was' until_logged 'still serving the last good image'
rm -r "$served/crooked" "$served/late"
make_skill "$served" third
echo 'Corrected.' >>"$served/third/SKILL.md"
check 'until it is fixed' until_served "$(digest_of)" 1
check 'and that is served until SIGTERM' stop_serve
make_bad "$work/all-bad" one
check 'serve of a folder where all are bad' exits 1 "$bin/skillrom" serve "$work/all-bad"

# The temporary image in the folder itself (defect 5).
mkdir "$served/one/tmp"
alone=$(digest_of)
TMPDIR=$served/one/tmp start_serve "$served" --watch --stdio
check 'serve with TMPDIR in the folder (defect 5)' until_served started 1
check 'serves the folder without its own image' grep -q "$alone" "$SERVED"
echo 'More.' >>"$served/one/SKILL.md"
check 'and what is changed' until_served replaced 1
echo 'Still more.' >>"$served/one/SKILL.md"
check 'once for each change' until_served replaced 2
check 'and no more often' [ "$(grep -c replaced "$SERVED")" -eq 2 ]
check 'ending well' stop_serve
rmdir "$served/one/tmp"

start_serve "$served" --base plant://site/ --stdio
check 'serve --base starts skillromd' until_served started 1
pack "$served" "$work/live.rom" --base plant://site/
check 'on an image with that base' grep -q "$(sha256sum <"$work/live.rom" | cut -d" " -f1)" "$SERVED"
check 'without handing the option on' grep -q -e '^/proc/[0-9]*/fd/[0-9]* --stdio$' "$SERVED"
check 'and ends well' stop_serve
check 'serve --base of something else' exits 2 "$bin/skillrom" serve "$served" --base=site
check 'serve --base of nothing' exits 2 "$bin/skillrom" serve "$served" --base
check 'serve --base of an image' exits 2 "$bin/skillrom" serve "$work/golden.rom" --base plant://site/

# Defect 21: a server that is killed, and a `serve` that is.
log_pid() { sed -i 's/^log("started")$/log("started"); log("pid %d" % os.getpid())/' "$bin/skillromd"; }
log_pid
start_serve "$served"
check 'a server is started' until_served 'pid ' 1
kill -KILL "$(sed -n 's/^pid //p' "$SERVED")"
ended() { wait "$server"; }
check 'serve ends with it' exits 1 ended
check 'and says why' prints 'skillromd ended with signal 9, Killed' cat "$work/serve.log"
server=''
start_serve "$served"
check 'another one is started' until_served 'pid ' 1
kill -KILL "$server"
wait "$server" 2>/dev/null
check 'a serve that is killed leaves no folder behind' [ -z "$(ls -A "$TMPDIR")" ]
check 'and no server' until_served stopped 1
server=''

start_serve "$work/golden.rom" -- --tcp 127.0.0.1:0
check 'serve of an image starts skillromd on it' until_served "^$work/golden.rom --tcp 127.0.0.1:0" 1
check 'and is stopped with it' stop_serve
cp "$bin/skillromd" "$work/mine"
rm "$bin/skillromd"
start_serve "$served" --program "$work/mine"
check 'serve --program starts that program, without skillromd' until_served started 1
check 'and stops it' stop_serve
mv "$work/mine" "$bin/skillromd"
check 'a missing program is named' prints "cannot run $work/mine: No such file" "$bin/skillrom" serve "$served" --program "$work/mine"
check 'serve --program without a value' exits 2 "$bin/skillrom" serve "$served" --program
check 'serve refuses a damaged image' prints 'truncated' "$bin/skillrom" serve "$work/cut.rom"
printf '#!/bin/sh\nexit 1\n' >"$bin/skillromd"
check 'a server that cannot start gives its exit code' exits 1 "$bin/skillrom" serve "$work/golden"
rm "$bin/skillromd"
check 'without skillromd it says so' prints 'build it with' "$bin/skillrom" serve "$work/golden"
