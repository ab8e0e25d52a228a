# Servers without a dialect, for tests/dialects/left_out.py: build/without-<what>/skillromd.

WITHOUT.b   := -DSKR_DIALECT_B=0
WITHOUT.c   := -DSKR_DIALECT_C=0
WITHOUT.d   := -DSKR_DIALECT_D=0
WITHOUT.e   := -DSKR_DIALECT_E=0
WITHOUT.f   := -DSKR_DIALECT_F=0
WITHOUT.def := $(WITHOUT.d) $(WITHOUT.e) $(WITHOUT.f)
WITHOUT.any := $(WITHOUT.b) $(WITHOUT.c) $(WITHOUT.def)
LEFT_OUT    := b c d e f def any

$(foreach what,$(LEFT_OUT),\
    $(eval $(call flavour,build/without-$(what),$(CC),-O0 $(WITHOUT.$(what))))\
    $(eval $(call programs,build/without-$(what),$(CC),-O0)))

test-programs: $(LEFT_OUT:%=build/without-%/skillromd)
