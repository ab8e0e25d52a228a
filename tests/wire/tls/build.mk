# TLS of the programs and the boards: prerequisites of tests/wire/tls/run.

TLS_BOARDS := mps2-an385 lm3s6965evb
NEEDS.tls := build/asan/wire-runner build/asan/conformance-device $(foreach b,$(TLS_BOARDS),build/$b-net-tls/program.elf build/$b-net/program.elf)
NEEDS.tls-check := conformance-programs

# Limits of TLS: flash, and RAM for each connection.
TLS_FLASH_BUDGET := 32768
TLS_RAM_BUDGET   := 7168

# These boards have all flash of an LM3S6965, except that of skills and keys.
size: size-tls
size-tls: $(TLS_BOARDS:%=build/%-net-tls/program.elf) $(TLS_BOARDS:%=build/%-net/program.elf)
	@tools/net-report.py --flash 106496 --ram 65536 --tls-flash $(TLS_FLASH_BUDGET) --tls-ram $(TLS_RAM_BUDGET) \
	    $(TLS_BOARDS:%=build/%-net-tls)

.PHONY: size-tls
