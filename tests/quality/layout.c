/* layout.c -- a program that hands the core its structs, in C or C++: tests/quality/run-layout compiles it with a configuration of its own,
 * and links it with a core that has the usual ones. */
#ifdef __cplusplus
extern "C" {
#endif
#include "skillrom.h"
#ifdef __cplusplus
}
#endif

static struct skr_server server;
static struct skr_conn conn;
static const struct skr_device device = {};

/* For the test to see whether a macro changes them. */
extern const size_t layout[9];
const size_t layout[9] = {sizeof server,
                          sizeof conn,
                          offsetof(struct skr_conn, response),
                          offsetof(struct skr_conn, in),
                          offsetof(struct skr_conn, output),
                          offsetof(struct skr_conn, scratch),
                          offsetof(struct skr_server, tokens),
                          sizeof(struct skr_response),
                          sizeof device};

int main(void)
{
#ifndef ONLY_OPEN
    if (skr_server_init(&server, &device, "", 0) == 0) {
        return 1; /* that was no image */
    }
#endif
#ifndef ONLY_INIT
    skr_conn_open(&conn, &server, SKR_LINE);
#endif
    return 0;
}
