# part_make.sh -- the compiler that is wanted, its flags, and what it does not find.

object=build/obj/host/base/console.o
compiled() { make -C "$tree" V=1 "$@" | grep -e "-c host/base/console.c" || echo nothing; }
check make_compiles_what_is_missing prints '-O2' compiled $object
check make_compiles_nothing_twice prints nothing compiled $object
check defect_20_CFLAGS_are_added prints '-O2 -g -DONE -DTWO' compiled $object CPPFLAGS=-DONE CFLAGS=-DTWO
check and_remembered prints nothing compiled $object CPPFLAGS=-DONE CFLAGS=-DTWO
check defect_20_CFLAGS_of_the_environment_too prints "-DTHREE='\"3 4\"'" env CFLAGS="-DTHREE='\"3 4\"'" make -C "$tree" V=1 $object
check defect_20_LDFLAGS_too prints 'gcc -Wl,--defsym=nothing=0 ' make -C "$tree" -n build/skillrom LDFLAGS=-Wl,--defsym=nothing=0
check and_for_the_tests prints '-DTWO' make -C "$tree" -n build/asan/skillromd CFLAGS=-DTWO
check but_not_on_a_board prints_not '-DTWO' make -C "$tree" -n build/stm32vldiscovery/obj/core/wire/line.o CFLAGS=-DTWO
check CC_of_the_environment_too prints 'mine -std=c99' env CC=mine make -C "$tree" -n $object

# A compiler that finds no header of libfyaml.
cat >"$work/poor" <<'SH'
#!/bin/sh
case " $* " in *' -E '*) ! grep -q libfyaml ;; *) exec gcc "$@" ;; esac
SH
chmod +x "$work/poor"
check defect_18_make_says_how_libfyaml_is_installed prints 'apt-get install gcc libc6-dev libfyaml-dev libutf8proc-dev' make_there CC="$work/poor"
check and_fails fails make_there CC="$work/poor"
check the_server_alone_needs_neither make_there CC="$work/poor" $object

# Every target that is explained, whatever is in its name.
explained() {
	grep -h '^[^#	 ]*:[^=#]*## ' Makefile $(find . -name build -prune -o -name '*.mk' -print) | sed 's/:.*//' | sort -u >"$work/explained" && [ "$(wc -l <"$work/explained")" -gt 30 ] &&
		make_there help | sed -n 's/^  make \([^ ]*\) .*/\1/p' | sort -u | diff "$work/explained" -
}
check help_lists_every_target_that_is_explained explained
narrow() { ! make_there help | grep -n '.\{81\}'; }
check help_fits_80_columns narrow

# `make run` on a machine without a compiler says nothing about that before it installs one; and it builds only what it runs.
mkdir "$work/bare"
for command in /usr/bin/* /bin/*; do
	case ${command##*/} in *gcc* | *clang* | cc | c[89]9 | c99-*) ;; *) [ -e "$work/bare/${command##*/}" ] || ln -s "$command" "$work/bare/" ;; esac
done
parsed() { # GOAL: what make says before it does anything
	PATH="$work/bare" make -C "$tree" -n "$@" 2>&1 >/dev/null
}
check the_machine_is_without_a_compiler fails env PATH="$work/bare" gcc --version
check defect_81_no_line_about_a_missing_compiler [ -z "$(parsed run PORT=0)" ]
fresh_run() { make -C "$tree" -n -B build/pump build/example.rom; }
check defect_81_run_builds_no_bridge prints_not bridge/obj fresh_run
check and_no_fleet prints_not host/fleet fresh_run
check and_compiles_no_file_twice [ -z "$(fresh_run | grep -o ' -c [^ ]*' | sort | uniq -d)" ]

# Packages: only `make run`, `make test` and `make test-long` install them, after they have printed the command. The apt-get of
# this machine only records that it was called.
printf '#!/bin/sh\necho "$*" >>"%s/installed"\nexit 1\n' "$work" >"$work/apt-get"
printf '#!/bin/sh\n[ "$1" != -n ] || shift\nexec "$@"\n' >"$work/sudo"
chmod +x "$work/apt-get" "$work/sudo"
ln -sf "$work/apt-get" "$work/bare/apt-get"
ln -sf "$work/sudo" "$work/bare/sudo"
without_compiler() { PATH="$work/bare" make -C "$tree" "$@" 2>&1; }
installs() { # GOAL...: it calls apt-get, and has printed the command by then
	rm -f "$work/installed"
	fails without_compiler "$@" >"$work/out" && [ -s "$work/installed" ] && grep -q '^\(sudo \(-n \)\{0,1\}\)\{0,1\}apt-get install --no-install-recommends .*gcc' "$work/out"
}
only_names() { # TEXT GOAL...: it fails with the text, and has not called apt-get
	rm -f "$work/installed"
	prints "$1" without_compiler "$2" && [ ! -e "$work/installed" ]
}
check run_installs_packages installs run PORT=0
check test_installs_packages installs test ONLY=words
check test_long_installs_packages installs test-long
check a_board_names_missing_packages only_names 'tools/install-packages build size installs them' BOARD=mps2-an385
check size_names_missing_packages only_names 'tools/install-packages build riscv size installs them' size
check a_plain_build_installs_nothing only_names 'The image compiler is made with libfyaml' build/libmkromfs.a
