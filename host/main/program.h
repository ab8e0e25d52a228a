/* program.h -- what the program skillrom says of itself, on every system that it runs on. */
#ifndef HOST_PROGRAM_H
#define HOST_PROGRAM_H

#include "romfs.h"
#include "skillrom.h"

#define PROGRAM_TEXT_(x) #x
#define PROGRAM_TEXT(x) PROGRAM_TEXT_(x)

/* A struct host_program with these commands, an array. */
#define SKILLROM_PROGRAM(table)                                                                                        \
    {                                                                                                                  \
        .name = "skillrom", .version = SKR_VERSION ", image format " PROGRAM_TEXT(ROMFS_VERSION),                      \
        .summary = "make and serve images of Agent Skills for devices",                                                \
        .about = "Makes read-only images of Agent Skills for devices that carry their own manual.",                    \
        .commands = (table), .command_count = sizeof(table) / sizeof(table)[0]                                         \
    }

#endif
