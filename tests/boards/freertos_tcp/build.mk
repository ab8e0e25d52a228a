# port/freertos_tcp, compiled against the declarations in this folder. Neither kernel nor stack is in a package registry,
# so in a test run this is a compile check and no more.

FREERTOS_SRC := $(sort $(wildcard port/freertos_tcp/*.c))
FLAGS.port/freertos_tcp := -ffreestanding $(NO_HEAP) -Itests/boards/freertos_tcp

warnings: $(foreach flavour,build build/clang,$(call objects,$(flavour),$(FREERTOS_SRC)))
