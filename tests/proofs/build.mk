# Proofs by CBMC, which tools/get-cbmc fetches.

build/cbmc/bin/cbmc:
	@tools/get-cbmc build/cbmc

NEEDS.proofs := build/cbmc/bin/cbmc

prove: build/cbmc/bin/cbmc | $(JSMN_DIR)/jsmn.h $(MINIZ_DIR)/miniz.c ## prove memory safety of what reads bytes from outside, with CBMC
	@tests/proofs/prove --long

test-long: test-long-proofs
test-long-proofs: build/cbmc/bin/cbmc | $(JSMN_DIR)/jsmn.h $(MINIZ_DIR)/miniz.c
	@tests/proofs/prove --long
	@tests/proofs/prove --broken

.PHONY: prove test-long-proofs
