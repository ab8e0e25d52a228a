# part_outputs.sh -- outputs that lie in the folder that is packed (defect 5).

own=$work/own
make_skill "$work/own-parent" own
mv "$work/own-parent/own" "$own"
pack "$own" "$work/own.rom"
three_times() {
    for round in 1 2 3; do
        (cd "$own" && pack . device.rom --emit-c device.c --header tools.h && mkdir -p sub && pack . ./sub/../sub/x.rom) || return 1
        (cd "$own" && pack "../own" "$own/device.rom" --emit-c "$own/device.c" --header ./tools.h) || return 1
        [ "$round" -eq 1 ] && cp "$own/device.rom" "$work/first.rom" && cp "$own/device.c" "$work/first.c"
        cmp "$own/device.rom" "$work/first.rom" && cmp "$own/device.c" "$work/first.c" || return 1
    done
}
check 'a folder does not swallow the image that it is packed to (defect 5)' three_times
check 'nor that of another call' prints "left out: 'device.rom'" "$SKILLROM" lint "$own"
rm -rf "$own/sub"
check 'nor the C source and headers' [ -z "$("$SKILLROM" ls "$own/device.rom" | grep 'device\.\|tools.h')" ]
rm "$own/device.rom" "$own/device.c" "$own/device.h" "$own/tools.h"
check 'the image is that of the folder without them' sh -c "'$SKILLROM' pack '$own' -o '$own/device.rom' >/dev/null && cmp '$own/device.rom' '$work/own.rom'"
ln -s "$own" "$work/own-link"
same_through_link() { pack "$work/own-link" "$work/own-link/device.rom" && cmp "$own/device.rom" "$work/own.rom"; }
check 'through a link to the folder, too' same_through_link

# A file of the folder is never an output.
device=$work/own-device
make_skill "$device/skills" one
mkdir "$device/tools" "$device/prompts"
echo '{"name":"d","version":"1"}' >"$device/device.json"
echo '{"name":"t","description":"x","inputSchema":{"type":"object"}}' >"$device/tools/t.json"
echo 'Say it.' >"$device/prompts/p.md"
echo 'int x;' >"$device/skills/one/x.c"
echo 'int y;' >"$device/skills/one/x.h"
ln -s "$device/skills/one/SKILL.md" "$work/to-source"
(cd "$device" && find . -type f -exec sha256sum {} +) >"$work/sources"
spared() { # OPTIONS...: refused, and every file as it was
    exits 1 "$SKILLROM" pack "$device" "$@" || return 1
    grep -q 'would be overwritten' "$work/out" || return 1
    (cd "$device" && sha256sum --quiet -c "$work/sources")
}
check 'pack -o SKILL.md is refused (defect 5)' spared -o "$device/skills/one/SKILL.md"
check 'spelled in another way' spared -o "$device/./skills/../skills/one/SKILL.md"
check 'through a link' spared -o "$work/to-source"
check '-o device.json' spared -o "$device/device.json"
check '--header over a tool' spared --header "$device/tools/t.json"
check '--header over a prompt, with a good -o' spared -o "$work/good.rom" --header "$device/prompts/p.md"
check '--emit-c over a file of a skill' spared --emit-c "$device/skills/one/x.c"
rm "$device/skills/one/x.c"
sed -i '/x\.c$/d' "$work/sources"
check '--emit-c whose header is one' spared --emit-c "$device/skills/one/x.c"
check '--keep-going changes nothing' spared -o "$device/skills/one/SKILL.md" --keep-going
ln "$device/skills/one/SKILL.md" "$work/hard.rom"
hard_link() { pack "$device" "$work/hard.rom" && (cd "$device" && sha256sum --quiet -c "$work/sources"); }
check 'a hard link to a source is replaced, the source is not' hard_link
mv "$device/skills" "$work/far-skills"
ln -s "$work/far-skills" "$device/skills"
far() { exits 1 "$SKILLROM" pack "$device" -o "$work/far-skills/one/SKILL.md" && grep -q '^name: one' "$work/far-skills/one/SKILL.md"; }
check 'where skills/ is a link' far

# --depfile: make packs again when a file has changed, is new or is gone, and else does not.
make_skill "$work/made/skills" one && mkdir "$work/made/skills/one/notes" && echo Some. >"$work/made/skills/one/notes/some.txt"
echo More. >"$work/made/skills/one/notes/more.txt" && echo '{"name": "made", "version": "1"}' >"$work/made/device.json"
printf 'device.rom: made\n\t"%s" pack made -o device.rom --depfile device.d >/dev/null && echo packed\n-include device.d\n%%: ;\n' "$SKILLROM" >"$work/makefile"
remade() { make -s -C "$work" -f makefile device.rom || echo failed; }
check '--depfile: first' prints packed remade
check '--depfile: nothing has changed' [ -z "$(remade)" ]
soon() { touch -d '1 minute' "$1"; } # later than the image, whatever a clock's grain
echo >>"$work/made/skills/one/notes/some.txt" && soon "$work/made/skills/one/notes/some.txt"
check '--depfile: a file has' prints packed remade
touch -d '1 minute ago' "$work/made/skills/one/notes/some.txt"
rm "$work/made/skills/one/notes/more.txt" && soon "$work/made/skills/one/notes"
check '--depfile: one is gone' prints packed remade
touch -d "1 minute ago" "$work/made/skills/one/notes"
touch "$work/made/handlers.c" && touch -d '1 minute ago' "$work/made"
check '--depfile: what is not read does not matter' [ -z "$(remade)" ]
names_blanks() { mkdir "$work/a b" && make_skill "$work/a b" one && "$SKILLROM" pack "$work/a b" -o "$work/ab.rom" --depfile "$work/ab.d" && grep -q -F -e 'a\ b/one/SKILL.md' "$work/ab.d"; }
check '--depfile: a blank in a name' names_blanks
check '--depfile without a file that it could be about' exits 2 "$SKILLROM" pack "$work/golden" -o - --depfile "$work/x.d"
check '--depfile onto another output' exits 2 "$SKILLROM" pack "$work/golden" -o "$work/x.rom" --depfile "$work/x.rom"
