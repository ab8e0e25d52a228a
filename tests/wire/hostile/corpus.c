/* corpus.c -- see corpus.h. */
#include "corpus.h"

#include <stdio.h>
#include <string.h>

#include "skillrom.h"

#define ROOM 4096

const struct corpus_method corpus_methods[] = {
    {"completion/complete",
     "completion",
     1,
     1,
     {{"ref", "{\"type\":\"ref/resource\",\"uri\":\"skill://{name}/SKILL.md\"}", 1},
      {"argument", "{\"name\":\"name\",\"value\":\"a\"}", 1}}},
    {"initialize",
     "",
     1,
     0,
     {{"protocolVersion", "\"2025-11-25\"", 1},
      {"capabilities", "{\"roots\":{}}", 1},
      {"clientInfo", "{\"name\":\"t\",\"version\":\"1\"}", 1}}},
    {"logging/setLevel", "logging", 1, 0, {{"level", "\"info\"", 1}}},
    {"ping", "", 1, 0, {{NULL, NULL, 0}}},
    {"prompts/get",
     "prompts",
     1,
     1,
     {{"name", "\"greet\"", 1}, {"arguments", "{\"who\":\"a\\u0041\\n\",\"tone\":\"x\"}", 1}}},
    {"prompts/list", "prompts", 1, 1, {{NULL, NULL, 0}}},
    {"resources/directory/read", "", 1, 1, {{"uri", "\"skill://alpha\"", 1}}},
    {"resources/list", "", 1, 1, {{NULL, NULL, 0}}},
    {"resources/read", "", 1, 1, {{"uri", "\"skill://%61lpha/long.txt\"", 1}}},
    {"resources/subscribe", "subscribe", 1, 0, {{"uri", "\"skill://alpha/SKILL.md\"", 1}}},
    {"resources/templates/list", "", 1, 1, {{NULL, NULL, 0}}},
    {"resources/unsubscribe", "subscribe", 1, 0, {{"uri", "\"skill://alpha/SKILL.md\"", 1}}},
    {"server/discover", "", 0, 1, {{NULL, NULL, 0}}},
    {"skills/activate", "pr86", 1, 1, {{"name", "\"hidden\"", 1}}},
    {"skills/execute",
     "scripts",
     1,
     1,
     {{"name", "\"hidden\"", 1}, {"script", "\"run.sh\"", 1}, {"arguments", "{}", 0}}},
    {"skills/get", "", 1, 1, {{"uri", "\"skill://hidden/SKILL.md\"", 1}}},
    {"skills/list", "", 1, 1, {{NULL, NULL, 0}}},
    {"skills/read", "skills_page", 1, 1, {{"name", "\"alpha\"", 1}}},
    {"skills/read_reference", "skills_page", 1, 1, {{"name", "\"alpha\"", 1}, {"reference", "\"data/all.txt\"", 1}}},
    {"subscriptions/listen", "", 0, 1, {{"notifications", "{\"resourcesListChanged\":true}", 1}}},
    {"tools/call",
     "",
     1,
     1,
     {{"name", "\"echo\"", 1}, {"arguments", "{\"int\":5,\"bool\":true,\"string\":\"a\\\"b\"}", 0}}},
    {"tools/list", "", 1, 1, {{NULL, NULL, 0}}},
};
const size_t corpus_method_count = sizeof corpus_methods / sizeof corpus_methods[0];

/* Messages that no method stands for; the last ones are not even requests. */
static const char *const others[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"skill://alpha/data/"
    "bytes.bin\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"skills/get\",\"params\":{\"name\":\"hidden\",\"arguments\":{"
    "\"who\":\"a\\u0041\",\"tone\":\"{{who}}\"}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/list\",\"params\":{\"uri\":\"skill://alpha/\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"skill://alpha.tar.gz\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"skill://index.json\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"read_skill\",\"arguments\":{"
    "\"name\":\"alpha\",\"path\":\"long.txt\",\"offset\":7,\"length\":99}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"test://item/"
    "\\u00e9\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"skill://"
    "no\\\\where\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":\"a\\\"b\",\"method\":\"tools/call\",\"params\":{\"name\":\"garble\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":-7,\"method\":\"tools/"
    "call\",\"params\":{\"name\":\"flood\",\"arguments\":{\"n\":300}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":9007199254740991,\"method\":\"tools/call\",\"params\":{\"name\":\"need\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\","
    "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}",
    "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
    "x\"},"
    "{\"jsonrpc\":\"2.0\",\"id\":\"2\",\"method\":\"tools/list\"},[],5]",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\",\"params\":{}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-1,\"message\":\"x\"}}",
    "[]",
    "true",
};
#define OTHERS (sizeof others / sizeof others[0])

int corpus_has(const struct corpus_method *m)
{
    static const struct {
        const char *needs;
        int there;
    } switches[] = {{"", 1},
                    {"prompts", SKR_EXTRAS},
                    {"completion", SKR_EXTRAS},
                    {"logging", SKR_EXTRAS},
                    {"subscribe", SKR_EXTRAS},
                    {"pr86", SKR_DIALECTS},
                    {"skills_page", SKR_DIALECTS},
                    {"scripts", 0}}; /* the sample device has no handler for a script */

    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++) {
        if (strcmp(m->needs, switches[i].needs) == 0) {
            return switches[i].there;
        }
    }
    return 0;
}

const char *corpus_request(const struct corpus_method *m, int modern, const char *params)
{
    static char text[ROOM];

    snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":42,\"method\":\"%s\",\"params\":{%s%s%s}}", m->name,
             params, modern && params[0] != '\0' ? "," : "",
             modern ? "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                      "\"io.modelcontextprotocol/clientCapabilities\":{},\"io.modelcontextprotocol/clientInfo\":"
                      "{\"name\":\"t\",\"version\":\"1\"}}"
                    : "");
    return text;
}

static const char *good_params(const struct corpus_method *m)
{
    static char text[ROOM / 2];

    text[0] = '\0';
    for (size_t i = 0; i < 3 && m->params[i].name != NULL; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s\"%s\":%s", i > 0 ? "," : "", m->params[i].name,
                 m->params[i].value);
    }
    return text;
}

const char *corpus_line(size_t which)
{
    if (which < 2 * corpus_method_count) {
        return corpus_request(&corpus_methods[which / 2], which % 2 == 1, good_params(&corpus_methods[which / 2]));
    }
    which -= 2 * corpus_method_count;
    return which < OTHERS ? others[which] : NULL;
}

/* The value that Mcp-Name must repeat, as it stands in the corpus. */
static const char *name_of(const struct corpus_method *m)
{
    return strcmp(m->name, "resources/read") == 0 ? "skill://%61lpha/long.txt"
           : strcmp(m->name, "tools/call") == 0   ? "echo"
           : strcmp(m->name, "prompts/get") == 0  ? "=?base64?Z3JlZXQ=?="
                                                  : "";
}

static const char *const whole_requests[] = {
    "GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "DELETE /mcp HTTP/1.1\r\nHost: 127.0.0.1:80\r\nMcp-Session-Id: 00\r\n\r\n",
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: "
    "chunked\r\n\r\n"
    "a;x=y\r\n{\"jsonrpc\"\r\n1\r\n:\r\n23\r\n\"2.0\",\"id\":1,\"method\":\"initialize\"}\r\n0\r\nT: "
    "1\r\n\r\n",
    "POST /mcp HTTP/1.0\r\nConnection: keep-alive\r\nContent-Type: application/json; charset=utf-8\r\n"
    "Content-Length: 40\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
    "POST /mcp HTTP/1.1\r\nHost: [::1]:7700\r\nOrigin: http://localhost:3000\r\nContent-Type: "
    "application/json\r\n"
    "Expect: 100-continue\r\nContent-Length: 40\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
};
#define WHOLE (sizeof whole_requests / sizeof whole_requests[0])

const char *corpus_http(size_t which, const char *session)
{
    static char text[2 * ROOM];
    char headers[512] = "";

    if (which < WHOLE) {
        return whole_requests[which];
    }
    const char *body = corpus_line(which -= WHOLE);
    if (body == NULL) {
        return NULL;
    }
    if (which < 2 * corpus_method_count && which % 2 == 1) {
        const struct corpus_method *m = &corpus_methods[which / 2];
        snprintf(headers, sizeof headers, "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: %s\r\n%s%s%s", m->name,
                 name_of(m)[0] != '\0' ? "Mcp-Name: " : "", name_of(m), name_of(m)[0] != '\0' ? "\r\n" : "");
    } else {
        snprintf(headers, sizeof headers, "Mcp-Session-Id: %s\r\n", session);
    }
    snprintf(text, sizeof text,
             "POST /mcp HTTP/1.1\r\nHost: localhost:7700\r\nContent-Type: application/json\r\n"
             "Accept: application/json, text/event-stream\r\n%sContent-Length: %zu\r\n\r\n%s",
             headers, strlen(body), body);
    return text;
}
