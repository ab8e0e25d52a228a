// lamp_wifi.ino - the lamp on Wi-Fi: MCP over HTTP, at http://ADDRESS/mcp. skills.c, skills.h and tools.h are what
// `skillrom pack device --emit-c skills.c --header tools.h` writes.
#include <WiFi.h>
#include <skillrom.h>

#include "secrets.h"
#include "skills.h"

#if !SKR_HTTP
#error "lamp_wifi: this board has profile tiny, which has no HTTP: add -DSKR_PROFILE_NET to the flags of the compiler"
#endif

extern "C" const struct skr_device lamp_device;

static const unsigned IDLE_MS = 75000;   // a connection without a request
static const unsigned REQUEST_MS = 10000; // a request that does not arrive, a response that does not leave
static const int CONNECTIONS = 3;         // each 2.5 KB of RAM

static struct skr_server server;
static WiFiServer listener(80);

struct Slot {
    WiFiClient client;
    struct skr_conn conn;
    bool open;
    unsigned long moved_ms; // when bytes last moved
};
static Slot slots[CONNECTIONS];

// Random bytes for the ids of sessions, which nobody may guess.
static uint32_t dice()
{
#if defined(ARDUINO_ARCH_ESP32)
    return esp_random();
#elif defined(ARDUINO_ARCH_RP2040)
    return rp2040.hwrand32();
#else
#error "lamp_wifi: which function gives random numbers on this board?"
#endif
}

static void start_server()
{
    static struct skr_http_config http = {};
    static const struct skr_grant grants[] = {
#include "tokens.h"
    };

    http.path = "/mcp";
    http.grants = grants;
    http.grant_count = sizeof grants / sizeof grants[0];
    for (size_t i = 0; i < sizeof http.seed; i++) {
        http.seed[i] = (uint8_t)dice();
    }
    int error = skr_server_init(&server, &lamp_device, skills_image, skills_image_size);
    if (error != 0) {
        Serial.println(skr_server_reason(error));
        for (;;) {
            delay(1000);
        }
    }
    skr_server_http(&server, &http);
}

// Bytes from the client into the core, as far as it has room.
static bool take(Slot &slot)
{
    size_t room;
    void *to = skr_conn_rx_room(&slot.conn, &room);
    int n = room > 0 && slot.client.available() > 0 ? slot.client.read((uint8_t *)to, room) : 0;

    skr_conn_rx_done(&slot.conn, n > 0 ? (size_t)n : 0);
    return n > 0;
}

// Bytes from the core to the client; what it does not take is given again.
static bool give(Slot &slot)
{
    const void *bytes;
    size_t n = skr_conn_tx(&slot.conn, &bytes);
    size_t sent = n > 0 ? slot.client.write((const uint8_t *)bytes, n) : 0;

    skr_conn_tx_done(&slot.conn, sent);
    return sent > 0;
}

static void turn(Slot &slot)
{
    bool moved = take(slot);
    moved = give(slot) || moved;

    if (moved) {
        slot.moved_ms = millis();
    }
    bool busy = skr_conn_activity(&slot.conn) != SKR_IDLE;
    bool late = millis() - slot.moved_ms > (busy ? REQUEST_MS : IDLE_MS);
    if (skr_conn_finished(&slot.conn) || !slot.client.connected() || late) {
        skr_conn_close(&slot.conn);
        slot.client.stop();
        slot.open = false;
    }
}

// A client that has come, into a slot that is free; otherwise it waits in the stack.
static void welcome(Slot &slot)
{
    slot.client = listener.accept();
    if (slot.client) {
        skr_conn_open(&slot.conn, &server, SKR_HTTP_1);
        slot.open = true;
        slot.moved_ms = millis();
    }
}

void setup()
{
    Serial.begin(115200);
    WiFi.begin(LAMP_SSID, LAMP_PASSWORD);
    while (WiFi.status() != WL_CONNECTED) {
        delay(100);
    }
    start_server();
    listener.begin();
    Serial.print("lamp: http://");
    Serial.print(WiFi.localIP());
    Serial.println("/mcp");
}

void loop()
{
    for (Slot &slot : slots) {
        if (slot.open) {
            turn(slot);
        } else {
            welcome(slot);
        }
    }
#if SKR_JOBS
    skr_server_tick(&server, millis());
#endif
}
