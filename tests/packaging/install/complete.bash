#!/bin/bash
# complete.bash -- every option that bash is offered for a command is one that the command knows
#
# usage: complete.bash PREFIX
set -eu
prefix=$1
wrong=0 options=0
compopt() { :; } # only while completing

offered() { # WORD...: what completes the last of them
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	"_$1"
}
has_option() { # OPTION PROGRAM [COMMAND]: it may well miss a value or an operand
	local said
	said=$("$prefix/bin/$2" "${@:3}" "$1" </dev/null 2>&1 | head -c 4096) || true
	case $said in *'unknown option'*) echo "$* is offered, and unknown: $said" && wrong=1 ;; esac
	options=$((options + 1))
}

. "$prefix/share/bash-completion/completions/skillrom"
. "$prefix/share/bash-completion/completions/skillromd"
cd "$(mktemp -d)"
trap 'rm -r "$PWD"' EXIT
offered skillrom ''
commands=("${COMPREPLY[@]}")
[[ " ${commands[*]} " == *' pack '* && " ${commands[*]} " == *' bridge '* ]] || { echo "commands: ${commands[*]}" && exit 1; }
for command in "${commands[@]}"; do
	[[ $command == -* || $command == help ]] && continue
	offered skillrom "$command" -
	for option in "${COMPREPLY[@]}"; do
		has_option "$option" skillrom "$command"
	done
done
offered skillromd -
for option in "${COMPREPLY[@]}"; do
	has_option "$option" skillromd
done
offered skillrom pa
[ "${COMPREPLY[*]}" = pack ] || { echo "pa: ${COMPREPLY[*]}" && exit 1; }
offered skillrom lint --str
[ "${COMPREPLY[*]}" = --strict ] || { echo "lint --str: ${COMPREPLY[*]}" && exit 1; }
mkdir folder && touch file
offered skillromd --state f
[ "${COMPREPLY[*]}" = folder ] || { echo "--state f: ${COMPREPLY[*]}" && exit 1; }
offered skillromd --slots f
[ "${#COMPREPLY[@]}" -eq 0 ] || { echo "--slots f: ${COMPREPLY[*]}" && exit 1; }
[ "$options" -gt 40 ] || { echo "only $options options" && exit 1; }
exit $wrong
