# part_json.sh -- info, ls and verify with --json: the same as without it, for programs.

# same COMMAND WORD...: both forms say the same; largest files are only in the text of info.
same() {
    "$SKILLROM" "$@" 2>"$work/errors" | sed '/^largest files$/,$d' >"$work/as-text"
    "$SKILLROM" "$@" --json 2>>"$work/errors" >"$work/as-json"
    [ ! -s "$work/errors" ] && [ -s "$work/as-json" ] && tests/programs/pack/as_text "$1" <"$work/as-json" | diff "$work/as-text" -
}
pack examples/pump "$work/json-plain.rom" && pack examples/pump "$work/json-small.rom" --compress
for image in plain small; do
    check "info --json of the example, $image" same info "$work/json-$image.rom"
    check "ls --json, $image" same ls "$work/json-$image.rom"
    check "ls --long --json, $image" same ls -l "$work/json-$image.rom"
    check "verify --json, $image" same verify "$work/json-$image.rom"
done
check 'ls --json of a part' same ls "$work/json-plain.rom" pump
check 'info --json of another image' same info "$work/golden.rom"
for flag in 'listed: "false"' 'dynamic: "true"' 'distribution: files archive'; do
    make_skill "$work/json-kinds" "${flag%%:*}"
    sed -i "s|^description:|metadata:\\n  dev.skillrom/$flag\\n&|" "$work/json-kinds/${flag%%:*}/SKILL.md"
done
pack "$work/json-kinds" "$work/json-kinds.rom"
check 'info --json of skills that are unlisted, dynamic, offered as archives' same info "$work/json-kinds.rom"
check 'of which the text has each' [ "$(grep -c -e '(unlisted)$' -e '(dynamic)$' -e '(offered as archive)$' "$work/as-text")" -eq 3 ]
check 'one object for info, one per node for ls' [ "$("$SKILLROM" info --json "$work/json-plain.rom" | wc -l)" -eq 1 ]

# A byte of a file's content changed: mounting does not see it, verify does.
damaged() {
    cp "$work/json-plain.rom" "$work/json-damaged.rom"
    printf '\377' | dd of="$work/json-damaged.rom" bs=1 seek=$(($(wc -c <"$work/json-damaged.rom") - 9)) conv=notrunc 2>/dev/null
}
damaged
check 'verify --json of a damaged image has its problems' same verify "$work/json-damaged.rom"
check 'and exits with 1' exits 1 "$SKILLROM" verify --json "$work/json-damaged.rom"
printf x >"$work/json-none.rom"
check 'verify --json of another file has a verdict' prints '"valid":false' "$SKILLROM" verify --json "$work/json-none.rom"
check 'and the reason' prints 'not a skill image' "$SKILLROM" verify --json "$work/json-none.rom"
check 'and also exits with 1' exits 1 "$SKILLROM" verify --json "$work/json-none.rom"
