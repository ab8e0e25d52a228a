# part_mistakes.sh -- mistakes of a firmware engineer are found by the compiler, with the remedy in its message.

# ---- A state that is too large (defect 73) ----

cat >"$work/state.c" <<'C'
#include "skillrom.h"
struct state { char bytes[BYTES]; };
int run(struct skr_call *call);
int run(struct skr_call *call)
{
    struct state *s = SKR_JOB_STATE_OF(call, struct state);
    return s->bytes[0]++ == 0 ? SKR_PENDING : 0;
}
C
cp "$work/state.c" "$work/state.cc"
state_of() { # BYTES COMPILER...
	bytes=$1
	shift
	"$@" $warnings -DSKR_PROFILE_NET -DBYTES="$bytes" -Icore -Iromfs -fsyntax-only
}
for compiler in gcc clang; do
	check defect_25.18_a_state_that_fits_compiles_with_$compiler state_of 32 $compiler -std=c99 "$work/state.c"
	check defect_25.18_one_byte_more_does_not_with_$compiler prints this_state_is_larger_than_SKR_JOB_STATE state_of 33 $compiler -std=c99 "$work/state.c"
done
for compiler in g++ clang++; do
	check defect_25.18_a_state_that_fits_compiles_with_$compiler state_of 32 $compiler -std=c++11 "$work/state.cc"
	check defect_25.18_one_byte_more_does_not_with_$compiler prints 'this state is larger than SKR_JOB_STATE' state_of 33 $compiler -std=c++11 "$work/state.cc"
done

# A test build stops where a handler breaks a rule.
stops_at_misuse() {
	printf 'void stop_here(const char *handler, const char *rule);\n#define SKR_MISUSE stop_here\n' >"$work/stop_skr.h"
	gcc -std=c99 $warnings -Icore -Iromfs -I"$work" -isystem third_party/jsmn -DSKR_USER_CONFIG='"stop_skr.h"' -c core/handler/handler.c -o "$work/call.o" &&
		nm "$work/call.o" | grep -q ' U stop_here$'
}
check defect_25.18_a_test_build_may_stop_at_a_misuse stops_at_misuse

# ---- A profile that lacks what the device needs (defect 74) ----

# what_needs NAME: a device whose only need is this one.
what_needs() {
	needy=$work/needy
	rm -rf "$needy"
	mkdir -p "$needy/tools" "$needy/prompts" "$needy/resources" "$needy/skills/water"
	printf -- '---\nname: water\ndescription: Waters a zone. Use it in tests.\n---\n\n# Water\n' >"$needy/skills/water/SKILL.md"
	echo '{"name":"needy","version":"1"}' >"$needy/device.json"
	schema='"description":"Waters.","inputSchema":{"type":"object"}'
	case $1 in
	deadline) echo "{\"name\":\"water_zone\",$schema,\"x-skillrom\":{\"deadlineMs\":600000}}" >"$needy/tools/water_zone.json" ;;
	task) echo "{\"name\":\"water_zone\",$schema,\"x-skillrom\":{\"deadlineMs\":600000,\"task\":\"required\"}}" >"$needy/tools/water_zone.json" ;;
	prompt) printf -- '---\nname: plan\ndescription: Plans.\n---\nPlan it.\n' >"$needy/prompts/plan.md" ;;
	subscribe) echo '{"uri":"zone://1","name":"zone","mimeType":"text/plain","x-skillrom":{"subscribe":true}}' >"$needy/resources/zone.json" ;;
	nothing) echo "{\"name\":\"water_zone\",$schema}" >"$needy/tools/water_zone.json" ;;
	esac
	build/skillrom pack "$needy" --header "$work/needy.h" >/dev/null
}
reads_header() { gcc -std=c99 $warnings -Icore -Iromfs "$@" -include "$work/needy.h" -x c -fsyntax-only /dev/null; }

# need NAME FILE SWITCH VALUE PROFILE...: only these profiles have it; the others name file and switch, and have it when the switch is set.
need() {
	needed=$1 file=$2 switch=$3 value=$4
	shift 4
	check "a_device_that_needs_${needed}_is_packed" what_needs "$needed"
	for profile in TINY NET FULL HOST; do
		case " $* " in
		*" $profile "*) check "defect_25.19_profile_${profile}_has_$needed" reads_header -DSKR_PROFILE_$profile ;;
		*)
			check "defect_25.19_profile_${profile}_says_that_it_lacks_$needed" prints "$file" reads_header -DSKR_PROFILE_$profile
			check "and_which_switch_has_it" prints "needs $switch, which this profile lacks; choose profile" reads_header -DSKR_PROFILE_$profile
			check "and_does_not_compile" fails reads_header -DSKR_PROFILE_$profile
			check "unless_the_switch_is_set" reads_header -DSKR_PROFILE_$profile $value
			check "or_it_may_be_left_out" reads_header -DSKR_PROFILE_$profile -DSKR_TOOLS_PARTIAL
			;;
		esac
	done
}
need nothing - - - TINY NET FULL HOST
need deadline tools/water_zone.json SKR_JOBS -DSKR_JOBS=1 NET FULL HOST
need task tools/water_zone.json SKR_TASKS '-DSKR_JOBS=1 -DSKR_INTERACTIVE=1 -DSKR_TASKS=1' FULL HOST
need prompt prompts/plan.md SKR_EXTRAS -DSKR_EXTRAS=1 NET FULL HOST
need subscribe resources/zone.json SKR_CHANGES -DSKR_CHANGES=1 FULL HOST

# ---- A deadline that the core would shorten (defect 75) ----

what_needs deadline
check defect_25.20_ten_minutes_are_no_mistake reads_header -DSKR_PROFILE_NET
check defect_25.20_more_than_the_limit_is_told prints 'tools/water_zone.json has deadlineMs 600000, more than SKR_JOB_DEADLINE_MAX_MS; raise that' \
	reads_header -DSKR_PROFILE_NET -DSKR_JOB_DEADLINE_MAX_MS=599999
check and_does_not_compile fails reads_header -DSKR_PROFILE_NET -DSKR_JOB_DEADLINE_MAX_MS=599999
check as_much_as_the_limit_does reads_header -DSKR_PROFILE_NET -DSKR_JOB_DEADLINE_MAX_MS=600000
