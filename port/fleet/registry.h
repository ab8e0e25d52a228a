/* registry.h -- the devices that the broker has told of.
 *
 * A device is known by its id, the MQTT client id of its server; its kind is the server's name. It is present from its
 * announcement until the broker says that it is gone. Rows stay: a device that is away is still listed, and its row is
 * taken only when the table is full. */
#ifndef SKR_FLEET_REGISTRY_H
#define SKR_FLEET_REGISTRY_H

#include "fleet_config.h"

enum skr_presence {
    SKR_PRESENT,
    SKR_AWAY,    /* its will, or its farewell, has come; or it was never announced again */
    SKR_SILENT,  /* announced, but it does not answer */
    SKR_REFUSED, /* two devices have this id */
};

/* How far the handshake with a device has got. */
enum skr_handshake {
    SKR_HAND_NONE,
    SKR_HAND_SENT,  /* initialize is under way */
    SKR_HAND_HEARD, /* it has answered; notifications/initialized comes before anything else */
    SKR_HAND_DONE,
};

/* Why a device is asked whether it is what it seems. */
enum skr_doubt {
    SKR_DOUBT_NONE,
    SKR_DOUBT_THERE, /* perhaps it went away with its broker */
    SKR_DOUBT_TWIN,  /* it was announced again: perhaps there are two of it. Calls wait until that is known */
};

#define SKR_NO_DEVICE UINT32_MAX
#define SKR_NO_BUILD UINT16_MAX
#define SKR_NO_REQUEST UINT16_MAX

struct skr_fleet_device {
    char id[SKR_FLEET_ID];
    char kind[SKR_FLEET_KIND];
    char rival[SKR_FLEET_KIND];    /* SKR_REFUSED: what the other one is announced as */
    char claimed[SKR_FLEET_BUILD]; /* the name of its build, as it claims or as its lists are; empty: not known */
    char earlier[9];               /* the first digits of the one before; empty: it has not changed */
    uint16_t build;                /* the row of that build; SKR_NO_BUILD: it has none */
    uint8_t presence;              /* enum skr_presence */
    uint8_t handshake;             /* enum skr_handshake */
    bool stale;                    /* not announced again since the broker came back */
    uint8_t doubt;                 /* enum skr_doubt */
    bool heard;                    /* what it sends to us is subscribed to */
    uint16_t strays;               /* messages of it that answered nothing, in the second that began then: */
    uint64_t strays_ms;
    bool pinged;                   /* it has been asked, and has not answered yet */
    bool unlearned;                /* it claims no build, and has not been asked for its content */
    uint16_t first;                /* its oldest request; SKR_NO_REQUEST: none */
    uint16_t under_way;            /* of them, sent */
    uint16_t pins;                 /* calls that will come to it: its row must stay */
    uint32_t greeting;             /* the id of the last initialize */
    uint64_t sure_ms;              /* SKR_DOUBT_TWIN, and one has answered: until when another may */
    uint64_t announced;            /* hash of its announcement */
    uint64_t since_ms;             /* in this presence */
    uint64_t tried_ms;             /* when it was found silent, */
    uint8_t silences;              /* and how often in a row */
    uint8_t calm_at;               /* the next place of: */
    uint64_t calm[SKR_FLEET_CALM]; /* tools that it has said itself only look, by a hash of their names; rights.c */
};

struct skr_registry {
    uint32_t count, room;
    uint32_t present;                 /* of them */
    uint32_t left_out;                /* announcements for which there was no row, or with names too long */
    struct skr_fleet_device *devices; /* rows, in no order; indices stay */
    uint32_t *order;                  /* rows by id */
};

extern struct skr_registry skr_registry;

/* Maps the table. False, after a message, when the system has no room. */
bool skr_registry_open(uint32_t room);

/* The row of a device; SKR_NO_DEVICE: it is not known. */
uint32_t skr_registry_find(struct skr_span id);

/* The place in `order` of the first device whose id is not before `id`. */
uint32_t skr_registry_from(struct skr_span id);

/* The same, and a row is made if there is none; SKR_NO_DEVICE: there is no room. */
uint32_t skr_registry_row(struct skr_span id, struct skr_span kind, uint64_t now_ms);

/* Changes its presence, and counts. */
void skr_registry_set(uint32_t device, enum skr_presence presence, uint64_t now_ms);

/* What the device has said of its tools counts no longer: it may be another one, or have changed. */
void skr_registry_forget_tools(uint32_t device);

/* A message of it has come that answers nothing. False: there have been SKR_FLEET_STRAYS of them in a second. */
bool skr_registry_count_stray(uint32_t device, uint64_t now_ms);

const char *skr_presence_text(uint8_t presence);

/* Does the text match a pattern with * and ? The whole text must; nothing is special but these. */
bool skr_glob(struct skr_span pattern, struct skr_span text);

#endif
