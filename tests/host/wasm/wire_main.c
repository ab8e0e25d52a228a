/* wire_main.c -- the transcripts of tests/wire against the core in a WebAssembly module, each cut at a few places. Images have been packed
 * before, by skillrom.wasm. Files are the program's arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../wire/needs.h"
#include "../../wire/report.h"
#include "../../wire/transcript.h"
#include "../../wire/wires.h"

/* There are none; tests/wire/core_wire.c and needs.c ask. */
const char *firmware, *net_firmware;

void image_path(const char *device, bool compressed, struct bytes *path)
{
    bytes_text(path, "build/wasm/images/");
    bytes_text(path, device);
    bytes_text(path, compressed ? ".deflate.rom" : ".rom");
}

int main(int argc, char **argv)
{
    const char *here = getenv("SKILLROM_CWD");

    if (here == NULL || chdir(here) != 0) {
        return 2;
    }
    core_brief = true;
    for (int i = 1; i < argc; i++) {
        struct transcript t;
        transcript_read(&t, argv[i]);
        run_core(&t, false);
        if (t.compressed) {
            run_core(&t, true);
        }
        transcript_free(&t);
    }
    printf("%lu passed, %lu failed\n", totals.passed, totals.failed);
    return totals.failed > 0;
}
