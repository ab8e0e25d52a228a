# A runner of transcripts whose core denies every tool that is not marked as read-only (SK-S-11).

READONLY_SRC := $(WIRE_SRC) $(CORE_SRC) $(READER_SRC) $(DEVICE_SRC)

$(eval $(call flavour,build/readonly,$(CC),$(ASAN_FLAGS) -DSKR_READ_ONLY=1))

build/readonly/wire-runner: $(call objects,build/readonly,$(READONLY_SRC)) build/readonly/obj/miniz.o $(LISTS)
	@echo '  link    $@'
	$(Q)$(LINK) $(ASAN_FLAGS) $(LINKED) -o $@

NEEDS.readonly := build/readonly/wire-runner
