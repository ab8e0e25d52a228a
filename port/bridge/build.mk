# What `skillrom bridge` is made of: the bridge itself, the parts of core and port/posix it uses with limits of
# its own (bridge_skr.h), and the frames. $(call bridge,DIRECTORY,COMPILER,FLAGS) makes DIRECTORY/libbridge.a.

BRIDGE_SRC  := $(sort $(wildcard port/bridge/*.c))
BRIDGE_WITH := $(patsubst %,core/%.c,answer/answer answer/envelope answer/fault answer/shape answer/request answer/version \
                 wire/batch wire/buffer wire/conn wire/http wire/http_answer wire/http_header wire/http_stream wire/line \
                 run/call run/job run/job_answer run/job_end run/job_reply run/notes run/resume \
                 text/encode text/json text/json_scan text/json_string text/number text/plain text/seal text/span \
                 news/interest news/listen news/notify news/swap \
                 store/mount store/sound mcp/headers mcp/method_subscribe mcp/rpc mcp/session) \
               $(patsubst %,port/posix/%.c,address hosts image linger link listener net refusals reload say slots tty) port/uart/frame.c
BRIDGE_CONFIG := -DSKR_USER_CONFIG='"../port/bridge/bridge_skr.h"'

FLAGS.port/bridge := -D_GNU_SOURCE $(NO_HEAP) -Iromfs/mkromfs

define bridge
$(call flavour,$1/bridge,$2,$3 $(BRIDGE_CONFIG))

$1/libbridge.a: $(call objects,$1/bridge,$(BRIDGE_SRC) $(BRIDGE_WITH)) $(LISTS)
	@rm -f $$@
	$$(Q)ar rcsD $$@ $$(LINKED)
endef

$(eval $(call bridge,build,$(CC),$(GCC_FLAGS)))
$(eval $(call bridge,build/asan,$(CC),$(ASAN_FLAGS)))
