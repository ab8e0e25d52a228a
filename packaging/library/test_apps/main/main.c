/* main.c -- what the component needs of a chip and its ESP-IDF: a request is answered, NVS keeps the session key, and HTTP
 * over the stack's loopback lets nobody in who has no token. */
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "esp_err.h"
#include "esp_event.h"
#include "esp_netif.h"
#include "nvs_flash.h"
#include "skills.h"
#include "skr_esp_http.h"
#include "unity.h"

extern const struct skr_device lamp_device;

static struct skr_server server;
static struct skr_conn conn;
static struct skr_esp_http net;

static void start(void)
{
    TEST_ASSERT_EQUAL(0, skr_server_init(&server, &lamp_device, skills_image, skills_image_size));
}

TEST_CASE("a tool call is answered", "[skillrom]")
{
    static const char call[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
                               "\"capabilities\":{},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}\n"
                               "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"set_lamp\","
                               "\"arguments\":{\"on\":true}}}\n";
    static char response[2048];
    size_t sent = 0, got = 0;

    start();
    skr_conn_open(&conn, &server, SKR_LINE);
    for (int turn = 0; turn < 100; turn++) {
        size_t room, n;
        const void *bytes;
        void *to = skr_conn_rx_room(&conn, &room);
        n = sizeof call - 1 - sent < room ? sizeof call - 1 - sent : room;
        memcpy(to, call + sent, n);
        sent += n;
        skr_conn_rx_done(&conn, n);
        n = skr_conn_tx(&conn, &bytes);
        TEST_ASSERT_LESS_THAN(sizeof response - got, n);
        memcpy(response + got, bytes, n);
        got += n;
        skr_conn_tx_done(&conn, n);
    }
    TEST_ASSERT_NOT_NULL(strstr(response, "The lamp is on."));
}

TEST_CASE("NVS keeps the session key", "[skillrom][http]")
{
    uint8_t key[sizeof net.access.session_key];

    start();
    TEST_ASSERT_EQUAL(0, skr_esp_http_open(&net, &server));
    TEST_ASSERT_TRUE(net.access.kept);
    memcpy(key, net.access.session_key, sizeof key);
    skr_sockets_close(&net.net);
    memset(&net, 0, sizeof net);
    start();
    TEST_ASSERT_EQUAL(0, skr_esp_http_open(&net, &server));
    skr_sockets_close(&net.net);
    TEST_ASSERT_EQUAL_HEX8_ARRAY(key, net.access.session_key, sizeof key);
}

#ifndef CONFIG_SKILLROM_ANYONE
TEST_CASE("without a token HTTP answers 401", "[skillrom][http]")
{
    static const char request[] = "POST " CONFIG_SKILLROM_HTTP_PATH " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                                  "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
                                  "Content-Length: 40\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    struct sockaddr_in to = {.sin_family = AF_INET};
    char response[64] = "";
    ssize_t n = -1;

    start();
    TEST_ASSERT_EQUAL(0, skr_esp_http_open(&net, &server));
    to.sin_port = htons(CONFIG_SKILLROM_HTTP_PORT);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int client = socket(AF_INET, SOCK_STREAM, 0);
    TEST_ASSERT_EQUAL(0, connect(client, (struct sockaddr *)&to, sizeof to));
    TEST_ASSERT_EQUAL(sizeof request - 1, send(client, request, sizeof request - 1, 0));
    for (int turn = 0; turn < 50 && n <= 0; turn++) {
        TEST_ASSERT_EQUAL(0, skr_sockets_run_once(&net.net, 100));
        n = recv(client, response, sizeof response - 1, MSG_DONTWAIT);
    }
    close(client);
    skr_sockets_close(&net.net);
    TEST_ASSERT_EQUAL_STRING_LEN("HTTP/1.1 401", response, 12);
}
#endif

void app_main(void)
{
    ESP_ERROR_CHECK(nvs_flash_init());
    ESP_ERROR_CHECK(esp_netif_init());
    ESP_ERROR_CHECK(esp_event_loop_create_default());
    unity_run_menu();
}
