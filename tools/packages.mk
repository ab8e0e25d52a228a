# Packages that goals need. `make run`, `make test` and `make test-long` install missing ones before anything is made; all other
# goals only name them, together with the command that installs them. The Makefile includes this.
INSTALLING := run test test-long

PACKAGES.run  := build
PACKAGES.test := build test size riscv bench deb arm format wasm
$(foreach goal,size stack firmware,$(eval PACKAGES.$(goal) := build size riscv))
$(foreach goal,qemu conformance,$(eval PACKAGES.$(goal) := build test size riscv))
$(foreach goal,configs conformance-mqtt conformance-fleet bench-fleet symbols msan prove coverage mutants soak fuzz,$(eval PACKAGES.$(goal) := build test))
PACKAGES.test-long := build test size riscv arm wasm wine
$(foreach goal,wasm twin npm,$(eval PACKAGES.$(goal) := build wasm))
PACKAGES.deb := build deb
$(foreach goal,static mcpb,$(eval PACKAGES.$(goal) := build test))
$(foreach goal,arm64 armhf,$(eval PACKAGES.$(goal) := build arm))
PACKAGES.bench := build bench riscv
$(foreach goal,format format-check,$(eval PACKAGES.$(goal) := format))

NEEDED := $(sort $(foreach goal,$(MAKECMDGOALS),$(PACKAGES.$(goal))) $(if $(BOARD),build $(if $(filter riscv,$(call of,ARCH,$(BOARD))),riscv,size)))
ifneq ($(and $(NEEDED),$(if $(findstring n,$(filter-out -%,$(firstword $(MAKEFLAGS)))),,run)),)
ifneq ($(shell tools/install-packages $(if $(filter $(INSTALLING),$(MAKECMDGOALS)),,--check) $(NEEDED) >&2 || echo failed),)
$(error packages are missing; see above)
endif
endif
