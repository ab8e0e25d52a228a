/* builds.h -- what devices contain, once for all devices that contain the same.
 *
 * A device says in its announcement which build it is (meta.build), or it is asked for its lists, and their digest is its
 * build. The first device of a build that answers is asked for its tools and skills; the others are believed to have the
 * same. Descriptions stay in memory, because find_tools searches them; files stay on disk (skills.c).
 *
 * Texts of a build are only appended to while it is learned. They stay while the build has pins: its row may be taken by another
 * build when there is no free one. */
#ifndef SKR_FLEET_BUILDS_H
#define SKR_FLEET_BUILDS_H

#include "lists.h"
#include "json_text.h"

enum fleet_build_state {
    FLEET_BUILD_FREE,  /* the row is nobody's */
    FLEET_BUILD_NEW,   /* nobody has been asked */
    FLEET_BUILD_ASKED, /* a device is being asked */
    FLEET_BUILD_KNOWN,
};

struct fleet_text_range {
    uint32_t at, n;
};

struct fleet_tool_row {
    struct fleet_text_range json;  /* as devices send it; of a skill, with URIs as clients see them */
    struct fleet_text_range words; /* of a tool or resource: its name, title and descriptions, decoded */
    uint64_t same;                 /* of a tool: hash of its JSON; equal ones are one tool in several builds */
    bool calm;                     /* of a tool: it only looks (readOnlyHint) */
    bool resource;                 /* it is no tool, but something that can be read */
};

struct fleet_build {
    char name[FLEET_BUILD];
    char kind[FLEET_KIND];
    char folder[64]; /* of its skills' URIs: "pump-1a2b3c4d" */
    uint8_t state;   /* enum fleet_build_state */
    bool cut;        /* something did not fit, and a message has said so */
    bool modern;     /* its devices answer requests of 2026-07-28, which may ask the agent something */
    uint16_t tool_count, skill_count;
    uint32_t device; /* which device is asked */
    uint32_t tries;
    uint32_t pins;   /* answers that are being made of it: its row must stay */
    uint32_t number; /* of rows in the order in which they were taken */
    uint64_t due_ms; /* when it may be asked again */
    struct fleet_json text;
    struct fleet_lists pages; /* while it is learned */
    struct fleet_tool_row tools[FLEET_TOOLS], skills[FLEET_SKILLS];
    /* set by fleet_builds_survey_devices: */
    uint32_t present, known; /* devices that have it */
    uint32_t example;        /* one of them, if possible a present one; FLEET_NO_DEVICE: none */
};

struct fleet_builds {
    uint16_t count, room; /* rows that were ever taken; some of them may be free */
    uint16_t used;        /* rows that are taken */
    bool lacking;         /* there may be devices whose build has no row, for want of one */
    uint64_t look_ms;     /* when to look for such devices */
    struct fleet_build *at;
};

extern struct fleet_builds fleet_builds;

/* Maps the table. False, after a message, when the system has no room. */
bool fleet_builds_open(uint16_t room);

/* Gives a device the row of its build, d->claimed, which is text for a URI. The row is made if there is none. Without room for it
 * the device gets one later. */
void fleet_builds_join(struct fleet_device *d);

/* Takes the row from a device that has another build now: what it tells from now on is not about the old one. */
void fleet_builds_leave(struct fleet_device *d);

/* A text of a build. */
static inline struct skr_span fleet_build_text(const struct fleet_build *b, struct fleet_text_range piece)
{
    return (struct skr_span){b->text.p + piece.at, piece.n};
}

/* The tool with this name; NULL: none, or not known yet. */
const struct fleet_tool_row *fleet_build_tool(const struct fleet_build *b, struct skr_span name);

/* The build whose skills have this folder in their URIs; NULL: none. */
struct fleet_build *fleet_builds_of_folder(struct skr_span folder);

/* Counts the devices of each build that `visible` allows: sets present, known and example. */
void fleet_builds_survey_devices(bool (*visible)(const void *whom, const struct fleet_device *d), const void *whom);

/* What is due. Returns in how many milliseconds it wants to be called again. */
uint32_t fleet_builds_turn(uint64_t now_ms);

#endif
