/* catalogue.h -- the known content of a device, and the responses that the bridge may send by itself.
 *
 * Two kinds of responses need not cross the line twice:
 *   lists        depend on image and firmware alone: stored under the device's identity, which it
 *                reports in reliable mode
 *   files        whose digest the device has given in skills/list: stored under that digest, for any
 *                device and image that has the file
 * Everything else is requested from the device. Identity and digest are only keys, because any device can claim another's. A
 * stored response is used for a device only if the device has sent it on this connection, or has confirmed it with a validator
 * (validator.h). */
#ifndef BRIDGE_CATALOGUE_H
#define BRIDGE_CATALOGUE_H

#include "../../port/uart/frame.h"
#include "bridge_config.h"
#include "cache.h"

enum bridge_subject_kind {
    BRIDGE_SUBJECT_OTHER,
    BRIDGE_SUBJECT_LIST,
    BRIDGE_SUBJECT_FILE,
};

/* The subject of a request. Determined once; the digest of a file is looked up when needed. */
struct bridge_subject {
    enum bridge_subject_kind kind;
    bool modern;
    bool has_capabilities; /* initialize, server/discover */
    bool has_digests;      /* skills/list, skills/get */
    bool has_tools;        /* tools/list, */
    bool from_start;       /* and its first page */
    uint64_t uri;          /* of a file, hashed */
    uint8_t request[32];   /* digest of version, capabilities and parameters, on which the response depends */
};

/* Digests, in a table with open addressing. */
struct bridge_digests {
    unsigned count;
    struct bridge_digest {
        uint64_t of; /* hash of a URI or request; 0 if free */
        uint8_t digest[32];
    } at[BRIDGE_DIGESTS];
};

struct bridge_catalogue {
    bool has_identity;
    uint8_t identity[SKR_FRAME_IDENTITY];
    struct bridge_digests files;     /* of files, from the device's lists; by URI */
    struct bridge_digests responses; /* of responses that it has sent or confirmed; by request */
    bool listing;                    /* the bridge is reading the list of tools, and still has all pages read so far */
    unsigned pages;                  /* the number of those pages */
    bool tools_complete;             /* `headed` is complete */
    unsigned headed_count;
    struct { /* descriptions of tools whose arguments HTTP headers repeat */
        size_t n;
        char json[BRIDGE_HEADED_MAX];
    } headed[BRIDGE_HEADED];
    unsigned read_only_count;
    uint64_t read_only[BRIDGE_READ_ONLY]; /* hashes of the names of tools with readOnlyHint */
    uint8_t features;                     /* enum skr_list_bit: the lists that the device has */
};

/* Forgets everything, because a device has connected, possibly another one. `identity` is NULL if it has not reported one. */
void bridge_catalogue_reset(struct bridge_catalogue *k, const uint8_t *identity);

/* Analyses a request. `handshake` is its client's initialize request, if there was one. */
void bridge_catalogue_subject(struct bridge_subject *s, struct skr_span message, struct skr_span handshake);

/* Writes the response to `to` and returns its length if this device has sent or confirmed it; otherwise returns 0. */
size_t bridge_catalogue_response(struct bridge_catalogue *k, const struct bridge_subject *s, char *to, size_t room);

/* Likewise for a response stored for any device. With `room` 0 it only returns whether there is one, not 0 if so. */
size_t bridge_catalogue_kept(struct bridge_catalogue *k, const struct bridge_subject *s, char *to, size_t room);

/* Confirms that the stored response is this device's; or removes it. */
void bridge_catalogue_confirm(struct bridge_catalogue *k, const struct bridge_subject *s, struct skr_span result);
void bridge_catalogue_drop(struct bridge_catalogue *k, const struct bridge_subject *s);

/* The description of the tool with this name, a JSON string, if headers repeat its arguments; otherwise empty. */
struct skr_span bridge_catalogue_headed(const struct bridge_catalogue *k, struct skr_span name);

/* True if the device marks this tool, a JSON string, as read-only. */
bool bridge_catalogue_is_read_only(const struct bridge_catalogue *k, struct skr_span name);

/* The result of a check. */
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
