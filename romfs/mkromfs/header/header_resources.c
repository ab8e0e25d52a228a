/* header_resources.c -- the resources of the firmware in the header: a prototype and a row each. See header.h. */
#include <string.h>

#include "header/header_parts.h"

void header_resources(struct buf *out, const struct device *device)
{
    if (device->resource_count > 0) {
        buf_puts(out, "/* ---- Resources: `var` is the value of a template's variable ---- */\n\n");
    }
    for (size_t i = 0; i < device->resource_count; i++) {
        const struct resource *resource = &device->resources[i];
        if (strchr(resource->uri, '*') == NULL) { /* it could end the comment, or begin another */
            buf_printf(out, "/* %s */\n", resource->uri);
        }
        buf_printf(out, "int %s(struct skr_call *call, struct skr_span var);\n", resource->symbol);
        if (resource->subscribe) {
            buf_printf(out, "extern uint32_t %s_version; /* counts its changes; see struct skr_resource */\n",
                       resource->symbol);
        }
        buf_puts(out, "\n");
    }
}

static void write_row(struct buf *out, const struct resource *resource)
{
    buf_puts(out, "    {");
    header_literal(out, resource->uri, strlen(resource->uri));
    buf_puts(out, ",\n     ");
    header_literal(out, resource->json, strlen(resource->json));
    buf_puts(out, ",\n     ");
    header_literal(out, resource->mime, strlen(resource->mime));
    buf_printf(out, ", %s, ", resource->symbol);
    if (resource->values) {
        header_literal(out, resource->values, strlen(resource->values));
    } else {
        buf_puts(out, "NULL");
    }
    buf_puts(out, resource->subscribe ? xasprintf(", &%s_version},\n", resource->symbol) : ", NULL},\n");
}

/* The record of tool calls (core/handler/record.c). */
static void write_record_row(struct buf *out)
{
    static const struct resource record = {
        .uri = "record://{from}",
        .json =
            "{\"uriTemplate\":\"record://{from}\",\"name\":\"record\",\"title\":\"Record of tool calls\","
            "\"description\":\"Every tool call and every refusal from number {from} on, a JSON object a line, chained "
            "by SHA-256. As many as fit.\",\"mimeType\":\"application/x-ndjson\"}",
        .mime = "application/x-ndjson",
        .symbol = "skr_read_record",
    };

    buf_puts(out, "#if SKR_GUARD\n");
    write_row(out, &record);
    buf_puts(out, "#endif\n");
}

void header_resource_table(struct buf *out, const struct device *device)
{
    bool record = header_has_rules(device);

    if (device->resource_count == 0 && record) {
        buf_puts(out, "#if SKR_GUARD\n");
    }
    if (device->resource_count == 0 && !record) { /* C has no empty arrays */
        buf_puts(out, "#define skr_resources ((const struct skr_resource *)NULL)\n#define SKR_RESOURCE_COUNT 0\n\n");
        return;
    }
    buf_puts(out, "/* uri, json, mime, read, values, version */\n"
                  "static const struct skr_resource skr_resources[] = {\n");
    for (size_t i = 0; i < device->resource_count; i++) {
        write_row(out, &device->resources[i]);
    }
    if (record) {
        write_record_row(out);
    }
    buf_puts(out, "};\n#define SKR_RESOURCE_COUNT (sizeof skr_resources / sizeof skr_resources[0])\n\n");
    if (device->resource_count == 0) {
        buf_puts(out, "#else\n#define skr_resources ((const struct skr_resource *)NULL)\n#define SKR_RESOURCE_COUNT 0\n"
                      "#endif\n\n");
    }
}
