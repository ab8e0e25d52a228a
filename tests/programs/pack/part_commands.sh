# part_commands.sh -- what a person types, rightly and wrongly.

mkdir "$work/fresh"
check 'new makes a skill' prints 'skillrom lint --strict' "$SKILLROM" new turn-valve "$work/fresh"
check 'which can be packed' pack "$work/fresh" "$work/fresh.rom"
check 'defect 21: but not published before it is written' exits 1 "$SKILLROM" lint --strict "$work/fresh"
check 'until then it lints clean' prints '1 skill, 0 errors, 0 warnings' "$SKILLROM" lint "$work/fresh"
check 'it names each sentence that is left' prints '1 skill, 5 errors, 0 warnings' "$SKILLROM" lint --strict "$work/fresh"
check 'and where' prints "turn-valve/SKILL.md:3:14: error: this is still what \`skillrom new\` wrote: 'Say in one sentence" "$SKILLROM" lint --strict "$work/fresh"
check 'in every file' prints 'turn-valve/references/details.md:3:1: ' "$SKILLROM" lint --strict "$work/fresh"
check 'defect 21: no licence is chosen' [ -z "$(grep -ri licen "$work/fresh")" ]
# written DIR: as an author would, who replaces what is to be replaced.
written() {
    find "$1" -name '*.md' -exec sed -i -e 's/Say in one sentence.*/Turns a valve by hand. Use when the motor of a valve fails./' -e 's/^Say what.*/Valve 1 to 4./' \
        -e 's/The first step.*/Close it./' -e 's/The next step.*/Open it./' -e 's/^What is too.*/A turn is 0.25 bar./' {} +
}
written "$work/fresh"
check 'once written it passes lint --strict' prints '1 skill, 0 errors, 0 warnings' "$SKILLROM" lint --strict "$work/fresh"
check 'new overwrites nothing' exits 1 "$SKILLROM" new turn-valve "$work/fresh"
check 'a name that YAML takes for a number works, too' "$SKILLROM" new 123 "$work/fresh"
written "$work/fresh"
check 'and passes lint --strict' "$SKILLROM" lint --strict "$work/fresh"
for name in Turn -turn turn- turn--valve 'turn valve' ../turn '' "$(printf '%065d' 0)"; do
    check "new refuses the name '$name'" exits 2 "$SKILLROM" new "$name" "$work/fresh"
done
check 'new makes the folder, too' "$SKILLROM" new turn-valve "$work/unmade"
check 'with the skill in it' "$SKILLROM" lint "$work/unmade"
check 'but says when what it lies in is not there' prints 'No such file' "$SKILLROM" new turn-valve "$work/none/such"
check 'and when it is a file' prints 'Not a directory' "$SKILLROM" new turn-valve "$work/fresh/123/SKILL.md"

# A folder that is wrong.
make_skill "$work/broken" bad
printf -- '---\nname: Bad Name\n---\n' >"$work/broken/bad/SKILL.md"
check 'lint of a broken folder exits with 1' exits 1 "$SKILLROM" lint "$work/broken"
check 'and names place and rule' prints 'SKILL.md:2:' "$SKILLROM" lint "$work/broken"
check 'pack of a broken folder exits with 1' exits 1 "$SKILLROM" pack "$work/broken" -o "$work/broken.rom"
check 'and writes nothing' [ ! -e "$work/broken.rom" ]
check 'serve of a broken folder exits with 1' exits 1 "$SKILLROM" serve "$work/broken"
json_lines() {
    "$SKILLROM" lint --json "$work/broken" 2>/dev/null >"$work/json"
    [ -s "$work/json" ] && ! grep -v '^{"path":.*}$' "$work/json"
}
check 'lint --json prints only JSON objects' json_lines
old_stays() {
    cp "$work/golden.rom" "$work/kept.rom"
    exits 1 "$SKILLROM" pack "$work/broken" -o "$work/kept.rom" && cmp "$work/kept.rom" "$work/golden.rom"
}
check 'a failed pack leaves the old image alone' old_stays
check 'no temporary file stays behind' [ -z "$(find "$work" -maxdepth 1 -name '*.rom.*')" ]

# Calls that are wrong.
check 'no command: usage, exit code 2' exits 2 "$SKILLROM"
check 'unknown command' exits 2 "$SKILLROM" frobnicate
check 'which is told the nearest' prints "unknown command 'pakc'; did you mean pack?" "$SKILLROM" pakc
check 'if one is near' prints "unknown command 'frobnicate'; 'skillrom help' lists the commands" "$SKILLROM" frobnicate
check 'also a mistyped option' prints 'skillrom lint: unknown option --strct; did you mean --strict? see skillrom lint --help' "$SKILLROM" lint --strct x
check 'with its value' prints 'unknown option --bsae; did you mean --base?' "$SKILLROM" lint --bsae=x://y/ x
check 'every command has a version' prints 'image format 5' "$SKILLROM" bridge --version
check 'an option has a short form and a long one' "$SKILLROM" pack "$work/golden" --output "$work/long.rom"
check 'unknown option' exits 2 "$SKILLROM" lint --frobnicate "$work/fresh"
check 'pack without a target' exits 2 "$SKILLROM" pack "$work/golden"
check 'pack without a folder' exits 2 "$SKILLROM" pack -o "$work/x.rom"
check 'pack with two folders' exits 2 "$SKILLROM" pack "$work/golden" "$work/nested" -o "$work/x.rom"
check 'pack -o without a value' exits 2 "$SKILLROM" pack "$work/golden" -o
for base in '' plant plant: PLANT://x/ plant://site plant://a//b/ plant://../ 'plant://a b/'; do
    check "pack --base '$base'" exits 2 "$SKILLROM" pack "$work/golden" -o "$work/x.rom" --base "$base"
done
check 'pack --base with a scheme of one'"'"'s own' pack "$work/golden" "$work/based.rom" --base plant://site/
check 'and its URIs begin with it' grep -a -q -F -e '{"uri":"plant://site/plant/pumps/purge-line/SKILL.md",' "$work/based.rom"
check 'info names it' prints 'base      plant://site/' "$SKILLROM" info "$work/based.rom"
check 'cat knows it' "$SKILLROM" cat "$work/based.rom" plant://site/plant/pumps/purge-line/SKILL.md
check 'lint --base' "$SKILLROM" lint "$work/golden" --base plant://site/
check 'lint --base with something else' exits 2 "$SKILLROM" lint "$work/golden" --base site
for window in 0 100 300 65536 4096x -4096; do
    check "pack --compress=$window" exits 2 "$SKILLROM" pack "$work/golden" -o "$work/x.rom" --compress=$window
done
for name in 9lives int linux _Bool SKR_JOBS UINT8_MAX 'a b' ''; do
    check "pack --name '$name'" exits 2 "$SKILLROM" pack "$work/golden" --emit-c "$work/x.c" --name "$name"
done
check 'pack --emit-c with a file that is not a .c' exits 2 "$SKILLROM" pack "$work/golden" --emit-c "$work/x.txt"
check 'cat without a path' exits 2 "$SKILLROM" cat "$work/golden.rom"
check 'serve without anything' exits 2 "$SKILLROM" serve
check 'serve --watch of an image' exits 2 "$SKILLROM" serve --watch "$work/golden.rom"
check 'cat of an unknown path exits with 1' exits 1 "$SKILLROM" cat "$work/golden.rom" no/such/file
check 'cat of a directory exits with 1' exits 1 "$SKILLROM" cat "$work/golden.rom" plant
check 'an image that is not there exits with 1' exits 1 "$SKILLROM" info "$work/none.rom"
check 'a folder that is not there exits with 1' exits 1 "$SKILLROM" lint "$work/none"

# Defect 21: lint takes several folders, and the SKILL.md of a skill.
check 'lint of two folders adds up' prints '3 skills, 0 errors, 0 warnings' "$SKILLROM" lint "$work/fresh" "$work/unmade"
check 'one of them broken exits with 1' exits 1 "$SKILLROM" lint "$work/broken" "$work/fresh"
check 'in any order' exits 1 "$SKILLROM" lint "$work/fresh" "$work/broken"
check 'both are looked at' prints 'broken/bad/SKILL.md:2:' "$SKILLROM" lint "$work/fresh" "$work/broken"
check 'lint of a SKILL.md' prints '1 skill, 0 errors, 0 warnings' "$SKILLROM" lint --strict "$work/fresh/turn-valve/SKILL.md"
check 'of two' prints '2 skills, 0 errors' "$SKILLROM" lint "$work/fresh/turn-valve/SKILL.md" "$work/fresh/123/SKILL.md"
beside() { cd "$work/fresh/turn-valve" && "$SKILLROM" lint --strict SKILL.md; }
check 'of the one beside me' prints '1 skill, 0 errors, 0 warnings' beside
check 'lint of another file' prints 'details.md: error: neither a folder nor a SKILL.md' "$SKILLROM" lint "$work/fresh/turn-valve/references/details.md"
check 'exits with 1' exits 1 "$SKILLROM" lint "$work/fresh/turn-valve/references/details.md"
check 'lint of nothing' exits 2 "$SKILLROM" lint

# Defect 21: what cannot be written is not a success, whatever the command.
lost() { # COMMAND...: says so in one line, and exits with 1
    "$@" >/dev/full 2>"$work/lost"
    [ $? -eq 1 ] && [ "$(wc -l <"$work/lost")" -eq 1 ] && grep -q 'cannot write to stdout: No space left on device' "$work/lost" || { cat "$work/lost"; return 1; }
}
for call in "lint $work/fresh" "pack $work/golden -o /dev/null" "info $work/golden.rom" "ls $work/golden.rom" \
    "cat $work/golden.rom plant/pumps/purge-line/SKILL.md" "verify $work/golden.rom" "new close-valve $work/fresh" help version 'lint --help' 'bridge --help'; do
    # shellcheck disable=SC2086
    check "skillrom $call > /dev/full" lost "$SKILLROM" $call
done
check 'skillromd --help > /dev/full' lost "$skillromd" --help
check 'skillromd --version > /dev/full' lost "$skillromd" --version
broken_pipe() { # nobody reads, and the shell ignores the signal, which a program may inherit
    sh -c 'trap "" PIPE; "$@"; echo $? >"$0"' "$work/code" "$SKILLROM" ls "$work/golden.rom" 2>"$work/lost" | :
    [ "$(cat "$work/code")" -eq 141 ] && [ ! -s "$work/lost" ]
}
check 'a closed pipe ends it without a word, as SIGPIPE does' broken_pipe
closed() { "$SKILLROM" lint "$work/fresh" >&-; }
check 'nor is a stdout that is closed' exits 1 closed

# Defect 21: - is stdout.
piped() { "$SKILLROM" pack "$work/golden" -o - 2>"$work/said" | cmp - "$work/golden.rom" && grep -q '^stdout: ' "$work/said"; }
check 'pack -o - writes the image to stdout, and the summary to stderr' piped
header_piped() { "$SKILLROM" pack "$work/golden" --header - 2>/dev/null | grep -q SKR_GENERATED_TOOLS_H; }
check 'pack --header - the header' header_piped
check 'not both' exits 2 "$SKILLROM" pack "$work/golden" -o - --header -
full() { "$SKILLROM" pack "$work/golden" -o - >/dev/full; }
check 'pack -o - to a full disk' exits 1 full
check 'and makes no file of that name' [ ! -e ./- ]
on_terminal() { # COMMAND...: with a terminal as stdout
    python3 -c 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' "$@" </dev/null
}
check 'an image is not written to a terminal' exits 2 on_terminal "$SKILLROM" pack "$work/golden" -o -
check 'which is said' prints 'will not write an image to a terminal' on_terminal "$SKILLROM" pack "$work/golden" -o -

# Help, and what the reading commands print.
narrow() { # COMMAND...: at most 80 columns
    "$@" >"$work/narrow" && [ -s "$work/narrow" ] && ! grep -n '.\{81\}' "$work/narrow"
}
for command in new lint pack info ls cat verify serve bridge; do
    check "defect 21: $command --help has 80 columns" narrow "$SKILLROM" $command --help
done
check 'defect 21: so has help' narrow "$SKILLROM" help
check 'defect 21: so has skillromd --help' narrow "$skillromd" --help
check 'help lists the commands' prints 'verify' "$SKILLROM" help
check '--version names the format' prints 'image format 5' "$SKILLROM" --version
version=$(sed -n 's/^#define SKR_VERSION "\(.*\)"$/\1/p' "$root/core/skillrom.h")
check 'and the version that skillrom.h has' prints "skillrom ${version:?}, " "$SKILLROM" --version
check 'skillromd has the same' prints "skillromd $version" "$skillromd" --version
for command in new lint pack info ls cat verify serve; do
    check "$command --help" prints "usage: skillrom $command" "$SKILLROM" $command --help
    check "$command --help exits with 0" exits 0 "$SKILLROM" $command --help
done
check 'ls shows size and type' prints '71  text/markdown' "$SKILLROM" ls "$work/golden.rom"
check 'ls -l says what a file is for' prints 'reference: "Pressure and volume limits per line"' "$SKILLROM" ls -l "$work/golden.rom"
check 'info says which tools are scoped' prints 'purge-line.purge_cycle (scoped)' "$SKILLROM" info "$work/golden.rom"
check 'ls of a directory shows only what is in it' [ "$("$SKILLROM" ls "$work/golden.rom" plant/pumps/purge-line/scripts | wc -l)" -eq 2 ]
check 'info names the build' prints 'build ' "$SKILLROM" info "$work/golden.rom"
check 'pack prints the summary on stdout' [ -n "$("$SKILLROM" pack "$work/golden" -o "$work/x.rom" 2>/dev/null)" ]
check 'pack to a device file does not replace it' pack "$work/golden" /dev/null
check 'which is still a device' [ -c /dev/null ]

# All outputs or none.
nothing_half() { # OPTIONS...: pack fails, and leaves neither an output nor a temporary file
    rm -rf "$work/half" && mkdir "$work/half" && mkdir "$work/half/folder"
    exits 1 "$SKILLROM" pack "$work/golden" "$@" || return 1
    [ "$(ls "$work/half")" = folder ] || { ls "$work/half"; return 1; }
}
check 'a --emit-c that cannot be written: no -o either' nothing_half -o "$work/half/x.rom" --emit-c "$work/half/none/x.c"
check 'a --header that cannot be written: no -o and no --emit-c' nothing_half -o "$work/half/x.rom" --emit-c "$work/half/x.c" --header "$work/half/none/x.h"
check 'a --header that is a folder' nothing_half -o "$work/half/x.rom" --emit-c "$work/half/x.c" --header "$work/half/folder"
through_link() {
    mkdir -p "$work/far" && ln -sf "../$(basename "$work")/far/real.rom" "$work/link.rom" && ln -sf link.rom "$work/link2.rom" || return 1
    for round in new old; do
        echo "$round" && pack "$work/golden" "$work/link2.rom" && [ -L "$work/link.rom" ] && [ -L "$work/link2.rom" ] && cmp "$work/far/real.rom" "$work/golden.rom" || return 1
    done
    [ "$(ls "$work/far")" = real.rom ]
}
check 'pack -o through links writes the file that they lead to' through_link
ln -s circle.rom "$work/circle.rom"
check 'a link to itself is an error' exits 1 "$SKILLROM" pack "$work/golden" -o "$work/circle.rom"

# Two outputs in one file.
check 'pack: --header beside --emit-c' prints "the header of --emit-c and --header would both be written to" "$SKILLROM" pack "$work/golden" --emit-c "$work/one.c" --header "$work/one.h"
check 'it is misuse' exits 2 "$SKILLROM" pack "$work/golden" --emit-c "$work/one.c" --header "$work/one.h"
check 'pack: -o and --header' prints "-o and --header would both be written to" "$SKILLROM" pack "$work/golden" -o "$work/one" --header "$work/one"
check 'pack: -o and --emit-c' prints "-o and --emit-c would both be written to" "$SKILLROM" pack "$work/golden" -o "$work/one.c" --emit-c "$work/one.c"
check 'pack: --emit-c and --header' prints "--emit-c and --header would both be written to" "$SKILLROM" pack "$work/golden" --emit-c "$work/one.c" --header "$work/one.c"
check 'pack: -o beside --c, spelled in another way' exits 2 "$SKILLROM" pack "$work/golden" -o "$work/../$(basename "$work")/./one.h" --emit-c "$work/one.c"
ln -s one.h "$work/alias"
check 'pack: and through a link' exits 2 "$SKILLROM" pack "$work/golden" -o "$work/alias" --header "$work/one.h"
check 'nothing of that is written' [ ! -e "$work/one.h" ]
check 'pack: a device takes two outputs' exits 0 "$SKILLROM" pack "$work/golden" -o /dev/null --header /dev/null
