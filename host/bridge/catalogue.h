/* catalogue.h -- what the bridge knows about a device's content, and what it may answer itself.
 *
 * Two kinds of answers need not cross the line twice:
 *   lists        depend on image and firmware alone: stored under the device's identity, which it
 *                reports in reliable mode
 *   files        whose digest the device has given in skills/list: stored under that digest, for any
 *                device and image that has the file
 * Everything else is requested from the device. Identity and digest only say where to look, because any device can
 * claim another's. A stored answer is used for a device only if the device has sent it on this connection, or has
 * confirmed it by a mark (mark.h). */
#ifndef SKR_KNOW_H
#define SKR_KNOW_H

#include "../../port/uart/frame.h"
#include "bridge_config.h"
#include "cache.h"

enum bridge_subject_kind {
    BRIDGE_SUBJECT_OTHER,
    BRIDGE_SUBJECT_LIST,
    BRIDGE_SUBJECT_FILE,
};

/* What a request asks for. Determined once; the digest of a file is looked up when needed. */
struct bridge_subject {
    enum bridge_subject_kind kind;
    bool modern;
    bool has_capabilities; /* initialize, server/discover */
    bool has_digests;      /* skills/list, skills/get */
    bool has_tools;        /* tools/list, */
    bool from_start;       /* and its first page */
    uint64_t uri;          /* of a file, hashed */
    uint8_t request[32];   /* digest of all that shapes the answer: version, capabilities, parameters */
};

/* Digests, by a hash of what they belong to. */
struct bridge_digests {
    unsigned count;
    struct bridge_digest {
        uint64_t of; /* 0: free */
        uint8_t digest[32];
    } at[BRIDGE_DIGESTS];
};

struct bridge_catalogue {
    bool has_identity;
    uint8_t identity[SKR_FRAME_IDENTITY];
    struct bridge_digests files;     /* of contents, as the device has given them: by URI */
    struct bridge_digests responses; /* of answers it has sent or confirmed: by request */
    bool listing;                    /* the bridge is reading the list of tools, and still has all pages read so far */
    unsigned pages;                  /* how many those are */
    bool tools_known;                /* `headed` is complete */
    unsigned headed_count;
    struct { /* tools whose arguments HTTP headers repeat: their descriptions */
        size_t n;
        char json[BRIDGE_HEADED_MAX];
    } headed[BRIDGE_HEADED];
    unsigned read_only_count;
    uint64_t read_only[BRIDGE_READ_ONLY]; /* tools that only look (readOnlyHint), by a hash of their names */
    uint8_t features;                     /* enum skr_list_bit: the lists that the device has */
};

/* A device has connected, possibly a different one. `identity` NULL: it has not reported one. */
void bridge_catalogue_reset(struct bridge_catalogue *k, const uint8_t *identity);

/* Analyses a request. `handshake` is its client's initialize request, if there was one. */
void bridge_catalogue_subject(struct bridge_subject *s, struct skr_span message, struct skr_span handshake);

/* If this device has sent or confirmed the answer: writes it to `to` and returns its length; otherwise 0. */
size_t bridge_catalogue_response(struct bridge_catalogue *k, const struct bridge_subject *s, char *to, size_t room);

/* Likewise for an answer stored by any device. With `room` 0: only whether there is one, not 0 if so. */
size_t bridge_catalogue_kept(struct bridge_catalogue *k, const struct bridge_subject *s, char *to, size_t room);

/* The stored answer is this device's; or it is not, and is removed. */
void bridge_catalogue_confirm(struct bridge_catalogue *k, const struct bridge_subject *s, struct skr_span result);
void bridge_catalogue_drop(struct bridge_catalogue *k, const struct bridge_subject *s);

/* The description of the tool with this name, a JSON string, if headers repeat its arguments; otherwise empty. */
struct skr_span bridge_catalogue_headed(const struct bridge_catalogue *k, struct skr_span name);

/* Does the device say that this tool, a JSON string, only looks? */
bool bridge_catalogue_is_read_only(const struct bridge_catalogue *k, struct skr_span name);

/* The verdict on a result. */
enum bridge_result_verdict {
    BRIDGE_RESULT_FINE,
    BRIDGE_RESULT_PROVEN,  /* its content has the digest that the device gave */
    BRIDGE_RESULT_DAMAGED, /* it has a different one */
};

/* Checks a result from the device, learns digests and tools from it, and stores it if that is allowed. */
enum bridge_result_verdict bridge_catalogue_result(struct bridge_catalogue *k, const struct bridge_subject *s,
                                                   struct skr_span result);

/* Adds listChanged to the capabilities in a result: the bridge notices when the device has been replaced. Returns the
 * new length. */
size_t bridge_catalogue_promise(struct bridge_catalogue *k, char *result, size_t n, size_t room);

#endif
