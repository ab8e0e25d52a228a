# Flash, RAM and stack of the core on Cortex-M and RISC-V: make size, make stack. The Makefile includes this.

# Limits of core and reader on a Cortex-M in profile tiny, with one line connection and a tool that has an argument.
FLASH_BUDGET := 18944
RAM_BUDGET   := 3072

# Limits on RISC-V, with compressed instructions: at most 8 % more flash than on the Cortex-M3 of the same build. This is for boards.
RISCV_PERCENT := 8
# 40 bytes above 8 %: the board adds its own to what `make size` compares with a Cortex-M3.
RISCV_FLASH_BUDGET := 20500

# Limit of the older dialects of skills on a Cortex-M3, 256 bytes of it to leave out dependencies without a handler, and 128
# for the words of outcomes, which tool_called, the record and skills/execute share.
DIALECTS_BUDGET := 9856

# Tokens, SHA-256 included, on a Cortex-M3 with HTTP: 1.5 KB, and 64 bytes for the right that each method needs.
AUTH_BUDGET := 1600

# Limit of all features of MCP there, without HTTP: 50 KB, 1 KB for skills as tools and prompts, 256 bytes for
# escaped texts, ranges of them above all, 768 for handlers and images that do not fit, which are named with their remedy, 256
# for the table of a tool call's states, 768 for dependencies without those tools that have no handler, and 128 for a date
# that alarms also write.
SURFACE_BUDGET := 54400

# Rules of tools, one of each kind, where a handler already sends client requests: 7 KB. SHA-256 has 850 bytes of it and the scanner
# of JSON 250, which other features share; the record of tool calls 1 KB.
GUARD_BUDGET := 7168

# The panel in profiles net and full.
PANEL_BUDGET := 600

# Limit of an open HTTP connection in profile net, without the buffer for its request.
CONNECTION_BUDGET := 2048

# $(call firmware,CPU,VARIANT,FLAGS[,LINKED[,OBJECTS OF]]): tests/quality/size/main.c linked for a Cortex-M, with all of core and
# reader; or with those of another variant, if only main.c differs.
FIRMWARE_SRC := tests/quality/size/main.c $(CORE_SRC) $(READER_SRC)
define firmware
$(call flavour,build/size/$1-$2,$(ARM_CC),-mcpu=$1 -mthumb -Os -ffunction-sections -fdata-sections -fcallgraph-info=su $3)

build/size/$1-$2/firmware.elf: build/size/$1-$2/obj/tests/quality/size/main.o $(call objects,build/size/$1-$(or $5,$2),$(CORE_SRC) $(READER_SRC)) \
                               build/size/$1-$(or $5,$2)/obj/miniz.o build/sources.list
	@echo '  link    $$@'
	$$(Q)$(ARM_CC) -mcpu=$1 -mthumb --specs=nano.specs -nostartfiles -Wl,--gc-sections,-e,main,-Map=$$(@D)/firmware.map $4 $$(LINKED) -o $$@
endef

CPUS := cortex-m0plus cortex-m3

# The switches of core/skr_config.h, each with what it needs.
SWITCHES := http extras jobs interactive tasks changes dialects deflate
$(foreach s,http extras changes dialects deflate,$(eval ON.$s := -DSKR_$(shell echo $s | tr a-z A-Z)=1))
ON.jobs  := -DSKR_JOBS=1
ON.interactive := $(ON.jobs) -DSKR_INTERACTIVE=1
ON.tasks := $(ON.interactive) -DSKR_TASKS=1
ON.guard := $(ON.interactive) -DSKR_GUARD=1

$(foreach cpu,$(CPUS),\
    $(eval $(call firmware,$(cpu),tiny,-DSKR_PROFILE_TINY))\
    $(foreach switch,$(SWITCHES),$(eval $(call firmware,$(cpu),$(switch),-DSKR_PROFILE_TINY $(ON.$(switch))))))
$(eval $(call firmware,cortex-m3,http-open,-DSKR_PROFILE_TINY $(ON.http) -DSKR_AUTH=0))
$(eval $(call firmware,cortex-m3,net,-DSKR_PROFILE_NET))
$(eval $(call firmware,cortex-m3,full,-DSKR_PROFILE_FULL))
$(foreach p,net full,$(eval $(call firmware,cortex-m3,$p-panelless,-DSKR_PROFILE_$(if $(filter net,$p),NET,FULL) -DSKR_PANEL=0)))
$(eval $(call firmware,cortex-m3,client-requests,-DSKR_PROFILE_TINY $(ON.interactive) -DMEASURE_CLIENT_REQUESTS))
$(eval $(call firmware,cortex-m3,guard,-DSKR_PROFILE_TINY $(ON.guard) -DMEASURE_CLIENT_REQUESTS))

# RISC-V variants use the objects of their board.
build/size/rv32imc-tiny/firmware.elf: $(call objects,build/sifive-e,$(FIRMWARE_SRC)) build/sifive-e/obj/miniz.o build/sources.list tests/quality/size/rv32imc.ld
	@mkdir -p $(@D)
	@echo '  link    $@'
	$(Q)$(RISCV_CC) $(CPU.sifive-e) -T tests/quality/size/rv32imc.ld -nostartfiles -Wl,--gc-sections,-e,main,-Map=$(@D)/firmware.map $(LINKED) -o $@

# Signed tokens: the core's part, port/oauth, and what it needs of BearSSL. Firmware with TLS has most of that already.
$(eval $(call firmware,cortex-m3,oauth,-DSKR_PROFILE_TINY $(ON.http) -DSKR_OAUTH=1,$(patsubst %,-Wl$(comma)-u$(comma)skr_oauth_%,open keys)))
$(eval $(call bearssl_rule,build/size/cortex-m3-oauth,$(ARM_CC),-mcpu=cortex-m3 -mthumb -Os))
build/size/cortex-m3-oauth/firmware.elf: $(call objects,build/size/cortex-m3-oauth,$(OAUTH_SRC)) \
                                         $(BEARSSL_CHECK:%=build/size/cortex-m3-oauth/bearssl/%.o)

# Tools with an argument that is not a whole number.
ARG_KINDS := bool enum string wide decimal double array object
$(foreach cpu,$(CPUS),$(foreach kind,$(ARG_KINDS),\
    $(eval $(call firmware,$(cpu),arg-$(kind),-DSKR_PROFILE_TINY -DMEASURE_KIND=skr_arg_$(kind),,tiny))))

MEASURED := tiny $(SWITCHES) $(ARG_KINDS:%=arg-%)
MEASURED := $(foreach cpu,$(CPUS),$(patsubst %,build/size/$(cpu)-%/firmware.elf,$(MEASURED)))

# All features of MCP, without HTTP, with every function and every kind of argument that firmware could use: first with the
# released extension of skills alone, then with all dialects.
NAMES_OF  = $(shell grep -oh '\bskr_[a-z_]*\b\([^.]\|$$\)' $1 | tr -cd 'a-z_\n' | sort -u)# skr_alarm.h is not a function
PUBLISHED := $(patsubst %,-Wl$(comma)-u$(comma)%,$(call NAMES_OF,core/skillrom.h core/skr_args.h))
SURFACE   := -DSKR_PROFILE_TINY $(ON.extras) $(ON.changes) $(ON.tasks)
$(eval $(call firmware,cortex-m3,surface,$(SURFACE),$(PUBLISHED)))
$(eval $(call firmware,cortex-m3,surface-dialects,$(SURFACE) $(ON.dialects),$(PUBLISHED)))
MEASURED += $(patsubst %,build/size/%/firmware.elf,$(addprefix cortex-m3-,http-open net net-panelless full full-panelless surface surface-dialects oauth client-requests guard) rv32imc-tiny)

# Variants with a budget that each change must keep: a third of all.
BUDGETED := $(patsubst %,build/size/%/firmware.elf,cortex-m0plus-tiny rv32imc-tiny $(addprefix cortex-m3-,tiny dialects http http-open net net-panelless surface))

size: $(if $(BRIEF),$(BUDGETED),$(MEASURED)) build/obj/tests/quality/size/main.o ## flash and RAM on Cortex-M and RISC-V, per part and per switch; fails over budget; BRIEF=1: only what has one
	@tools/size-report.py build/size $(if $(BRIEF),--brief) --flash $(FLASH_BUDGET) --riscv-percent $(RISCV_PERCENT) --ram $(RAM_BUDGET) --dialects $(DIALECTS_BUDGET) \
	    --auth $(AUTH_BUDGET) --guard $(GUARD_BUDGET) --panel $(PANEL_BUDGET) --surface $(SURFACE_BUDGET) --connection $(CONNECTION_BUDGET) \
	    --request-max $$(tools/list-config core/skr_config.h $(ARM_CC) -DSKR_PROFILE_NET | sed -n 's/^SKR_REQUEST_MAX //p') \
	    --native build/obj/tests/quality/size/main.o

stack: $(patsubst %,build/size/%-tiny/firmware.elf,$(CPUS) rv32imc) ## worst-case stack on Cortex-M and RISC-V, with the calls that lead there
	@$(foreach of,$(foreach cpu,$(CPUS),$(cpu):build/size/$(cpu)-tiny) rv32imc:build/sifive-e,echo "$(firstword $(subst :, ,$(of))), profile tiny" && \
	    tools/stackmax.py $(CALLS) --unused-ok --root main --library 32 $(patsubst %.c,$(lastword $(subst :, ,$(of)))/obj/%.ci,$(FIRMWARE_SRC)) &&) true
