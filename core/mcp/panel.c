/* panel.c -- show_panel: the tool that opens the panel of the device in a conversation.
 *
 * A host with MCP Apps reads the tool's resource, ui://NAME/panel, and renders it beside the result. Any other shows
 * the result alone, so its text is a response by itself: the values of a resource, or the device's instructions. What
 * the client declares makes no difference, because lists and files may be cached for all clients. */
#include "mcp/panel.h"

#include "handler/handler.h"
#include "response/feature.h"
#include "store/store.h"

#if SKR_PANEL

void skri_panel_tool_call(struct skr_call *call)
{
    const struct romfs_panel *panel = romfs_panel_of(call->fs);
    struct skr_found found;
    bool made = skri_store_find(call, skr_span_rom(call->fs, panel->resource), &found) && found.resource != NULL &&
                skri_resource_read(call, found.resource, found.var);

    if (skri_rpc_has_failed(call)) {
        return;
    }
    if (!made || call->response->outcome.binary) { /* the firmware has no text for it */
        call->response->outcome.failed = false;
        call->response->outcome.text = skr_span_rom(call->fs, panel->text);
    }
    skri_response_result(call->response, skri_tool_body);
}

#endif
