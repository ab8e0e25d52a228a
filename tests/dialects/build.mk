# Servers without some dialects, for tests/dialects/left_out.py: build/without-<what>/server.

WITHOUT.b   := -DSKR_DIALECT_B=0
WITHOUT.c   := -DSKR_DIALECT_C=0
WITHOUT.d   := -DSKR_DIALECT_D=0
WITHOUT.e   := -DSKR_DIALECT_E=0
WITHOUT.f   := -DSKR_DIALECT_F=0
WITHOUT.def := $(WITHOUT.d) $(WITHOUT.e) $(WITHOUT.f)
WITHOUT.any := $(WITHOUT.b) $(WITHOUT.c) $(WITHOUT.def)
LEFT_OUT    := b c d e f def any

FLAGS.tests/dialects := -D_GNU_SOURCE

# $(call left_out,WHAT)
define left_out
$(call flavour,build/without-$1,$(CC),-O0 $(WITHOUT.$1))

build/without-$1/server: $(call objects,build/without-$1,tests/dialects/left_out.c $(CORE_SRC) $(READER_SRC) $(DEVICE_SRC)) \
                         build/without-$1/obj/miniz.o
	@echo '  link    $$@'
	$$(Q)$(CC) $$^ -o $$@
endef
$(foreach what,$(LEFT_OUT),$(eval $(call left_out,$(what))))

test-programs: $(LEFT_OUT:%=build/without-%/server)
warnings: $(call objects,build/clang,tests/dialects/left_out.c)
