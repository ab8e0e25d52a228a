# Odd file names in every build system. `make test` has one system of each kind, `make test-long` all.
NEEDS.names := build/library.done
RUN.names   := tests/programs/names/run Depfile Generated Cmake

test-long: names-long
names-long: all build/library.done
	@tests/programs/names/run
.PHONY: names-long
