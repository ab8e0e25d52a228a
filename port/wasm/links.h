/* links.h -- connections of the core as exported functions, for links.mjs. Every module has them: the device of twin.c
 * and the bridge of host/wasm. JavaScript moves the bytes, and passes the time. */
#ifndef SKR_WASM_LINKS_H
#define SKR_WASM_LINKS_H

#include "skillrom.h"

#define WASM_EXPORT(name) __attribute__((export_name(#name)))

/* Connects the links to a server that is ready. Clients have full access: the program around the module admits them. */
void links_begin(struct skr_server *server);

#endif
