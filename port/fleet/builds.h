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

#include "pages.h"
#include "text.h"

enum skr_build_state {
    SKR_BUILD_FREE,  /* the row is nobody's */
    SKR_BUILD_NEW,   /* nobody has been asked */
    SKR_BUILD_ASKED, /* a device is being asked */
    SKR_BUILD_KNOWN,
};

struct skr_piece_of_text {
    uint32_t at, n;
};

struct skr_described {
    struct skr_piece_of_text json;  /* as devices send it; of a skill, with URIs as clients see them */
    struct skr_piece_of_text words; /* of a tool or resource: its name, title and descriptions, decoded */
    uint64_t same;                  /* of a tool: hash of its JSON; equal ones are one tool in several builds */
    bool calm;                      /* of a tool: it only looks (readOnlyHint) */
    bool resource;                  /* it is no tool, but something that can be read */
};

struct skr_build {
    char name[SKR_FLEET_BUILD];
    char kind[SKR_FLEET_KIND];
    char folder[64]; /* of its skills' URIs: "pump-1a2b3c4d" */
    uint8_t state;   /* enum skr_build_state */
    bool cut;        /* something did not fit, and a message has said so */
    bool modern;     /* its devices answer requests of 2026-07-28, which may ask the agent something */
    uint16_t tool_count, skill_count;
    uint32_t device; /* which device is asked */
    uint32_t tries;
    uint32_t pins;   /* answers that are being made of it: its row must stay */
    uint32_t number; /* of rows in the order in which they were taken */
    uint64_t due_ms; /* when it may be asked again */
    struct skr_text text;
    struct skr_pages pages; /* while it is learned */
    struct skr_described tools[SKR_FLEET_TOOLS], skills[SKR_FLEET_SKILLS];
    /* set by skr_builds_survey_devices: */
    uint32_t present, known; /* devices that have it */
    uint32_t example;        /* one of them, if possible a present one; SKR_NO_DEVICE: none */
};

struct skr_builds {
    uint16_t count, room; /* rows that were ever taken; some of them may be free */
    uint16_t used;        /* rows that are taken */
    bool lacking;         /* there may be devices whose build has no row, for want of one */
    uint64_t look_ms;     /* when to look for such devices */
    struct skr_build *at;
};

extern struct skr_builds skr_builds;

/* Maps the table. False, after a message, when the system has no room. */
bool skr_builds_open(uint16_t room);

/* Gives a device the row of its build, d->claimed, which is text for a URI. The row is made if there is none. Without room for it
 * the device gets one later. */
void skr_builds_join(struct skr_fleet_device *d);

/* Takes the row from a device that has another build now: what it tells from now on is not about the old one. */
void skr_builds_leave(struct skr_fleet_device *d);

/* A text of a build. */
static inline struct skr_span skr_build_text(const struct skr_build *b, struct skr_piece_of_text piece)
{
    return (struct skr_span){b->text.p + piece.at, piece.n};
}

/* The tool with this name; NULL: none, or not known yet. */
const struct skr_described *skr_build_tool(const struct skr_build *b, struct skr_span name);

/* The build whose skills have this folder in their URIs; NULL: none. */
struct skr_build *skr_builds_of_folder(struct skr_span folder);

/* Counts the devices of each build that `visible` allows: sets present, known and example. */
void skr_builds_survey_devices(bool (*visible)(const void *whom, const struct skr_fleet_device *d), const void *whom);

/* What is due. Returns in how many milliseconds it wants to be called again. */
uint32_t skr_builds_turn(uint64_t now_ms);

#endif
