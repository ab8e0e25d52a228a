# A server and the bridge with all kinds of clients together (tests/quality/soak/run).

NEEDS.soak := build/asan/skillrom build/asan/skillromd build/asan/conformance-device

soak: $(NEEDS.soak) ## run a server and the bridge with every kind of client while links, images and disks fail; MINUTES=10
	@MINUTES=$(or $(MINUTES),10) tests/quality/soak/run
.PHONY: soak
