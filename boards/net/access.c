/* access.c -- who may use the device over HTTP, and the key by which its clients' sessions survive a reset.
 *
 * The key is in RAM that a reset does not change, so sessions end when the power goes off. A chip with a secret of its own,
 * or flash to keep one in, would use that instead; without a key sessions end with every reset. */
#include "board.h"
#include "net.h"
#include "net_config.h"
#include "skillrom.h"
#include "skr_access.h"

#ifdef NET_TOKENS
static const struct skr_grant grants[] = {
#include NET_TOKENS
};
#endif

#if NET_RECORD
extern const uint8_t link_tokens[];
static struct skr_grant grants[SKR_ACCESS_ROWS];

/* Without a sound record nobody is let in: a damaged one must not open the device, and nothing else says who may use it. */
static void use_record(struct skr_http_config *config)
{
    config->grants = grants;
    config->grant_count = skr_access_record(link_tokens, SKR_ACCESS_RECORD, grants);
    if (config->grant_count == 0) {
        serial_print("no tokens in flash, or damaged ones: every request over HTTP is refused\n");
    }
}
#endif

static struct {
    uint32_t key[4];
    uint32_t sum; /* tells a key from what is in RAM at power-on */
} kept __attribute__((section(".noinit")));

uint32_t net_sum(const void *words, size_t n)
{
    const uint32_t *word = words;
    uint32_t sum = 0x9E3779B9u;

    for (size_t i = 0; i < n / sizeof *word; i++) {
        sum = (sum ^ word[i]) * 0x85EBCA6Bu;
    }
    return sum;
}

void access_configure(struct skr_http_config *config)
{
    for (size_t i = 0; i < sizeof config->seed; i++) {
        config->seed[i] = (uint8_t)entropy_word();
    }
    if (kept.sum != net_sum(kept.key, sizeof kept.key)) {
        for (unsigned i = 0; i < 4; i++) {
            kept.key[i] = entropy_word();
        }
        kept.sum = net_sum(kept.key, sizeof kept.key);
    }
    config->session_key = (const uint8_t *)kept.key;
#ifdef NET_TOKENS
    config->grants = grants;
    config->grant_count = sizeof grants / sizeof grants[0];
#endif
#if NET_RECORD
    use_record(config);
#endif
    config->anyone = NET_ANYONE;
}
