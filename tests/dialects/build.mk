# The example device without some dialects, for tests/dialects/left_out.py: build/without-<what>/pump.

WITHOUT.b   := -DSKR_DIALECT_B=0
WITHOUT.c   := -DSKR_DIALECT_C=0
WITHOUT.d   := -DSKR_DIALECT_D=0
WITHOUT.e   := -DSKR_DIALECT_E=0
WITHOUT.f   := -DSKR_DIALECT_F=0
WITHOUT.def := $(WITHOUT.d) $(WITHOUT.e) $(WITHOUT.f)
WITHOUT.any := $(WITHOUT.b) $(WITHOUT.c) $(WITHOUT.def)
LEFT_OUT    := b c d e f def any

# $(call left_out,WHAT)
define left_out
$(call flavour,build/without-$1,$(CC),-O0 $(WITHOUT.$1))

build/without-$1/pump: $(call objects,build/without-$1,$(SERVER_SRC) examples/device/main.c) build/without-$1/obj/miniz.o $(LISTS)
	@echo '  link    $$@'
	$$(Q)$(LINK) $$(LINKED) -o $$@
endef
$(foreach what,$(LEFT_OUT),$(eval $(call left_out,$(what))))

NEEDS.dialects := $(LEFT_OUT:%=build/without-%/pump)
