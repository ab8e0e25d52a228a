# Proofs by CBMC, which tools/get-cbmc fetches.

build/cbmc/bin/cbmc:
	@tools/get-cbmc build/cbmc

NEEDS.proofs := build/cbmc/bin/cbmc

prove: build/cbmc/bin/cbmc | $(JSMN_DIR)/jsmn.h $(MINIZ_DIR)/miniz.c ## prove the memory safety of all readers of bytes from outside, with CBMC
	@tests/quality/proofs/prove --long

test-long: test-long-proofs
test-long-proofs: build/cbmc/bin/cbmc | $(JSMN_DIR)/jsmn.h $(MINIZ_DIR)/miniz.c
	@tests/quality/proofs/prove --long
	@tests/quality/proofs/prove --broken

.PHONY: prove test-long-proofs
