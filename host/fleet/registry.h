/* registry.h -- the devices that the broker has told of.
 *
 * A device is known by its id, the MQTT client id of its server; its kind is the server's name. It is present from its
 * announcement until the broker says that it is gone. Rows stay: a device that is away is still listed, and its row is
 * taken only when the table is full. */
#ifndef SKR_FLEET_REGISTRY_H
#define SKR_FLEET_REGISTRY_H

#include "fleet_config.h"

enum fleet_presence {
    FLEET_PRESENT,
    FLEET_AWAY,    /* its will, or its farewell, has come; or it was never announced again */
    FLEET_SILENT,  /* announced, but it does not answer */
    FLEET_REFUSED, /* two devices have this id */
};

/* How far the handshake with a device has got. */
enum fleet_handshake {
    FLEET_HAND_NONE,
    FLEET_HAND_SENT,  /* initialize is under way */
    FLEET_HAND_HEARD, /* it has answered; notifications/initialized comes before anything else */
    FLEET_HAND_DONE,
};

/* Why a device is asked whether it is what it seems. */
enum fleet_doubt {
    FLEET_DOUBT_NONE,
    FLEET_DOUBT_THERE, /* perhaps it went away with its broker */
    FLEET_DOUBT_TWIN,  /* it was announced again: perhaps there are two of it. Calls wait until that is known */
};

#define FLEET_NO_DEVICE UINT32_MAX
#define FLEET_NO_BUILD UINT16_MAX
#define FLEET_NO_REQUEST UINT16_MAX

struct fleet_device {
    char id[FLEET_ID];
    char kind[FLEET_KIND];
    char rival[FLEET_KIND];    /* FLEET_REFUSED: what the other one is announced as */
    char claimed[FLEET_BUILD]; /* the name of its build, as it claims or as its lists are; empty: not known */
    char earlier[9];           /* the first digits of the one before; empty: it has not changed */
    uint16_t build;            /* the row of that build; FLEET_NO_BUILD: it has none */
    uint8_t presence;          /* enum fleet_presence */
    uint8_t handshake;         /* enum fleet_handshake */
    bool stale;                /* not announced again since the broker came back */
    uint8_t doubt;             /* enum fleet_doubt */
    bool heard;                /* what it sends to us is subscribed to */
    uint16_t strays;           /* messages of it that answered nothing, in the second that began then: */
    uint64_t strays_ms;
    bool pinged;               /* it has been asked, and has not answered yet */
    bool unlearned;            /* it claims no build, and has not been asked for its content */
    uint16_t first;            /* its oldest request; FLEET_NO_REQUEST: none */
    uint16_t under_way;        /* of them, sent */
    uint16_t pins;             /* calls that will come to it: its row must stay */
    uint32_t greeting;         /* the id of the last initialize */
    uint64_t sure_ms;          /* FLEET_DOUBT_TWIN, and one has answered: until when another may */
    uint64_t announced;        /* hash of its announcement */
    uint64_t since_ms;         /* in this presence */
    uint64_t tried_ms;         /* when it was found silent, */
    uint8_t silences;          /* and how often in a row */
    uint8_t calm_at;           /* the next place of: */
    uint64_t calm[FLEET_CALM]; /* tools that it has said itself only look, by a hash of their names; rights.c */
};

struct fleet_registry {
    uint32_t count, room;
    uint32_t present;             /* of them */
    uint32_t left_out;            /* announcements for which there was no row, or with names too long */
    struct fleet_device *devices; /* rows, in no order; indices stay */
    uint32_t *order;              /* rows by id */
};

extern struct fleet_registry fleet_registry;

/* Maps the table. False, after a message, when the system has no room. */
bool fleet_registry_open(uint32_t room);

/* The row of a device; FLEET_NO_DEVICE: it is not known. */
uint32_t fleet_registry_find(struct skr_span id);

/* The place in `order` of the first device whose id is not before `id`. */
uint32_t fleet_registry_from(struct skr_span id);

/* The same, and a row is made if there is none; FLEET_NO_DEVICE: there is no room. */
uint32_t fleet_registry_row(struct skr_span id, struct skr_span kind, uint64_t now_ms);

/* Changes its presence, and counts. */
void fleet_registry_set(uint32_t device, enum fleet_presence presence, uint64_t now_ms);

/* What the device has said of its tools counts no longer: it may be another one, or have changed. */
void fleet_registry_forget_tools(uint32_t device);

/* A message of it has come that answers nothing. False: there have been FLEET_STRAYS of them in a second. */
bool fleet_registry_count_stray(uint32_t device, uint64_t now_ms);

const char *fleet_presence_text(uint8_t presence);

/* Does the text match a pattern with * and ? The whole text must; nothing is special but these. */
bool fleet_glob(struct skr_span pattern, struct skr_span text);

#endif
