/* report.c -- the firmware's status report on the serial line.
 *
 *     net: slots 1/4 accepted 7 displaced 0 refused 2 timed-out 1 lost 0 dropped 0 0 ms 9 sleeps 9 pools TCP_PCB 2/8 ...
 *
 * The pools themselves are inspected: an element is free when it is in its pool's list. So any leak shows, whatever
 * caused it. */
#include "board.h"
#include "lwip/memp.h"
#include "net.h"
#include "skr_lwip.h"

static const char *const names[] = {
#define LWIP_MEMPOOL(name, number, size, description) #name,
#include "lwip/priv/memp_std.h"
};

static void print_number(uint32_t value)
{
    char digits[11];
    size_t i = sizeof digits - 1;

    digits[i] = '\0';
    do {
        digits[--i] = (char)('0' + value % 10u);
        value /= 10u;
    } while (value > 0);
    serial_print(digits + i);
}

static void print_count(const char *name, uint32_t value)
{
    serial_print(name);
    print_number(value);
}

static void print_pool(const char *name, const struct memp_desc *pool)
{
    uint32_t unused = 0;

    for (const struct memp *p = *pool->tab; p != NULL; p = p->next) {
        unused++;
    }
    serial_print(" ");
    serial_print(name);
    print_count(" ", pool->num - unused);
    print_count("/", pool->num);
}

void report_counts(const struct skr_lwip *net)
{
    print_count("net: slots ", (uint32_t)skr_lwip_in_use(net));
    print_count("/", SKR_LWIP_SLOTS);
    print_count(" accepted ", net->counts.accepted);
    print_count(" displaced ", net->counts.displaced);
    print_count(" refused ", net->counts.refused);
    print_count(" timed-out ", net->counts.timed_out);
    print_count(" lost ", net->counts.lost);
    print_count(" dropped ", net_dropped_in);
    print_count(" ", net_dropped_out);
    print_count(" ms ", clock_ms());
    print_count(" sleeps ", net_sleeps);
    serial_print(" pools");
    for (size_t i = 0; i < MEMP_MAX; i++) {
        print_pool(names[i], memp_pools[i]);
    }
    serial_print("\n");
}
