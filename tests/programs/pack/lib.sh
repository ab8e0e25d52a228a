# lib.sh -- what the parts of the pack tests share. Read by `run`.

# check NAME COMMAND...: the command succeeds.
check() {
    name=$1
    shift
    if "$@" >"$work/out" 2>&1; then
        passed=$((passed + 1))
        echo "ok - $name"
    else
        failed=$((failed + 1))
        echo "not ok - $name"
        sed 's/^/    /' "$work/out"
    fi
}

# exits CODE COMMAND...: the command ends with that code and not otherwise.
exits() {
    wanted=$1
    shift
    "$@"
    code=$?
    [ "$code" -eq "$wanted" ] || { echo "exit code $code, not $wanted: $*"; return 1; }
}

# prints TEXT COMMAND...: the command's output, both streams, holds the text.
prints() {
    text=$1
    shift
    "$@" >"$work/said" 2>&1
    grep -F -q -e "$text" "$work/said" || { echo "not said: $text"; cat "$work/said"; return 1; }
}

# make_skill DIR NAME: the smallest skill, at DIR/NAME.
make_skill() {
    mkdir -p "$1/$2"
    printf -- '---\nname: %s\ndescription: A small skill to pack and unpack. Use it in tests.\n---\n\n# %s\n\nBody.\n' \
        "$2" "$2" >"$1/$2/SKILL.md"
}

# pack DIR ROM [OPTIONS]: quietly, but for what is wrong.
pack() {
    pack_dir=$1
    pack_rom=$2
    shift 2
    "$SKILLROM" pack "$pack_dir" -o "$pack_rom" "$@" >/dev/null
}

# holds_tree ROM DIR [SUBTREE]: every file below DIR comes out of the image unchanged.
holds_tree() {
    (cd "$2" && find . -type f | sed 's|^\./||') >"$work/files"
    [ -s "$work/files" ] || return 1
    while IFS= read -r file; do
        "$SKILLROM" cat "$1" "$file" >"$work/content" || return 1
        cmp "$work/content" "$2/$file" || return 1
    done <"$work/files"
}

# pseudo_random N: N bytes that do not compress, the same each time.
pseudo_random() {
    awk -v n="$1" 'BEGIN { x = 1; for (i = 0; i < n; i++) { x = (x * 69069 + 1) % 4294967296; printf "%c", int(x / 16777216) } }'
}

# set_byte FILE OFFSET: turns the byte there into another one.
set_byte() {
    old=$(od -A n -t u1 -j "$2" -N 1 "$1" | tr -d ' ')
    # shellcheck disable=SC2059
    printf "\\$(printf %03o $(((old + 1) % 256)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# word ROM OFFSET: the 32-bit number there.
word() {
    od -A n -t u4 -j "$2" -N 4 "$1" | tr -d ' '
}
