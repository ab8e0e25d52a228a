# What `skillrom bridge` is made of: the bridge itself, the parts of core and port/posix it uses with limits of
# its own (bridge_skr.h), and the frames. $(call bridge,DIRECTORY,COMPILER,FLAGS) makes DIRECTORY/libbridge.a.

BRIDGE_SRC  := $(sort $(wildcard port/bridge/*.c))
BRIDGE_WITH := $(patsubst %,core/%.c,answer batch call conn encode envelope fault http http_answer http_header http_param \
                 http_session http_stream interest job job_answer job_end json json_parse line method_subscribe notes \
                 notify number older plain rpc seal shape span swap version) \
               $(patsubst %,port/posix/%.c,address image linger link listener net reload say tty) port/uart/frame.c
BRIDGE_CONFIG := -DSKR_USER_CONFIG='"../port/bridge/bridge_skr.h"'

FLAGS.port/bridge := -D_GNU_SOURCE $(NO_HEAP) -Iromfs/mkromfs

define bridge
$(call flavour,$1/bridge,$2,$3 $(BRIDGE_CONFIG))

$1/libbridge.a: $(call objects,$1/bridge,$(BRIDGE_SRC) $(BRIDGE_WITH))
	@rm -f $$@
	$$(Q)ar rcsD $$@ $$^
endef

$(eval $(call bridge,build,$(CC),$(GCC_FLAGS)))
$(eval $(call bridge,build/asan,$(CC),$(ASAN_FLAGS)))
