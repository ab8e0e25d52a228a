# part_golden.sh -- the fixture of the skills contract, byte for byte, and the hex dump of FORMAT.md.

golden=$work/golden/skills/plant/pumps/purge-line
mkdir -p "$golden/references" "$golden/scripts"
cp "$root/tests/programs/pack/golden/SKILL.md" "$golden/SKILL.md"
cp "$root/tests/programs/pack/golden/limits.md" "$golden/references/limits.md"
cp "$root/tests/programs/pack/golden/purge_cycle.lua" "$golden/scripts/purge_cycle.lua"
mkdir -p "$work/golden/tools"
cp "$root"/tests/programs/pack/golden/tools/*.json "$work/golden/tools/"
echo '{"name":"plant","version":"1"}' >"$work/golden/device.json"
entry=$(cat "$root/tests/programs/pack/golden/entry.json")

check 'the golden skill packs' pack "$work/golden" "$work/golden.rom"
check 'its entry is the one of the contract' grep -a -q -F -e "$entry" "$work/golden.rom"
check 'its instructions are cut at the placeholder' prints 'arguments  line!' "$SKILLROM" info "$work/golden.rom"
check 'its script has a tool' prints 'scripts/purge_cycle.lua, run by purge-line.purge_cycle' "$SKILLROM" info "$work/golden.rom"
check 'what the skills page shows of its metadata' grep -a -q -F \
    -e '{"author":"plant-team","version":"1.2.0","license":"Apache-2.0"}' "$work/golden.rom"
check 'its scoped tool is described by the script' grep -a -q -F \
    -e '{"name":"purge-line.purge_cycle","description":"Run one timed purge cycle","inputSchema":' "$work/golden.rom"
check 'its files come back unchanged' holds_tree "$work/golden.rom" "$work/golden/skills"
for file in SKILL.md references/limits.md scripts/purge_cycle.lua; do
    digest=$("$SKILLROM" cat "$work/golden.rom" "skill://plant/pumps/purge-line/$file" | sha256sum | cut -d' ' -f1)
    check "the entry names the digest of $file" grep -F -q "\"sha256:$digest\"" "$root/tests/programs/pack/golden/entry.json"
done
check 'it is listed with the template of its prefix' \
    grep -a -q -F -e '"uriTemplate":"skill://plant/pumps/{name}/SKILL.md","name":"plant/pumps skills"' "$work/golden.rom"

# The folder that FORMAT.md explains, and the dump it prints.
mkdir -p "$work/small/skills/tap"
echo '{"name":"faucet","version":"1","skillTools":false}' >"$work/small/device.json"
sed -n '/^<!-- skill -->$/,/^<!-- end -->$/p' "$root/romfs/FORMAT.md" | sed '1,2d' | sed '/^```$/,$d' >"$work/small/skills/tap/SKILL.md"
sed -n '/^<!-- dump -->$/,/^<!-- end -->$/p' "$root/romfs/FORMAT.md" | sed '1,2d' | sed '/^```$/,$d' >"$work/dump.expected"
small_dump() {
    pack "$work/small" "$work/small.rom" && od -A x -t x1z -v "$work/small.rom" | sed 's/ *$//' >"$work/dump" &&
        diff "$work/dump.expected" "$work/dump"
}
check 'the dump in FORMAT.md is what the tool writes' small_dump
