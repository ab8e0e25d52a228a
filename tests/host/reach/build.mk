# The bridge with devices on the network: prerequisites of tests/host/reach/run.
NEEDS.reach := build/asan/dispenser build/asan/conformance-device build/conformance.rom build/mps2-an385-full/conformance.elf build/mps2-an385-net-tls/program.elf build/lm3s6965evb-net-tls/program.elf
