# The conformance suite and the clients of tests/conformance through the bridge: every server they start is a device on
# one end of a line and `skillrom bridge` on the other.

BRIDGED := $(patsubst %,build/bridged/%,skillromd conformance-device)

$(BRIDGED): build/bridged/%: tests/serial/bridged Makefile tests/serial/build.mk
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nexec "%s" "%s" "%s" "$$@"\n' $(CURDIR)/tests/serial/bridged $(CURDIR)/build/asan/skillrom \
	    $(CURDIR)/build/asan/$* >$@
	@chmod +x $@

conformance-bridge: conformance-programs build/asan/skillrom $(BRIDGED)
	@tests/conformance/run build/bridged

.PHONY: conformance-bridge
