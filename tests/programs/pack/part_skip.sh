# part_skip.sh -- folders in which some skills are wrong: `pack --keep-going` has the others (defect 2).

# make_bad DIR NAME: a skill that makes the official client throw away the whole list.
make_bad() {
    make_skill "$1" "$2"
    sed -i 's/^description:/metadata:\n  version: 2\ndescription:/' "$1/$2/SKILL.md"
}
# skip DIR ROM [OPTIONS]: packs what is right; what is said goes to $work/left.
skip() {
    skip_dir=$1
    skip_rom=$2
    shift 2
    "$SKILLROM" pack "$skip_dir" -o "$skip_rom" --keep-going "$@" >/dev/null 2>"$work/left" || { cat "$work/left"; return 1; }
    "$SKILLROM" verify "$skip_rom"
}
# skills ROM: the skills in it, each at a line.
skills() {
    "$SKILLROM" ls "$1" | grep -o '[^ ]*/SKILL.md$' | sort | tr '\n' ' '
}
# has ROM SKILLS: these and no others.
has() {
    [ "$(skills "$1")" = "$2" ] || { skills "$1"; cat "$work/left"; return 1; }
}

mixed=$work/mixed
make_skill "$mixed" good
make_bad "$mixed/more" bad
check 'a metadata value that is not a string is an error (defect 2)' exits 1 pack "$mixed" "$work/mixed.rom"
check 'nothing is written' [ ! -e "$work/mixed.rom" ]
check 'and the option that helps is named' prints '--keep-going' "$SKILLROM" pack "$mixed" -o "$work/mixed.rom"
check 'with --keep-going the others are packed' skip "$mixed" "$work/mixed.rom"
check 'none but they' has "$work/mixed.rom" 'good/SKILL.md '
check 'what is left out gets a line' grep -q "more/bad/SKILL.md:4:12: warning: left out: metadata 'version' must be a quoted string \[SK-V-57\]" "$work/left"
check 'and only one' [ "$(grep -c left.out: "$work/left")" -eq 1 ]
check 'and is counted at the end' [ "$(tail -n 1 "$work/left")" = 'skillrom pack: 1 skill left out, 1 packed' ]
from_inside() { (cd "$mixed" && skip . "$work/inside.rom") && cmp "$work/inside.rom" "$work/mixed.rom"; }
check 'from inside the folder, too' from_inside
check 'lint says all that is wrong, as ever' exits 1 "$SKILLROM" lint --json "$mixed"
printf 'no frontmatter\n' >"$mixed/more/bad/skill.md"
check 'more than one error is one line' skip "$mixed" "$work/mixed.rom"
check 'that says so' grep -q '(and 2 more)' "$work/left"
check 'with --strict it goes for what is discouraged, too' skip "$work/nested" "$work/strict.rom" --strict
check 'a skill inside a skill' has "$work/strict.rom" 'outer/SKILL.md '

# Skills inside skills.
inside=$work/inside
make_bad "$inside" outer
make_skill "$inside/outer/parts" inner
make_skill "$inside" whole
make_bad "$inside/whole" broken
make_skill "$inside/whole/broken/deep" sound
echo 'gone' >"$inside/whole/broken/note.txt"
check 'a bad skill with a good one inside, and the other way round' skip "$inside" "$work/inside.rom"
check 'the good ones stay, and the files of a bad one in a good one' has "$work/inside.rom" \
    'outer/parts/inner/SKILL.md whole/SKILL.md whole/broken/SKILL.md whole/broken/deep/sound/SKILL.md '
check 'and nothing else of the bad ones' [ "$(grep -a -c '"outer"\|"name":"broken"' "$work/inside.rom")" -eq 0 ]

# A bad SKILL.md inside a good skill is a supporting file, whatever is wrong with it (defect 66).
supporting=$work/supporting
# supports WHAT: packs without an option; the files are those of the outer skill, with a warning, and no skill.
supports() {
    "$SKILLROM" pack "$supporting" -o "$work/supporting.rom" 2>"$work/left" >/dev/null &&
        grep -q 'outer/assets/Tpl/.*warning: not a skill, so these are supporting files of the skill around it' "$work/left" &&
        [ "$("$SKILLROM" cat "$work/supporting.rom" outer/assets/Tpl/note.txt)" = kept ] &&
        "$SKILLROM" cat "$work/supporting.rom" outer/assets/Tpl/SKILL.md | cmp - "$supporting/outer/assets/Tpl/SKILL.md" &&
        "$SKILLROM" verify "$work/supporting.rom" >/dev/null && "$SKILLROM" info "$work/supporting.rom" | grep -q '1 skill' || { cat "$work/left"; return 1; }
}
for text in 'no frontmatter' '---\nname: {{name}}\ndescription: x\n---\n' '---\nname: UPPER\ndescription: x\n---\n' '---\nname: x\n---\n' \
    '---\nname: x\ndescription: d\nmetadata:\n  a: [1]\n---\n' '---\nname: x\ndescription: d\nmetadata:\n  dev.skillrom/odd: x\n---\n' '' '\377\376'; do
    rm -rf "$supporting"
    make_skill "$supporting" outer
    mkdir -p "$supporting/outer/assets/Tpl"
    echo kept >"$supporting/outer/assets/Tpl/note.txt"
    printf -- "$text" >"$supporting/outer/assets/Tpl/SKILL.md"
    check "a bad SKILL.md inside a good skill is its file: $(printf '%s' "$text" | cut -c 1-30)" supports
    check 'with --strict it is an error' exits 1 "$SKILLROM" lint --strict "$supporting"
done
make_skill "$supporting/outer/assets/Tpl/deep" sound
check 'a good skill inside it is a skill' prints '2 skills' "$SKILLROM" lint "$supporting"
make_bad "$supporting/outer/assets/Tpl/deep/sound" worse
check 'and a bad one in that is not a skill' prints '2 skills' "$SKILLROM" lint "$supporting"
make_bad "$work/top/top" sub
mv "$work/top/top/sub/SKILL.md" "$work/top/top/SKILL.md"
sed -i 's/sub/top/' "$work/top/top/SKILL.md"
make_skill "$work/top/top/below" lucky
check 'a bad one at the top of the folder' skip "$work/top/top" "$work/top.rom"
check 'does not take all with it' has "$work/top.rom" 'below/lucky/SKILL.md '

# Who depends on what is left out goes with it.
chain=$work/chain
make_bad "$chain" third
make_skill "$chain" second
make_skill "$chain" first
make_skill "$chain" free
sed -i 's/^description:/metadata:\n  dev.skillrom\/subskills: third\ndescription:/' "$chain/second/SKILL.md"
sed -i 's/^description:/metadata:\n  dev.skillrom\/subskills: second\ndescription:/' "$chain/first/SKILL.md"
check 'skills that name it are left out as well' skip "$chain" "$work/chain.rom"
check 'and no others' has "$work/chain.rom" 'free/SKILL.md '
check 'each with its reason' grep -q "first/SKILL.md:4:27: warning: left out: .*no skill 'second'" "$work/left"

# Not about one skill: a prefix, a link, a name, a lost folder.
others=$work/others
make_skill "$others/Ac me/tools" one
make_skill "$others/Ac me" two
make_bad "$others" 'Up per'
make_skill "$others/Up per/x" three
make_skill "$others" fine
make_skill "$others" linked
ln -s ../fine/SKILL.md "$others/linked/other.md"
check 'a prefix that cannot be served' skip "$others" "$work/others.rom"
check 'takes only what is below it' has "$work/others.rom" 'fine/SKILL.md '
check 'all of which is counted' grep -q '5 skills left out, 1 packed' "$work/left"
make_bad "$work/rotten" one
make_bad "$work/rotten" two
check 'where all are bad nothing is written' exits 1 "$SKILLROM" pack "$work/rotten" -o "$work/rotten.rom" --keep-going
check 'at all' [ ! -e "$work/rotten.rom" ]
check 'and it says why' prints 'all skills here have errors' "$SKILLROM" pack "$work/rotten" -o "$work/rotten.rom" --keep-going

# A device: its tools, prompts and prefixes are its own.
dev=$work/dev
make_skill "$dev/skills/area" good
make_bad "$dev/skills/lost" bad
mkdir -p "$dev/skills/lost/bad/scripts" "$dev/tools" "$dev/skills/empty"
echo x >"$dev/skills/lost/bad/scripts/run.sh"
echo x >"$dev/skills/empty/notes.md"
sed -i 's/^  version: 2/  version: 2\n  dev.skillrom\/scoped-tools: mine\n  dev.skillrom\/about\/scripts\/run.sh: Runs it/' "$dev/skills/lost/bad/SKILL.md"
echo '{"name":"d","version":"1","templates":{"area":"All","lost":"None"}}' >"$dev/device.json"
echo '{"name":"mine","description":"x","inputSchema":{"type":"object"}}' >"$dev/tools/mine.json"
echo '{"name":"bad.run","inputSchema":{"type":"object"}}' >"$dev/tools/bad.run.json"
check 'a skill of a device' skip "$dev" "$work/dev.rom"
check 'leaves out a folder that was meant to be one, too' grep -q 'skills/empty:1:1: warning: left out: no SKILL.md' "$work/left"
check 'its tools do not become everyone'"'"'s' [ "$("$SKILLROM" info "$work/dev.rom" | grep -c '(scoped)')" -eq 2 ]
check 'its prefix is not offered' [ "$(grep -a -c '"None"' "$work/dev.rom")" -eq 0 ]
echo '{"name":"mine"' >"$dev/tools/mine.json"
check 'what is wrong with a tool stops the build' exits 1 "$SKILLROM" pack "$dev" -o "$work/dev2.rom" --keep-going
no_option() { ! prints 'with --keep-going' "$SKILLROM" pack "$dev" -o "$work/dev2.rom"; }
check 'and then the option is not named' no_option
