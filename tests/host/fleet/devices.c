/* devices.c -- the kinds of devices and their images. See devices.h. */
#include "devices.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "console.h"

struct swarm_kind swarm_kinds[SWARM_KINDS] = {{.file = "pump.rom", .device = &swarm_pump},
                                              {.file = "pump-2.rom", .device = &swarm_pump},
                                              {.file = "valve.rom", .device = &swarm_valve},
                                              {.file = "meter.rom", .device = &swarm_meter}};

static void load(struct swarm_kind *k, const char *folder)
{
    char path[512];
    struct stat status;

    (void)snprintf(path, sizeof path, "%s/%s", folder, k->file);
    int fd = open(path, O_RDONLY);
    k->image = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_size > 0) {
        k->size = (size_t)status.st_size;
        k->image = mmap(NULL, k->size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    if (k->image == MAP_FAILED) {
        host_log("%s: %s; run: make fleet-images", path, strerror(errno));
        exit(1);
    }
    close(fd);
}

void swarm_load(const char *folder)
{
    for (unsigned i = 0; i < SWARM_KINDS; i++) {
        load(&swarm_kinds[i], folder);
    }
}
