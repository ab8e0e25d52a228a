# The conformance suite and the clients of tests/wire/conformance through the bridge: every server they start is a device on
# one end of a line and `skillrom bridge` on the other.

BRIDGED := $(patsubst %,build/bridged/%,pump conformance-device)

$(BRIDGED): build/bridged/%: tests/host/serial/bridged Makefile tests/host/serial/build.mk
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nexec "%s" "%s" "%s" "$$@"\n' $(CURDIR)/tests/host/serial/bridged $(CURDIR)/build/asan/skillrom \
	    $(CURDIR)/build/asan/$* >$@
	@chmod +x $@

# Likewise with firmware in QEMU: the example device and the fixture on the board with all features.
BRIDGED_BOARD := $(patsubst %,build/bridged-board/%,pump conformance-device)
FIRMWARE_OF.pump               := program
FIRMWARE_OF.conformance-device := conformance

$(BRIDGED_BOARD): build/bridged-board/%: tests/host/serial/bridged Makefile tests/host/serial/build.mk
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nexec "%s" "%s" "%s" "$$@"\n' $(CURDIR)/tests/host/serial/bridged $(CURDIR)/build/asan/skillrom \
	    $(CURDIR)/build/mps2-an385-full/$(FIRMWARE_OF.$*).elf >$@
	@chmod +x $@

# make test runs the official suite and the Inspector through these, on the board with all features.
NEEDS.serial := qemu-programs conformance-programs
NEEDS.bridge := conformance-programs qemu-programs $(BRIDGED_BOARD)

conformance-bridge: conformance-programs build/asan/skillrom $(BRIDGED)
	@tests/wire/conformance/run build/bridged

conformance-bridge-board: conformance-programs qemu-programs build/asan/skillrom $(BRIDGED_BOARD)
	@tests/wire/conformance/run --suite build/bridged-board

.PHONY: conformance-bridge conformance-bridge-board
