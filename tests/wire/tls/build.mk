# TLS against the programs and the boards: what tests/wire/tls/run needs.

TLS_BOARDS := mps2-an385 lm3s6965evb
NEEDS.tls := build/asan/wire-runner build/asan/conformance-device $(foreach b,$(TLS_BOARDS),build/$b-net-tls/program.elf build/$b-net/program.elf)
NEEDS.tls-check := conformance-programs

# What TLS may take: of flash, and of RAM for each connection.
TLS_FLASH_BUDGET := 32768
TLS_RAM_BUDGET   := 7168

# Those boards have all of an LM3S6965 but for skills and keys.
size: size-tls
size-tls: $(TLS_BOARDS:%=build/%-net-tls/program.elf) $(TLS_BOARDS:%=build/%-net/program.elf)
	@tools/net-report.py --flash 105472 --ram 65536 --tls-flash $(TLS_FLASH_BUDGET) --tls-ram $(TLS_RAM_BUDGET) \
	    $(TLS_BOARDS:%=build/%-net-tls)

.PHONY: size-tls
