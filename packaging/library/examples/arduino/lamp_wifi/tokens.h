/* tokens.h -- yours: `skillrom token alice --emit-c tokens.h` prints alice's token and writes this file. Nobody has this one. */
{"nobody", {0}, SKR_MAY_READ},
