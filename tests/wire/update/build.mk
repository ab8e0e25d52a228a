# A power cut at every step of an update: make test tries pairs of cuts, make test-long any number of them.

FLAGS.tests/wire/update := -Iport/update

UPDATE_EXPLORER := tests/wire/update/explore.c tests/wire/update/model.c
warnings: $(foreach flavour,build build/clang,$(call objects,$(flavour),$(UPDATE_EXPLORER) $(UPDATE_SRC)))

test-long: test-long-update
test-long-update:
	@tests/wire/update/run --long

.PHONY: test-long-update

# A board whose flash QEMU keeps: build/update-board/firmware.bin, with the public key of build/update-board/key.pem.
UPDATE_BOARD     := -mcpu=cortex-m0 -mthumb -Os -g -ffunction-sections -fdata-sections -fcallgraph-info=su -Iboards/common -Iboards/cortex-m \
                    -Itests/wire/update/board -Iport/update -Ibuild/update-board -DSKR_USER_CONFIG='"board_skr.h"'
UPDATE_BOARD_SRC := $(wildcard tests/wire/update/board/*.c) $(filter-out boards/common/main.c boards/common/semihosting.c,$(wildcard boards/common/*.c)) \
                    $(wildcard boards/cortex-m/*.c) $(CORE_SRC) $(READER_SRC) $(UPDATE_SRC)

FLAGS.tests/wire/update/board := -ffreestanding $(NO_HEAP)
$(eval $(call flavour,build/update-board,$(ARM_CC),$(UPDATE_BOARD)))
$(eval $(call bearssl_rule,build/update-board,$(ARM_CC),-mcpu=cortex-m0 -mthumb -Os))

build/update-board/key.pem: | build/skillrom
	@mkdir -p $(@D)
	@build/skillrom keys new $@ >/dev/null 2>&1
build/update-board/keys.inc: build/update-board/key.pem
	@build/skillrom keys c $< >$@
build/update-board/obj/tests/wire/update/board/main.o: build/update-board/keys.inc
build/update-board/obj/port/update/update_ec.o: FLAGS.port/update := -ffreestanding -fbuiltin $(NO_HEAP) -isystem $(BEARSSL_DIR)/inc

build/update-board/firmware.elf: $(call objects,build/update-board,$(UPDATE_BOARD_SRC)) build/update-board/obj/miniz.o $(UPDATE_BEARSSL:%=build/update-board/bearssl/%.o) \
                                 tests/wire/update/board/board.ld boards/common/sections.ld build/sources.list
	@echo '  link    $@'
	$(Q)$(ARM_CC) -mcpu=cortex-m0 -mthumb --specs=nano.specs -nostartfiles -Wl,--gc-sections,-Map=$(@:.elf=.map),--no-warn-rwx-segments \
	    -Lboards/common -T tests/wire/update/board/board.ld $(LINKED) -o $@
build/update-board/firmware.bin: build/update-board/firmware.elf
	$(Q)arm-none-eabi-objcopy -O binary $< $@

NEEDS.update := build/update-board/firmware.bin build/rp2040-pico-update/skillrom.elf build/rp2040-pico-update/skillrom.uf2 build/pump
