/* new_device.c -- a device to start from: a lamp, small enough to be replaced bit by bit while it keeps working. See
 * new_device.h. @NAME@ is the device's name, @SYMBOL@ the same in C, @SOURCES@ where skillrom's sources are. */
#include "cli/new_device.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/new_files.h"
#include "console.h"
#include "system.h"

#define NEXT_WIDTH 23 /* of the longest command that `new` proposes, besides the first */

static const char device_json[] =
    "{\n"
    "  \"name\": \"@NAME@\",\n"
    "  \"version\": \"0.1.0\",\n"
    "  \"instructions\": \"A lamp that can be switched. Read the skill switch-lamp before you call set_lamp; lamp://state "
    "says whether it is on.\",\n"
    "  \"budgets\": { \"alwaysTokens\": 1000, \"activationTokens\": 1000 }\n"
    "}\n";

static const char skill_md[] =
    "---\n"
    "name: switch-lamp\n"
    "description: Switch the lamp on or off and make sure that it is. Use when a user asks for light, wants it dark, or asks "
    "whether the lamp is on.\n"
    "metadata:\n"
    "  version: \"0.1.0\"\n"
    "  dev.skillrom/tools: set_lamp\n"
    "  dev.skillrom/resources: lamp://state\n"
    "---\n"
    "\n"
    "# Switch the lamp\n"
    "\n"
    "1. Read `lamp://state`. If the lamp is as it should be, say so and stop.\n"
    "2. Call `set_lamp`, and tell the person what it answers.\n"
    "\n"
    "`skillrom test` replays this, so it stays true:\n"
    "\n"
    "```transcript\n"
    "> set_lamp on=true\n"
    "< the lamp is on\n"
    "> lamp://state\n"
    "< {\"on\":true}\n"
    "> set_lamp\n"
    "! ...on...\n"
    "> set_lamp on=false\n"
    "< the lamp is off\n"
    "```\n";

static const char queries_txt[] = "# What people ask, and the skill that each question should find.\n"
                                  "switch-lamp  please switch on the light\n"
                                  "switch-lamp  is the lamp on?\n";

static const char tool_json[] = "{\n"
                                "  \"name\": \"set_lamp\",\n"
                                "  \"title\": \"Switch the lamp\",\n"
                                "  \"description\": \"Switches the lamp on or off, and says how it is now.\",\n"
                                "  \"inputSchema\": {\n"
                                "    \"type\": \"object\",\n"
                                "    \"properties\": {\n"
                                "      \"on\": { \"type\": \"boolean\", \"description\": \"true: on, false: off\" }\n"
                                "    },\n"
                                "    \"required\": [\"on\"],\n"
                                "    \"additionalProperties\": false\n"
                                "  },\n"
                                "  \"annotations\": { \"readOnlyHint\": false, \"destructiveHint\": false, "
                                "\"idempotentHint\": true, \"openWorldHint\": false }\n"
                                "}\n";

static const char resource_json[] = "{\n"
                                    "  \"uri\": \"lamp://state\",\n"
                                    "  \"name\": \"state\",\n"
                                    "  \"title\": \"State of the lamp\",\n"
                                    "  \"description\": \"Whether the lamp is on\",\n"
                                    "  \"mimeType\": \"application/json\"\n"
                                    "}\n";

static const char device_c[] =
    "/* device.c -- what @NAME@ does. Each handler is described in tools/NAME.json or resources/NAME.json; what\n"
    " * reaches it has been checked against that. Replace lamp_is_on by your hardware. */\n"
    "#include <stdbool.h>\n"
    "\n"
    "#define SKR_TOOLS_TABLE\n"
    "#include \"tools.h\"\n"
    "\n"
    "static bool lamp_is_on;\n"
    "\n"
    "/* A tool that takes time: \"x-skillrom\": {\"deadlineMs\": 600000} in its JSON file, then return SKR_PENDING and keep what\n"
    " * it has to remember in SKR_JOB_STATE_OF(call, struct ...). See skillrom.h; profile tiny has none. */\n"
    "int tool_set_lamp(struct skr_call *call, const struct tool_set_lamp_args *args)\n"
    "{\n"
    "    lamp_is_on = args->on;\n"
    "    skr_put(call, lamp_is_on ? \"the lamp is on\" : \"the lamp is off\");\n"
    "    return 0;\n"
    "}\n"
    "\n"
    "int resource_state(struct skr_call *call, struct skr_span none)\n"
    "{\n"
    "    (void)none;\n"
    "    skr_put(call, lamp_is_on ? \"{\\\"on\\\":true}\" : \"{\\\"on\\\":false}\");\n"
    "    return 0;\n"
    "}\n"
    "\n"
    "const struct skr_device @SYMBOL@ = {\n"
    "    .tools = skr_tools,\n"
    "    .tool_count = SKR_TOOL_COUNT,\n"
    "    .resources = skr_resources,\n"
    "    .resource_count = SKR_RESOURCE_COUNT,\n"
    "};\n";

static const char main_c[] =
    "/* main.c -- @NAME@ as a program for a PC. A board has its own main and leaves this one out. */\n"
    "#include \"posix.h\"\n"
    "\n"
    "extern const struct skr_device @SYMBOL@;\n"
    "\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    return skr_posix_main(&@SYMBOL@, argc, argv);\n"
    "}\n";

static const char makefile[] =
    "# make              the program for this PC, build/@NAME@, and its image\n"
    "# make test         check the skills and try what they say\n"
    "# make run          serve it at http://127.0.0.1:7700/mcp; changes to skills are served immediately\n"
    "# make firmware     for a board: make firmware BOARD=rp2040-pico, or BOARD=/path/to/your-board\n"
    "# make twin         the device as one HTML file, build/@NAME@.html, which opens in any browser\n"
    "\n"
    "# The sources of skillrom, in which `make` has been run.\n"
    "SKILLROM ?= @SOURCES@\n"
    "BOARD    ?= stm32vldiscovery\n"
    "\n"
    "skillrom := $(SKILLROM)/build/skillrom\n"
    "sources  := $(wildcard *.c)\n"
    "\n"
    "all: build/@NAME@ build/@NAME@.rom\n"
    "\n"
    "# build/@NAME@.d, which pack writes, has the files that the image is made of.\n"
    "build/@NAME@.rom: $(skillrom)\n"
    "\t@mkdir -p build\n"
    "\t$(skillrom) pack . -o $@ --header build/tools.h --depfile build/@NAME@.d\n"
    "\n"
    "-include build/@NAME@.d\n"
    "\n"
    "build/@NAME@: $(sources) build/@NAME@.rom\n"
    "\t$(CC) -std=c99 -O2 -Wall -Wextra $(CPPFLAGS) $(CFLAGS) -I$(SKILLROM)/core -I$(SKILLROM)/romfs \\\n"
    "\t    -I$(SKILLROM)/port/posix -Ibuild $(sources) $(SKILLROM)/build/libposix.a $(SKILLROM)/build/libskillrom.a \\\n"
    "\t    $(LDFLAGS) $(if $(filter Darwin,$(shell uname)),-lresolv) -o $@\n"
    "\n"
    "test: all\n"
    "\t$(skillrom) lint --strict .\n"
    "\t$(skillrom) test . --program build/@NAME@\n"
    "\n"
    "run: all\n"
    "\t$(skillrom) serve . --watch --program build/@NAME@\n"
    "\n"
    "firmware:\n"
    "\t$(MAKE) -C $(SKILLROM) BOARD=$(if $(findstring /,$(BOARD)),$(abspath $(BOARD)),$(BOARD)) DEVICE=$(CURDIR) DEVICE_NAME=@SYMBOL@\n"
    "\n"
    "twin:\n"
    "\t$(MAKE) -C $(SKILLROM) twin DEVICE=$(CURDIR) DEVICE_NAME=@SYMBOL@ OUT=$(CURDIR)/build/@NAME@\n"
    "\n"
    "clean:\n"
    "\trm -rf build\n"
    "\n"
    ".PHONY: all test run firmware twin clean\n";

static const char cmakelists[] =
    "# Firmware by CMake:  cmake -B build/firmware -DBOARD=stm32vldiscovery && cmake --build build/firmware\n"
    "cmake_minimum_required(VERSION 3.16)\n"
    "set(SKILLROM \"@SOURCES@\" CACHE PATH \"the sources of skillrom\")\n"
    "set(BOARD stm32vldiscovery CACHE STRING \"a folder of its boards/, or the path of your own\")\n"
    "set(CMAKE_SYSTEM_NAME Generic)\n"
    "set(CMAKE_C_COMPILER arm-none-eabi-gcc)\n"
    "set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)\n"
    "project(@NAME@ C)\n"
    "\n"
    "add_subdirectory(${SKILLROM} skillrom)\n"
    "file(GLOB sources CONFIGURE_DEPENDS *.c) # all C beside this file except main.c, as in the Makefile\n"
    "list(FILTER sources EXCLUDE REGEX \"/main\\\\.c$\")\n"
    "add_executable(@NAME@.elf ${sources})\n"
    "skillrom_add_board(@NAME@.elf ${BOARD} DEVICE @SYMBOL@)\n"
    "skillrom_add_device(@NAME@.elf .)\n";

static const char gitignore[] = "build/\n";

/* The image is made of a checkout's bytes: those of Windows would be another build, with other digests. */
static const char gitattributes[] = "* text=auto eol=lf\n";

/* Stands for the sources of a program that has been installed without them. */
#define NOT_HERE "/path/to/skillrom"

/* Where the sources of this program are: the folder above it that has core/skillrom.h. */
static const char *source_files(void)
{
    char self[PATH_MAX];

    if (!host_own_path(self, sizeof self)) {
        return NOT_HERE;
    }
    for (char *slash; (slash = strrchr(self, '/')) != NULL;) {
        *slash = '\0';
        if (access(xasprintf("%s/core/skillrom.h", self), R_OK) == 0) {
            return xstrdup(self);
        }
    }
    return NOT_HERE;
}

/* "desk-lamp" as "desk_lamp_device". */
static char *symbol_of(const char *name)
{
    char *symbol = xasprintf("%s%s_device", name[0] >= '0' && name[0] <= '9' ? "a_" : "", name);

    for (char *p = symbol; *p != '\0'; p++) {
        *p = *p == '-' ? '_' : *p;
    }
    return symbol;
}

/* The text with every placeholder replaced. */
static const char *filled_text(const char *text, const char *placeholder, const char *value)
{
    struct buf b = {0};

    for (const char *at; (at = strstr(text, placeholder)) != NULL; text = at + strlen(placeholder)) {
        buf_add(&b, text, (size_t)(at - text));
        buf_puts(&b, value);
    }
    buf_puts(&b, text);
    return buf_str(&b);
}

int new_device(const char *dir, const char *name)
{
    const char *from = source_files();
    struct new_file files[] = {
        {"device.json", device_json},
        {"skills/switch-lamp/SKILL.md", skill_md},
        {"tools/set_lamp.json", tool_json},
        {"resources/state.json", resource_json},
        {"queries.txt", queries_txt},
        {"device.c", device_c},
        {"main.c", main_c},
        {"Makefile", makefile},
        {"CMakeLists.txt", cmakelists},
        {".gitignore", gitignore},
        {".gitattributes", gitattributes},
    };
    size_t count = sizeof files / sizeof files[0];

    for (size_t i = 0; i < count; i++) {
        files[i].text = filled_text(files[i].text, "@NAME@", name);
        files[i].text = filled_text(files[i].text, "@SYMBOL@", symbol_of(name));
        files[i].text = filled_text(files[i].text, "@SOURCES@", from);
    }
    if (!new_files_write(dir, name, files, count)) {
        return 1;
    }
    if (host_console.quiet) {
        return 0;
    }

    const char *in = strcmp(dir, ".") == 0 ? "" : dir;
    const char *start = xasprintf("cd %s%s%s && make test", in, *in != '\0' ? "/" : "", name);
    int width = (int)strlen(start) > NEXT_WIDTH ? (int)strlen(start) : NEXT_WIDTH;
    puts("\nnext:");
    if (strcmp(from, NOT_HERE) == 0) {
        puts(
            "  set SKILLROM in its Makefile and CMakeLists.txt to the sources of skillrom, in which `make` has been run");
    }
    printf("  %-*s  build it for this PC and try what its skill says\n"
           "  %-*s  serve it\n"
           "  %-*s  build it for a board\n"
           "  %-*s  make it one HTML file, a device to try in a browser\n",
           width, start, width, "make run", width, "make firmware BOARD=...", width, "make twin");
    return 0;
}
