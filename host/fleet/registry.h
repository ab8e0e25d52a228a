/* registry.h -- the devices that the broker has announced.
 *
 * A device is identified by its id, the MQTT client id of its server; its kind is the server's name. It is present from its
 * announcement until the broker reports that it is gone. Rows stay: a device that is away is still listed, and its row is
 * taken only when the table is full. */
#ifndef SKR_FLEET_REGISTRY_H
#define SKR_FLEET_REGISTRY_H

#include "fleet_config.h"

enum fleet_presence {
    FLEET_PRESENT,
    FLEET_AWAY,    /* it disconnected, the broker has published its will, or it was not announced again */
    FLEET_SILENT,  /* announced, but it does not respond */
    FLEET_REFUSED, /* two devices have this id */
};

/* The state of the handshake with a device. */
enum fleet_handshake {
    FLEET_HAND_NONE,
    FLEET_HAND_SENT,     /* initialize is pending */
    FLEET_HAND_ACCEPTED, /* it has responded; notifications/initialized comes before any request */
    FLEET_HAND_DONE,
};

/* Which requests a device serves. */
enum fleet_era {
    FLEET_ERA_UNKNOWN,
    FLEET_ERA_INITIALIZE,
    FLEET_ERA_MODERN, /* those of 2026-07-28, in which it may request input */
};

/* Why a device is probed. */
enum fleet_doubt {
    FLEET_DOUBT_NONE,
    FLEET_DOUBT_PRESENT,   /* it may have gone with its broker */
    FLEET_DOUBT_DUPLICATE, /* it was announced again: there may be two of it. Calls wait until that is certain */
};

#define FLEET_NO_DEVICE UINT32_MAX
#define FLEET_NO_BUILD UINT16_MAX
#define FLEET_NO_REQUEST UINT16_MAX

struct fleet_device {
    char id[FLEET_ID];
    char kind[FLEET_KIND];
    char rival[FLEET_KIND];    /* FLEET_REFUSED: the kind of the other one */
    char claimed[FLEET_BUILD]; /* the name of its build, as announced or from its lists; empty: unknown */
    char earlier[9];           /* the first digits of the previous one; empty: it has not changed */
    uint16_t build;            /* the row of that build; FLEET_NO_BUILD: it has none */
    uint8_t presence;          /* enum fleet_presence */
    uint8_t handshake;         /* enum fleet_handshake */
    bool stale;                /* not announced again since the broker came back */
    uint8_t doubt;             /* enum fleet_doubt */
    bool subscribed;           /* to the topic of its responses */
    uint16_t unexpected;       /* its messages that were not responses, in the second that began at unexpected_ms */
    uint64_t unexpected_ms;
    bool pinged;            /* a ping is pending */
    bool unidentified;      /* it announces no build, and its lists have not been read */
    uint16_t first;         /* its oldest request; FLEET_NO_REQUEST: none */
    uint16_t sent;          /* requests that are pending at the device */
    uint16_t pins;          /* calls to come: its row must stay */
    uint32_t initialize_id; /* of the last initialize */
    uint64_t settled_ms;    /* FLEET_DOUBT_DUPLICATE, and one has responded: until when another may */
    uint64_t announced;     /* hash of its announcement */
    uint64_t instance;      /* hash of its publisher's name for itself; 0: it has none */
    uint64_t since_ms;      /* in this presence */
    uint64_t tried_ms;      /* when it was last found silent */
    uint8_t silences;       /* how often in a row */
    uint8_t era;            /* enum fleet_era, from a check before a tool call; of use until its build is read */
    uint8_t read_only_at;   /* the next place of read_only */
    uint64_t read_only[FLEET_READ_ONLY]; /* tools that it describes as read-only, as hashes of their names; rights.c */
};

struct fleet_registry {
    uint32_t count, room;
    uint32_t present;             /* of them */
    uint32_t left_out;            /* announcements for which there was no row */
    struct fleet_device *devices; /* rows, in no order; indices stay */
    uint32_t *order;              /* rows by id */
};

extern struct fleet_registry fleet_registry;

/* Maps the table. False, after a message, when the system has no room. */
bool fleet_registry_open(uint32_t room);

/* The row of a device; FLEET_NO_DEVICE: unknown. */
uint32_t fleet_registry_find(struct skr_span id);

/* The place in `order` of the first device whose id is not before `id`. */
uint32_t fleet_registry_from(struct skr_span id);

/* The row of a device, which is made if there is none; FLEET_NO_DEVICE: there is no room. */
uint32_t fleet_registry_row(struct skr_span id, struct skr_span kind, uint64_t now_ms);

/* Changes its presence, and counts. */
void fleet_registry_set(uint32_t device, enum fleet_presence presence, uint64_t now_ms);

/* Forgets the era of the device and which tools it described as read-only: it may be another one, or have changed. */
void fleet_registry_forget_facts(uint32_t device);

/* Counts an unexpected message of the device. False: there have been FLEET_UNEXPECTED in a second. */
bool fleet_registry_count_unexpected(uint32_t device, uint64_t now_ms);

const char *fleet_presence_text(uint8_t presence);

/* Whether the whole text matches a pattern with * and ?; no other character is special. */
bool fleet_glob(struct skr_span pattern, struct skr_span text);

#endif
