# The example device without the older dialects, for tests/wire/dialects/left_out.py; tests/wire/build.mk has the rules for its
# objects.

build/without-dialects/pump: $(call objects,build/without-dialects,$(SERVER_SRC) examples/pump/main.c) $(call bearssl,build) \
                             build/without-dialects/obj/miniz.o $(LISTS)
	@echo '  link    $@'
	$(Q)$(LINK) $(LINKED) -lm -o $@

NEEDS.dialects := build/without-dialects/pump
