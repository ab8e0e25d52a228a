# part_folders.sh -- folders as people have them: the same image from each copy, and nothing lost.

# Spaces, CRLF, binary, names beyond ASCII, empty directories, an empty file, a large file.
awkward=$work/awkward
make_skill "$awkward/zoo" first
mkdir -p "$awkward/zoo/first/empty" "$awkward/zoo/first/docs/inner"
printf 'a file with spaces\n' >"$awkward/zoo/first/docs/my notes.txt"
umlaut=$(printf '\303\274ber.md')
printf 'sch\303\266n\n' >"$awkward/zoo/first/docs/$umlaut"
printf '50%% more\n' >"$awkward/zoo/first/docs/50% off?.md"
printf 'windows\r\nlines\r\n' >"$awkward/zoo/first/docs/crlf.txt"
printf 'bell \007 tab \t quote " backslash \\ \n' >"$awkward/zoo/first/docs/inner/escapes.txt"
: >"$awkward/zoo/first/docs/inner/empty.txt"
pseudo_random 5000 >"$awkward/zoo/first/blob.bin"
awk 'BEGIN { for (i = 0; i < 6000; i++) printf "line %d of a long reference, with some %d variety\n", i, i * i % 997 }' \
    >"$awkward/zoo/first/docs/large.md"
make_skill "$awkward" lone
printf -- '---\r\nname: wide\r\ndescription: Line ends as one system writes them. Use it in tests.\r\n---\r\n\r\nBody.\r\n' \
    >"$work/crlf" && mkdir -p "$awkward/wide" && cp "$work/crlf" "$awkward/wide/SKILL.md"

check 'an awkward folder packs' pack "$awkward" "$work/awkward.rom"
check 'every file of it comes back unchanged' holds_tree "$work/awkward.rom" "$awkward"
check 'its image is sound' "$SKILLROM" verify "$work/awkward.rom"
check 'a file of 300 KB is in it' [ "$(wc -c <"$awkward/zoo/first/docs/large.md")" -gt 300000 ]
check 'an empty directory is kept' prints 'zoo/first/empty/' "$SKILLROM" ls "$work/awkward.rom"
check 'a path is escaped in the canonical way' prints 'zoo/first/docs/50%25%20off%3F.md' "$SKILLROM" ls "$work/awkward.rom"
check 'it can be named by its URI' prints '50% more' "$SKILLROM" cat "$work/awkward.rom" 'skill://zoo/first/docs/50%25%20off%3f.md'
check 'and as on disk' prints '50% more' "$SKILLROM" cat "$work/awkward.rom" 'zoo/first/docs/50% off?.md'
check 'and by a URI with needless escapes' prints 'windows' "$SKILLROM" cat "$work/awkward.rom" 'skill://zoo/first/docs/%63rlf.txt'
check 'a name beyond ASCII is kept in UTF-8' grep -a -q -F "$umlaut" "$work/awkward.rom"

# The same files, made in another order, at other times, somewhere else.
copy="$work/else where/copy"
mkdir -p "$copy"
(cd "$awkward" && find . -type d) | sort -r | while IFS= read -r dir; do mkdir -p "$copy/$dir"; done
(cd "$awkward" && find . -type f) | sort -r | while IFS= read -r file; do
    cat "$awkward/$file" >"$copy/$file" && touch -d '2001-02-03 04:05:06' "$copy/$file"
done
same_again() {
    pack "$awkward" "$work/again.rom" "$@" && pack "$copy" "$work/copy.rom" "$@" && pack "$copy/" "$work/slash.rom" "$@" &&
        cmp "$work/again.rom" "$work/copy.rom" && cmp "$work/again.rom" "$work/slash.rom"
}
check 'the same files give the same image' same_again
check 'compressed, too' same_again --compress=4096

# Skills inside skills.
nested=$work/nested
make_skill "$nested" outer
make_skill "$nested/outer/parts" inner
echo 'a page' >"$nested/outer/parts/inner/page.txt"
nested_entries() {
    pack "$nested" "$work/nested.rom" && "$SKILLROM" verify "$work/nested.rom" &&
        [ "$(grep -a -o '"uri":"skill://outer/parts/inner/page.txt"' "$work/nested.rom" | wc -l)" -eq 2 ] &&
        holds_tree "$work/nested.rom" "$nested"
}
check 'a nested skill is listed by itself and by the outer one' nested_entries
check 'its bytes are stored once' [ "$(grep -a -c 'a page' "$work/nested.rom")" -eq 1 ]

# Defect 1: a skill inside a skill, in a folder that is called otherwise. Both serve its files below its name.
moved=$work/moved
make_skill "$moved" outer
make_skill "$moved/outer" inner
mv "$moved/outer/inner" "$moved/outer/in"
echo 'a page' >"$moved/outer/in/page.txt"
printf 'See [the page](in/page.txt) and [the same](inner/page.txt).\n' >>"$moved/outer/SKILL.md"
moved_packs() {
    pack "$moved" "$work/moved.rom" && "$SKILLROM" verify "$work/moved.rom" &&
        prints 'outer/inner/page.txt' "$SKILLROM" ls "$work/moved.rom" &&
        [ "$(grep -a -o '"uri":"skill://outer/inner/page.txt"' "$work/moved.rom" | wc -l)" -eq 2 ] &&
        ! grep -a -q 'outer/in/' "$work/moved.rom"
}
check 'a nested skill in a folder of another name packs (defect 1)' moved_packs
check 'a link to where it lies is warned of' prints "SKILL.md:9:16: warning: link 'in/page.txt' has no file; it is served as 'inner/page.txt'" \
    "$SKILLROM" lint "$moved"
check 'a link to where it is served is not' [ "$("$SKILLROM" lint "$moved" | grep -c SK-V-15)" -eq 1 ]
mkdir "$moved/outer/inner"
echo 'another' >"$moved/outer/inner/other.txt"
check 'a folder that has its name already is an error, not an abort' exits 1 pack "$moved" "$work/none.rom"
check 'which says what to rename' prints "'in' is served as 'inner' and 'inner' as 'inner'" "$SKILLROM" lint "$moved"
rm -r "$moved"
make_skill "$moved" first
mv "$moved/first" "$moved/elsewhere"
make_skill "$moved/first" second
check 'a skill that would be served inside another one is an error, too' exits 1 pack "$moved" "$work/none.rom"
check 'and named' prints "would be served at 'first/second', inside of skill" "$SKILLROM" lint "$moved"

# Defect 13: skills beside skills/, where no device.json says that this is a device.
beside=$work/beside
make_skill "$beside/skills" usual
make_skill "$beside/more/of" unusual
make_skill "$beside/tools" odd
check 'skills outside of skills/ are packed (defect 13)' pack "$beside" "$work/beside.rom"
check 'all of them' prints '3 skills' "$SKILLROM" info "$work/beside.rom"
for path in usual more/of/unusual tools/odd; do
    check "$path has its own path" "$SKILLROM" cat "$work/beside.rom" "$path/SKILL.md"
done

# Defect 12: a name that no tar can hold.
lengthy=$work/lengthy
make_skill "$lengthy" lengthy
long_name=$(printf '%0240d.txt' 0)
echo 'long' >"$lengthy/lengthy/$long_name"
make_skill "$lengthy" brief
check 'a file with a name of 244 bytes packs (defect 12)' pack "$lengthy" "$work/lengthy.rom"
check 'and verifies' "$SKILLROM" verify "$work/lengthy.rom"
check 'and is there' prints 'long' "$SKILLROM" cat "$work/lengthy.rom" "lengthy/$long_name"
check 'without archives' prints 'none, a path is too long' "$SKILLROM" info "$work/lengthy.rom"
check 'which the other skill has' prints '.zip' "$SKILLROM" info "$work/lengthy.rom"

# Many skills.
many=$work/many
i=0
while [ $i -lt 600 ]; do
    make_skill "$many/group$((i % 7))" "skill-$i"
    i=$((i + 1))
done
many_come_back() {
    pack "$many" "$work/many.rom" && prints '600 skills' "$SKILLROM" info "$work/many.rom" &&
        "$SKILLROM" verify "$work/many.rom" && prints '# skill-599' "$SKILLROM" cat "$work/many.rom" group4/skill-599/SKILL.md
}
check 'a folder of 600 skills packs and verifies' many_come_back
