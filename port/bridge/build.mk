# The parts of `skillrom bridge`: the bridge itself, the core and what it uses of port/posix, with limits of their
# own (bridge_skr.h), and the frames. $(call bridge,DIRECTORY,COMPILER,FLAGS) makes DIRECTORY/libbridge.a.

BRIDGE_SRC  := $(sort $(wildcard port/bridge/*.c))
BRIDGE_WITH := $(CORE_SRC) $(patsubst %,port/posix/%.c,address credentials folder hosts image linger link listener net refusals reload say secure \
                 slots state tokens tty) port/uart/frame.c $(TLS_SRC)
BRIDGE_CONFIG := -DSKR_USER_CONFIG='"../port/bridge/bridge_skr.h"'

FLAGS.port/bridge := -D_GNU_SOURCE $(NO_HEAP)

define bridge
$(call flavour,$1/bridge,$2,$3 $(BRIDGE_CONFIG))

$1/libbridge.a: $(call objects,$1/bridge,$(BRIDGE_SRC) $(BRIDGE_WITH)) $(LISTS)
	@rm -f $$@
	$$(Q)ar rcsD $$@ $$(LINKED)
endef

$(eval $(call bridge,build,$(CC),$(GCC_FLAGS)))
$(eval $(call bridge,build/asan,$(CC),$(ASAN_FLAGS)))
