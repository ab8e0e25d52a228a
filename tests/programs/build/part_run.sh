# part_run.sh -- `make run`, and a port that is taken.

until_said() { # FILE TEXT
	tries=0
	until grep -qF -e "$2" "$1"; do
		tries=$((tries + 1))
		[ $tries -lt 1200 ] || { cat "$1" && return 1; }
		sleep 0.05
	done
}
begin() { # PORT: until clients can connect
	make run PORT="$1" >"$work/run.log" 2>&1 &
	server=$!
	until_said "$work/run.log" 'Ctrl-C'
}
begin 0
check run_prints_how_to_connect prints 'claude mcp add --transport http pump http://127.0.0.1:' cat "$work/run.log"
url=$(sed -n 's/^The example device.* is served at //p' "$work/run.log")
check at_the_port_that_is_bound prints " tools at $url" cat "$work/run.log"
check defect_18_it_listens_before_it_says_so sh -c "sed '/ is served at /,\$d' '$work/run.log' | grep -q 'pump: serving'"
port=${url##*:}
port=${port%/mcp}
check defect_18_a_port_that_is_taken_is_not_served_at prints_not 'is served at' make run PORT="$port"
check but_said prints "cannot serve at 127.0.0.1:$port: Address already in use" make run PORT="$port"
check with_what_helps prints 'make run PORT=0' make run PORT="$port"
check and_fails fails make run PORT="$port"
kill "$server" && wait "$server" 2>/dev/null
check its_server_ends_with_it begin "$port"
kill "$server" && wait "$server" 2>/dev/null
server=''
