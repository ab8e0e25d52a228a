# The bridge with devices in a network: what tests/host/reach/run needs.
NEEDS.reach := build/asan/conformance-device build/conformance.rom build/mps2-an385-net-tls/program.elf build/lm3s6965evb-net-tls/program.elf
