/* requests.h -- requests as a client of 2026-07-28 sends them, for firmware that asks itself. */
#ifndef QEMU_REQUESTS_H
#define QEMU_REQUESTS_H

#define META                                                                                                           \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                           \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

/* `params` is empty or ends with a comma. */
#define REQUEST(method, params)                                                                                        \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" method "\",\"params\":{" params META "}}\n"

struct request {
    const char *name; /* for the table */
    const char *text;
};

#endif
