# A server and the bridge with all kinds of clients at once (tests/quality/soak/run).

NEEDS.soak := build/asan/skillrom build/asan/skillromd build/asan/conformance-device

soak: $(NEEDS.soak) ## drive a server and the bridge with every kind of client while everything breaks; MINUTES=10
	@MINUTES=$(or $(MINUTES),10) tests/quality/soak/run
.PHONY: soak
