# Parts of `skillrom bridge`, `call` and `read`: the bridge, the client, the transports that both use, the core and files of
# port/posix with limits of their own (bridge_skr.h), and the frames of port/uart.
# $(call bridge,DIRECTORY,COMPILER,FLAGS) makes DIRECTORY/libbridge.a.

BRIDGE_SRC  := $(sort $(wildcard host/bridge/*.c host/client/*.c host/transport/*.c))
BRIDGE_WITH := $(CORE_SRC) $(HOST_SRC) $(patsubst %,port/posix/%.c,address announce authority credentials describe endpoint folder hosts image listener log net net_wait refusals reload schema secure \
                 state tokens trusted tty) $(SOCKETS_SRC) port/uart/frame.c $(TLS_SRC) port/tls/tls_client.c
BRIDGE_CONFIG := -DSKR_USER_CONFIG='"../host/bridge/bridge_skr.h"'

# The reader of HTTP responses. Its repository is archived and llhttp succeeds it; but Debian 12 has no package of llhttp, its npm
# package has only the program that generates the C sources, and tools/fetch-deps takes sources from Debian alone. Only the bridge
# and the client use it (host/transport/http_response.c), in strict mode, and tests/quality/fuzz/bridge.c feeds it.
HTTP_PARSER_DIR ?= third_party/http_parser
$(HTTP_PARSER_DIR)/http_parser.c:
	@tools/fetch-deps http_parser

FLAGS.host/transport := -D_GNU_SOURCE $(NO_HEAP) $(WITH_TLS) -isystem $(HTTP_PARSER_DIR)
FLAGS.host/client    := $(FLAGS.host/transport)
FLAGS.host/bridge    := $(FLAGS.host/transport)

define bridge
$(call flavour,$1/bridge,$2,$3 $(BRIDGE_CONFIG))

$(call objects,$1/bridge,$(BRIDGE_SRC)): | $(HTTP_PARSER_DIR)/http_parser.c $(BEARSSL_DIR)/inc/bearssl.h

$1/bridge/http_parser.o: $(HTTP_PARSER_DIR)/http_parser.c Makefile $(call flags_list,$2)
	@mkdir -p $$(@D)
	$$(Q)$2 -std=c99 -w $3 -DHTTP_PARSER_STRICT=1 -ffunction-sections -c $$< -o $$@

$1/libbridge.a: $(call objects,$1/bridge,$(BRIDGE_SRC) $(BRIDGE_WITH)) $1/bridge/http_parser.o $(LISTS)
	@rm -f $$@
	$$(Q)$(ARCHIVE) $$@ $$(LINKED)
endef

$(eval $(call bridge,build,$(CC),$(GCC_FLAGS)))
$(eval $(call bridge,build/asan,$(CC),$(ASAN_FLAGS)))
$(eval $(call bridge,build/poll,$(CC),$(POLL_FLAGS)))
