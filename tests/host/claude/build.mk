# Claude Code with the example device, and with a board with TLS: prerequisites of tests/host/claude/run.
NEEDS.claude := build/asan/pump build/asan/dispenser build/asan/conformance-device build/example.rom build/conformance.rom build/asan/skillrom \
                build/mps2-an385-net-tls/program.elf build/mps2-an385-net/program.elf
