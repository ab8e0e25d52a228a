# The npm program in Node for Windows, run by wine: 100 MB of packages and a prefix of 700 MB, so only in make test-long.

WINDOWS_NPM := build/windows/node_modules/.package-lock.json
$(WINDOWS_NPM): $(patsubst %,tests/packaging/windows/%,package.json package-lock.json .npmrc)
	@mkdir -p build/windows
	$(Q)cp $^ build/windows/ && cd build/windows && npm ci --force >/dev/null

test-long: windows
windows: all build/example.rom build/npm/program.done $(WINDOWS_NPM)
	@tests/packaging/windows/under-wine build/windows
.PHONY: windows
