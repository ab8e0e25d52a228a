# Firmware whose manual can be replaced: make BOARD=rp2040-pico-update UPDATE_KEYS='first.pub second.pub' UPDATE_PRODUCT=pump.
# boards/build.mk includes this.
#
# UPDATE.<build> is the folder with the driver of the board's flash (slots.h), whose linker script has two slots and records. Without
# UPDATE_KEYS a key for trials is made: build/<build>/key.pem.

UPDATE_PRODUCT ?= pump

# BearSSL's arithmetic for processors that multiply 32 bits with a result of 32, and the verification of one signature.
UPDATE_BEARSSL := ec/ec_prime_i15 ec/ecdsa_i15_bits ec/ecdsa_i15_vrfy_raw ec/ec_secp256r1 ec/ec_secp384r1 ec/ec_secp521r1 codec/ccopy codec/dec32be \
                  $(patsubst %,int/i15_%,add bitlen decmod decode decred encode fmont iszero modpow montmul muladd ninv15 reduce rshift sub tmont mulacc)
$(addprefix $(BEARSSL_DIR)/src/,$(addsuffix .c,$(UPDATE_BEARSSL))): | $(BEARSSL_DIR)/inc/bearssl.h

# $(call board_update...,BUILD)
board_update         = $(if $(UPDATE.$1),$(sort $(wildcard boards/update/*.c boards/$(UPDATE.$1)/*.c) $(UPDATE_SRC)))
board_update_flags   = $(if $(UPDATE.$1),-Iboards/update -Iport/update -Ibuild/$1 -Ibuild/gen/$(DEVICE))
board_update_bearssl = $(if $(UPDATE.$1),$(UPDATE_BEARSSL:%=build/$1/bearssl/%.o))

FLAGS.boards/update := -ffreestanding $(NO_HEAP)

# $(call update_board,BUILD)
define update_board
FLAGS.boards/$(UPDATE.$1) := -ffreestanding $(NO_HEAP)
build/$1/obj/port/update/%.o: FLAGS.port/update := -ffreestanding -fbuiltin $(NO_HEAP) -isystem $(BEARSSL_DIR)/inc
$(call bearssl_rule,build/$1,$(board_cc),$(board_cpu) -Os,build/$1/chosen)

build/$1/key.pub: | build/skillrom
	@mkdir -p $$(@D)
	@rm -f build/$1/key.pem
	@build/skillrom keys new build/$1/key.pem >$$@ 2>/dev/null
build/$1/update_keys.inc: $(or $(UPDATE_KEYS),build/$1/key.pub) build/$1/chosen
	@build/skillrom keys c $$(filter-out %/chosen,$$^) >$$@
build/$1/update_product.inc: build/$1/chosen
	@printf %s '$(UPDATE_PRODUCT)' | sha256sum | cut -c 1-16 | sed 's/../0x&, /g' >$$@
build/$1/obj/boards/update/slots.o build/$1/judged: build/$1/update_keys.inc build/$1/update_product.inc
build/$1/obj/boards/update/slots.o build/$1/judged: build/device/chosen | build/gen/$(DEVICE)/tools.h
endef
