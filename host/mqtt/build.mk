# MQTT: host/mqtt, for programs on a PC. The Makefile includes this.
#
#   build/libmqtt.a     sessions, topics, and the publisher of devices; with libmosquitto if the compiler finds it
#
# MQTT=0 leaves it out: `skillrom` then refuses --mqtt in one line. Programs without any library (make static) never have it.
MQTT ?= $(shell printf '\043include <mosquitto.h>\n' | $(CC) $(CPPFLAGS) $(CFLAGS) -E - >/dev/null 2>&1 && echo 1 || echo 0)

MQTT_SRC     := $(sort $(filter-out %/mqtt.c %/without.c,$(wildcard host/mqtt/*.c)))
MQTT_LIB     := $(if $(filter 1,$(MQTT)),-lmosquitto)
MQTT_SESSION := host/mqtt/$(if $(filter 1,$(MQTT)),mqtt,without).c
FLAGS.host/mqtt := -D_GNU_SOURCE $(NO_HEAP)

# Changes with MQTT=, so that programs are linked again.
build/mqtt.list: FORCE
	@$(call when_new,echo '$(MQTT_SESSION)')

# $(call mqtt,DIRECTORY[,SESSION]): the library, of the objects below DIRECTORY
define mqtt
$1/libmqtt.a: $(call objects,$1,$(MQTT_SRC) $(or $2,$(MQTT_SESSION))) $(LISTS) build/mqtt.list
	@rm -f $$@
	$$(Q)$(ARCHIVE) $$@ $$(LINKED)
endef

$(foreach d,build build/asan build/poll build/msan,$(eval $(call mqtt,$d)))
