// tank.cc -- a device in C++: handlers, tables and the loop around a connection, on a core compiled as C.
// part_sources.sh links it. Says "as expected" when every response is, and exits with 1 when one is not.
#include <cstdint>
#include <cstdio>
#include <string>

#define SKR_TOOLS_TABLE
#include "tools.h"

#include "skills.h"

namespace
{

struct Tank {
    std::int32_t litres;
};

std::string exchange(skr_conn &conn, const std::string &request)
{
    std::string response;
    for (std::size_t at = 0; at < request.size();) {
        std::size_t taken = skr_conn_rx(&conn, request.data() + at, request.size() - at);
        if (taken == 0) {
            return "the connection takes no more";
        }
        at += taken;
    }
    const void *bytes;
    while (std::size_t n = skr_conn_tx(&conn, &bytes)) {
        response.append(static_cast<const char *>(bytes), n);
        skr_conn_tx_done(&conn, n);
    }
    return response;
}

bool expect(skr_conn &conn, const char *method, const char *params, const char *part)
{
    const std::string meta = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                             "\"io.modelcontextprotocol/clientCapabilities\":{}}";
    const std::string request = std::string("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"") + method +
                                "\",\"params\":{" + params + "," + meta + "}}\n";
    const std::string response = exchange(conn, request);
    const bool there = response.find(part) != std::string::npos;

    if (!there) {
        std::printf("no %s in: %s\n", part, response.c_str());
    }
    return there;
}

} // namespace

int tool_fill(skr_call *call, const tool_fill_args *args)
{
    Tank *tank = static_cast<Tank *>(skr_context(call));

    tank->litres += args->litres;
    skr_putf(call, "%s to %d", args->how == TOOL_FILL_HOW_FAST ? "fast" : "slow", static_cast<int>(tank->litres));
    return 0;
}

int resource_level(skr_call *call, skr_span n)
{
    const Tank *tank = static_cast<const Tank *>(skr_context(call));

    skr_putf(call, "tank %.*s has %d", SKR_SPAN_ARG(n), static_cast<int>(tank->litres));
    return 0;
}

int main()
{
    static Tank tank = {5};
    static skr_server server;
    static skr_conn conn;
    skr_device device = {};

    device.tools = skr_tools;
    device.tool_count = SKR_TOOL_COUNT;
    device.resources = skr_resources;
    device.resource_count = SKR_RESOURCE_COUNT;
    device.context = &tank;
    const int error = skr_server_init(&server, &device, skills_image, skills_image_size);
    if (error != 0) {
        std::printf("%s\n", skr_server_reason(error));
        return 1;
    }
    skr_conn_open(&conn, &server, SKR_LINE);
    bool well = expect(conn, "tools/call", "\"name\":\"fill\",\"arguments\":{\"litres\":37,\"how\":\"fast\"}",
                       "\"text\":\"fast to 42\"");
    well = expect(conn, "resources/read", "\"uri\":\"tank://7/level\"", "\"text\":\"tank 7 has 42\"") && well;
    skr_conn_close(&conn);
    if (well) {
        std::printf("as expected: 2 answers\n");
    }
    return well ? 0 : 1;
}
