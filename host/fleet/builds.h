/* builds.h -- the content of devices, once for all devices that have the same.
 *
 * A device announces its build (meta.build), or its lists are read, and their digest is its build. The first device of a build that
 * responds sends its tools and skills; the others are assumed to have the same. Descriptions stay in memory, because
 * find_tools searches them; files stay on disk (skill_files.c).
 *
 * Texts of a build are only appended to while its lists are read. They stay while the build has pins: its row may be taken by
 * another build when there is no free one. */
#ifndef SKR_FLEET_BUILDS_H
#define SKR_FLEET_BUILDS_H

#include "json_text.h"
#include "lists.h"

enum fleet_build_state {
    FLEET_BUILD_FREE,
    FLEET_BUILD_NEW,     /* its lists have not been read */
    FLEET_BUILD_READING, /* a device sends them */
    FLEET_BUILD_READY,
};

struct fleet_text_range {
    uint32_t at, n;
};

struct fleet_tool_row {
    struct fleet_text_range json;  /* as devices send it; of a skill, with URIs as clients see them */
    struct fleet_text_range words; /* of a tool or resource: its name, title and descriptions, decoded */
    uint64_t same;                 /* of a tool: hash of its JSON; equal ones are one tool in several builds */
    bool resource;                 /* not a tool, but a resource of the firmware */
};

struct fleet_build {
    char name[FLEET_BUILD];
    char kind[FLEET_KIND];
    char folder[64]; /* of its skills' URIs: "pump-1a2b3c4d" */
    uint8_t state;   /* enum fleet_build_state */
    bool truncated;  /* something did not fit, and a message has reported it */
    bool modern;     /* its devices serve requests of 2026-07-28, in which they may request input */
    uint16_t tool_count, skill_count;
    uint32_t device; /* whose lists are read */
    uint32_t tries;
    uint32_t pins;   /* responses in progress: its row must stay */
    uint32_t number; /* of rows in the order in which they were taken */
    uint64_t due_ms; /* when its lists may be read again */
    struct fleet_json text;
    struct fleet_lists lists; /* FLEET_BUILD_READING */
    struct fleet_tool_row tools[FLEET_TOOLS], skills[FLEET_SKILLS];
    /* set by fleet_builds_count_devices: */
    uint32_t present, devices; /* that have it */
    uint32_t example;          /* one of them, if possible a present one; FLEET_NO_DEVICE: none */
};

struct fleet_builds {
    uint16_t count, room; /* rows that were ever taken; some of them may be free */
    uint16_t used;        /* rows that are taken */
    bool lacking;         /* there may be devices whose build has no row, for want of one */
    uint64_t look_ms;     /* when to look for such devices */
    uint32_t changes;     /* of lists of skills and resources: clients are notified in the next turn (backend.c) */
    struct fleet_build *at;
};

extern struct fleet_builds fleet_builds;

/* Maps the table. False, after a message, when the system has no room. */
bool fleet_builds_open(uint16_t room);

/* Gives a device the row of its build, d->claimed, which is text for a URI. The row is made if there is none. Without room for it
 * the device gets one later. */
void fleet_builds_join(struct fleet_device *d);

/* Takes the row from a device that has another build now. */
void fleet_builds_leave(struct fleet_device *d);

/* A text of a build. */
static inline struct skr_span fleet_build_text(const struct fleet_build *b, struct fleet_text_range range)
{
    return (struct skr_span){b->text.p + range.at, range.n};
}

/* The tool with this name; NULL: none, or unknown. */
const struct fleet_tool_row *fleet_build_tool(const struct fleet_build *b, struct skr_span name);

/* The build whose skills have this folder in their URIs; NULL: none. */
struct fleet_build *fleet_builds_of_folder(struct skr_span folder);

/* Counts the devices of each build that the client can see, NULL: all. Sets present, devices and example. */
struct fleet_client;
void fleet_builds_count_devices(const struct fleet_client *client);

/* Reads lists that are due. Returns the milliseconds until the next call is due. */
uint32_t fleet_builds_turn(uint64_t now_ms);

#endif
