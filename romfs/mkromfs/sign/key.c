/* key.c -- see key.h. */
#include "sign/key.h"

#include <stdio.h>
#include <string.h>

#include "base/rom_file.h"
#include "base/screen.h"
#include "bearssl.h"
#include "pem.h"
#include "random.h"

#define PEM_MAX 4096 /* bytes of the object in a PEM file: a key has 138 at most */

/* What stands before the point in a public key (SubjectPublicKeyInfo) of P-256. */
static const uint8_t public_head[] = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48,
                                      0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
                                      0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04};

#define CURVE (&br_ec_p256_m31)

static br_ec_private_key private_of(const struct key *key)
{
    return (br_ec_private_key){BR_EC_secp256r1, (unsigned char *)(uintptr_t)key->x, sizeof key->x};
}

/* Sets the public half from the private one. */
static bool complete_key(struct key *key)
{
    unsigned char point[BR_EC_KBUF_PUB_MAX_SIZE];
    br_ec_private_key private = private_of(key);

    if (br_ec_compute_pub(CURVE, NULL, point, &private) != 65) {
        return false;
    }
    memcpy(key->point, point + 1, sizeof key->point);
    key->is_private = true;
    return true;
}

bool key_make(struct key *key)
{
    br_hmac_drbg_context random;
    uint8_t seed[48];

    if (!host_random(seed, sizeof seed)) {
        screen_error("the system has no random bytes");
        return false;
    }
    br_hmac_drbg_init(&random, &br_sha256_vtable, seed, sizeof seed);
    return br_ec_keygen(&random.vtable, CURVE, NULL, key->x, BR_EC_secp256r1) == sizeof key->x && complete_key(key);
}

/* ---- Reading ---- */

static bool refuse_key(const char *path, const char *why)
{
    screen_error("%s: %s", path, why);
    return false;
}

struct object {
    char name[128]; /* as long as BearSSL's */
    uint8_t bytes[PEM_MAX];
    size_t n;
    bool too_long;
};

static void take_bytes(void *into, const void *bytes, size_t n)
{
    struct object *o = into;

    o->too_long |= n > sizeof o->bytes - o->n;
    n = o->too_long ? 0 : n;
    memcpy(o->bytes + o->n, bytes, n);
    o->n += n;
}

/* Finds the next object in a PEM text; *text and *n become what follows it. */
static bool next_object(const uint8_t **text, size_t *n, struct object *o)
{
    br_pem_decoder_context pem;

    br_pem_decoder_init(&pem);
    o->n = 0;
    o->too_long = false;
    while (*n > 0) {
        size_t used = br_pem_decoder_push(&pem, *text, *n);
        *text += used;
        *n -= used;
        switch (br_pem_decoder_event(&pem)) {
        case BR_PEM_BEGIN_OBJ:
            (void)snprintf(o->name, sizeof o->name, "%s", br_pem_decoder_name(&pem));
            br_pem_decoder_setdest(&pem, take_bytes, o);
            break;
        case BR_PEM_END_OBJ: return !o->too_long;
        case BR_PEM_ERROR: return false;
        default: break;
        }
    }
    return false;
}

/* Is it from 1 to below the order of the curve? BearSSL signs with any, but not so that a signature can be verified. */
static bool is_in_range(const uint8_t x[32])
{
    static const uint8_t zero[32];
    size_t n;
    const unsigned char *order = CURVE->order(BR_EC_secp256r1, &n);

    return memcmp(x, zero, sizeof zero) != 0 && n == 32 && memcmp(x, order, n) < 0;
}

static bool read_private(const struct object *o, struct key *key)
{
    br_skey_decoder_context decoder;

    br_skey_decoder_init(&decoder);
    br_skey_decoder_push(&decoder, o->bytes, o->n);
    const br_ec_private_key *ec = br_skey_decoder_get_ec(&decoder);
    if (ec == NULL || ec->curve != BR_EC_secp256r1 || ec->xlen > sizeof key->x) {
        return false;
    }
    memset(key->x, 0, sizeof key->x);
    memcpy(key->x + sizeof key->x - ec->xlen, ec->x, ec->xlen);
    return is_in_range(key->x) && complete_key(key);
}

static bool read_public(const struct object *o, struct key *key)
{
    static const unsigned char one[] = {1};
    unsigned char point[65];

    if (o->n != sizeof public_head + 64 || memcmp(o->bytes, public_head, sizeof public_head) != 0) {
        return false;
    }
    memcpy(key->point, o->bytes + sizeof public_head, 64);
    memcpy(point, o->bytes + sizeof public_head - 1, sizeof point);
    return CURVE->mul(point, sizeof point, one, sizeof one, BR_EC_secp256r1) == 1; /* is it on the curve? */
}

bool key_read(const char *path, struct key *key)
{
    static struct object object;
    struct buf file = {0};

    *key = (struct key){.is_private = false};
    if (!rom_file_read(path, &file)) {
        return false;
    }
    buf_add(&file, "\n", 1); /* the last line may lack its end */
    file.n = host_pem_unify(file.p, file.n);
    const uint8_t *text = file.p;
    size_t n = file.n;
    while (next_object(&text, &n, &object)) {
        bool private = strcmp(object.name, "EC PRIVATE KEY") == 0 || strcmp(object.name, "PRIVATE KEY") == 0;
        if (private ? read_private(&object, key)
                    : strcmp(object.name, "PUBLIC KEY") == 0 && read_public(&object, key)) {
            return true;
        }
    }
    bool encrypted = strstr(buf_str(&file), "ENCRYPTED") != NULL; /* in the first line, or below it in older files */
    return refuse_key(path, encrypted ? "the key is encrypted; `openssl pkey -in KEY.pem -out NEW.pem` decrypts it"
                                      : "not a key of P-256 in PEM; make one with `skillrom keys new`");
}

/* ---- Writing ---- */

static void add_pem(struct buf *out, const void *bytes, size_t n, const char *name)
{
    char pem[1024];

    buf_add(out, pem, br_pem_encode(pem, bytes, n, name, BR_PEM_LINE64));
}

void key_write_private(struct buf *out, const struct key *key)
{
    uint8_t der[256], point[65] = {4};
    br_ec_private_key private = private_of(key);
    br_ec_public_key public = {BR_EC_secp256r1, point, sizeof point};

    memcpy(point + 1, key->point, sizeof key->point);
    add_pem(out, der, br_encode_ec_pkcs8_der(der, &private, &public), "PRIVATE KEY");
}

void key_write_public(struct buf *out, const struct key *key)
{
    uint8_t der[sizeof public_head + 64];

    memcpy(der, public_head, sizeof public_head);
    memcpy(der + sizeof public_head, key->point, 64);
    add_pem(out, der, sizeof der, "PUBLIC KEY");
}

/* ---- Signatures ---- */

void key_sign(const struct key *key, const uint8_t sha256[32], uint8_t signature[64])
{
    br_ec_private_key private = private_of(key);

    (void)br_ecdsa_i31_sign_raw(CURVE, &br_sha256_vtable, sha256, &private, signature);
}

bool key_has_signed(const struct key *key, const uint8_t sha256[32], const uint8_t signature[64])
{
    uint8_t point[65] = {4};
    br_ec_public_key public = {BR_EC_secp256r1, point, sizeof point};

    memcpy(point + 1, key->point, sizeof key->point);
    return br_ecdsa_i31_vrfy_raw(CURVE, sha256, 32, &public, signature, 64) == 1;
}
