# Longer than tests/packaging/install: the static bundle, and ports on ARM with large images.
test-long: hosts-long
hosts-long: all build/arm64/run/skillromd build/armhf/run/skillromd mcpb
	@tests/packaging/run-mcpb build/mcpb/skillrom-bridge-$(VERSION).mcpb
	@for arm in arm64 armhf; do tests/programs/port/run.py build/$$arm/run/skillromd build/skillrom || exit 1; done
.PHONY: hosts-long
