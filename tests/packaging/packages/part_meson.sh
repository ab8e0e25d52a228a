# part_meson.sh -- Meson: what the page says, on this machine.

# The commands of the page, with this folder as the path and our program as the installed one.
as_on_the_page_for_meson() {
	mkdir "$work/meson" && cd "$work/meson" || return 1
	fenced Meson sh >commands
	[ "$(wc -l <commands)" -eq 5 ] && PATH="$root/build:$PATH" sh -e ./commands
}
check meson_as_on_the_page as_on_the_page_for_meson
cd "$root" || exit 1
typed_to_lamp >"$work/typed"
check and_what_meson_has_built_answers prints 'The lamp is on.' "$work/meson/lamp/build/lamp" <"$work/typed"

# With all warnings of the compiler as errors, for a skill that is new, and without packing what has not changed.
mesons() { PATH="$root/build:$PATH" meson "$@"; }
packs_again() { mesons compile -C "$work/meson/lamp/build" -v | grep -o 'skillrom pack' || echo nothing; }
check meson_packs_nothing_twice prints nothing packs_again
lamp_skills=$work/meson/lamp/device/skills
mkdir "$lamp_skills/new" && sed 's/use-lamp/new/' "$lamp_skills/use-lamp/SKILL.md" >"$lamp_skills/new/SKILL.md"
check meson_packs_what_is_new prints 'skillrom pack' packs_again
rm -r "$lamp_skills/new"
check and_what_is_gone prints 'skillrom pack' packs_again
strict() { mesons setup "$work/meson/strict" "$work/meson/lamp" -Dwarning_level=3 -Dwerror=true -Dc_args=-Wconversion && mesons compile -C "$work/meson/strict"; }
check meson_without_a_warning strict
check a_project_without_the_program_is_told_so prints "Program 'skillrom' not found" meson setup "$work/meson/none" "$work/meson/lamp"
