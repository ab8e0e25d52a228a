# Branch coverage of core, image reader and port/uart by unit tests and transcripts, and of port/lwip by tests/boards/lwip: make coverage.
# gcc -O0, so that branches are those of the source. Assertions are left out: they hold, so one branch of each is never taken.

COV_FLAGS := -O0 -g -w --coverage -fprofile-update=single $(CPPFLAGS) $(CFLAGS)
COV_UNIT  := $(filter-out %/test_updater.c,$(filter tests/unit/%,$(UNIT_SRC)))# it tests port/update

$(eval $(call flavour,build/cov,$(CC),$(COV_FLAGS)))

build/cov/libskillrom.a: $(call objects,build/cov,$(CORE_SRC) $(READER_SRC) $(UART_SRC)) build/obj/miniz.o $(LISTS)
	@rm -f $@
	$(Q)ar rcsD $@ $(LINKED)

build/cov/obj/unity.o: $(UNITY_DIR)/src/unity.c Makefile build/flags.list
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c99 -w -c $< -o $@

$(patsubst tests/%.c,build/cov/%,$(COV_UNIT)): build/cov/%: build/cov/obj/tests/%.o $(call objects,build/cov,$(UNIT_HELP)) \
        build/cov/obj/unity.o build/libmqtt.a build/cov/libskillrom.a build/libtls.a build/libmkromfs.a $(LISTS)
	@mkdir -p $(@D)
	@echo '  link    $@'
	$(Q)$(CC) $(LDFLAGS) --coverage $(LINKED) -lfyaml -lutf8proc $(MQTT_LIB) -o $@

build/cov/wire-runner: $(call objects,build/cov,$(WIRE_SRC) $(DEVICE_SRC)) build/cov/libskillrom.a $(LISTS)
	@echo '  link    $@'
	$(Q)$(CC) $(LDFLAGS) --coverage $(LINKED) -o $@

coverage-programs: build/skillrom $(patsubst tests/%.c,build/cov/%,$(COV_UNIT)) build/cov/wire-runner# also those of tests/boards/lwip
coverage: coverage-programs ## branch coverage by unit tests and transcripts; fails when it falls
	@tests/quality/branches/measure

test-long: coverage
.PHONY: coverage coverage-programs
