/* know.h -- what the bridge knows about a device's content, and what it may answer itself.
 *
 * Two kinds of answers need not cross the line twice:
 *   lists        depend on image and firmware alone: kept by the device's identity, which it
 *                tells in reliable mode
 *   files        whose digest the device has told in skills/list: kept by that digest, for any
 *                device and image that has the file
 * Everything else is asked. Identity and digest only say where to look: any device can tell another's. What is kept is
 * used for a device when that has said it on this connection, or has confirmed it by a mark (mark.h). */
#ifndef SKR_KNOW_H
#define SKR_KNOW_H

#include "../uart/frame.h"
#include "bridge_config.h"
#include "cache.h"

enum skr_subject_kind {
    SKR_SUBJECT_OTHER,
    SKR_SUBJECT_LIST,
    SKR_SUBJECT_FILE,
};

/* What a request asks for. Made once; the digest of a file is looked up when it is needed. */
struct skr_subject {
    enum skr_subject_kind kind;
    bool modern;
    bool tells_capabilities; /* initialize, server/discover */
    bool tells_digests;      /* skills/list, skills/get */
    bool tells_tools;        /* tools/list, */
    bool from_start;         /* and its first page */
    uint64_t uri;            /* of a file, hashed */
    uint8_t request[32];     /* digest of all that shapes the answer: version, capabilities, parameters */
};

/* Digests by what they are of. */
struct skr_digests {
    unsigned count;
    struct skr_digest {
        uint64_t of; /* 0: free */
        uint8_t digest[32];
    } at[SKR_BRIDGE_DIGESTS];
};

struct skr_know {
    bool has_identity;
    uint8_t identity[SKR_FRAME_IDENTITY];
    struct skr_digests files;   /* contents, as the device has told: by URI */
    struct skr_digests answers; /* as it has said or confirmed them: by request */
    bool listing;               /* the bridge is reading the list of tools, and has forgotten nothing of it */
    bool tools_known;           /* `headed` has all there are */
    unsigned headed_count;
    struct { /* tools whose arguments HTTP headers repeat: their descriptions */
        size_t n;
        char json[SKR_BRIDGE_HEADED_MAX];
    } headed[SKR_BRIDGE_HEADED];
    uint8_t features; /* enum skr_news_bit: lists the device has */
};

/* A device has come: another one, for all we know. `identity` NULL: it does not tell. */
void skr_know_reset(struct skr_know *k, const uint8_t *identity);

/* Reads a request. `handshake` is the initialize request of its client, if it has one. */
void skr_know_subject(struct skr_subject *s, struct skr_span message, struct skr_span handshake);

/* The answer, when this device has said or confirmed it: written to `to`; its length, 0 when it has not. */
size_t skr_know_answer(struct skr_know *k, const struct skr_subject *s, char *to, size_t room);

/* What was kept for such a request, by whatever device: likewise. With `room` 0 only whether there is something. */
size_t skr_know_kept(struct skr_know *k, const struct skr_subject *s, char *to, size_t room);

/* It is this device's answer; or it is not, and is not kept any longer. */
void skr_know_confirm(struct skr_know *k, const struct skr_subject *s, struct skr_span result);
void skr_know_drop(struct skr_know *k, const struct skr_subject *s);

/* The description of the tool with this name, a JSON string, when headers repeat its arguments; else empty. */
struct skr_span skr_know_headed(const struct skr_know *k, struct skr_span name);

/* What a result has come to. */
enum skr_verdict_of_result {
    SKR_RESULT_FINE,
    SKR_RESULT_PROVEN,  /* its content has the digest that was told */
    SKR_RESULT_DAMAGED, /* it has another one */
};

/* Looks at a result that came from the device, keeps it if it may be kept, and learns. */
enum skr_verdict_of_result skr_know_result(struct skr_know *k, const struct skr_subject *s, struct skr_span result);

/* Promises changes of lists in a result that tells capabilities: the bridge will notice when
 * the device is another one. Returns the new length. */
size_t skr_know_promise(struct skr_know *k, char *result, size_t n, size_t room);

#endif
