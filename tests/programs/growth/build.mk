# Every shape takes three minutes of processor time: `make test` measures a part of them, `make test-long` all.
RUN.growth := tests/programs/growth/run --sample

test-long: growth-long
growth-long: build/skillrom
	@tests/programs/growth/run
.PHONY: growth-long
