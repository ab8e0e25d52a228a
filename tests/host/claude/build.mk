# Claude Code against the example device, and a board with TLS: what tests/host/claude/run needs.
NEEDS.claude := build/asan/pump build/example.rom build/asan/skillrom build/mps2-an385-net-tls/program.elf build/mps2-an385-net/program.elf
