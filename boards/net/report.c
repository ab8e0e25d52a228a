/* report.c -- the firmware's status report on the serial line.
 *
 *     net: slots 1/4 accepted 7 displaced 0 refused 2 timed-out 1 lost 0 dropped 0 0 ms 9 sleeps 9 pools TCP_PCB 2/8 ...
 *
 * The pools themselves are inspected: an element is free when it is in its pool's list. So any leak shows, whatever
 * caused it. */
#include "lwip/memp.h"

#include "board.h"
#include "net.h"
#include "skr_lwip.h"

static const char *const names[] = {
#define LWIP_MEMPOOL(name, number, size, description) #name,
#include "lwip/priv/memp_std.h"
};

static void say_number(uint32_t value)
{
    char digits[11];
    size_t i = sizeof digits - 1;
    digits[i] = '\0';
    do {
        digits[--i] = (char)('0' + value % 10u);
        value /= 10u;
    } while (value > 0);
    serial_say(digits + i);
}

static void say(const char *name, uint32_t value)
{
    serial_say(name);
    say_number(value);
}

static void say_pool(const char *name, const struct memp_desc *pool)
{
    uint32_t unused = 0;
    for (const struct memp *p = *pool->tab; p != NULL; p = p->next) {
        unused++;
    }
    serial_say(" ");
    serial_say(name);
    say(" ", pool->num - unused);
    say("/", pool->num);
}

void report_counts(const struct skr_lwip *net)
{
    say("net: slots ", (uint32_t)skr_lwip_in_use(net));
    say("/", SKR_LWIP_SLOTS);
    say(" accepted ", net->counts.accepted);
    say(" displaced ", net->counts.displaced);
    say(" refused ", net->counts.refused);
    say(" timed-out ", net->counts.timed_out);
    say(" lost ", net->counts.lost);
    say(" dropped ", net_dropped_in);
    say(" ", net_dropped_out);
    say(" ms ", clock_ms());
    say(" sleeps ", net_sleeps);
    serial_say(" pools");
    for (size_t i = 0; i < MEMP_MAX; i++) {
        say_pool(names[i], memp_pools[i]);
    }
    serial_say("\n");
}
