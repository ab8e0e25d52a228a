# A runner of transcripts whose core shows alarms as events, of which it keeps four.

EVENTS_SRC := $(WIRE_SRC) $(CORE_SRC) $(READER_SRC) $(DEVICE_SRC)

$(eval $(call flavour,build/events,$(CC),$(ASAN_FLAGS) -DSKR_EVENTS=1 -DSKR_ALARMS=4 -DSKR_OUTPUT_MAX=512))

build/events/wire-runner: $(call objects,build/events,$(EVENTS_SRC)) build/events/obj/miniz.o $(LISTS)
	@echo '  link    $@'
	$(Q)$(LINK) $(ASAN_FLAGS) $(LINKED) -o $@

NEEDS.events := build/events/wire-runner
