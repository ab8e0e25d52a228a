/* panel.h -- show_panel: the tool that opens the panel of the device. */
#ifndef SKR_PANEL_H
#define SKR_PANEL_H

#include "response/request.h"

/* tools/call of show_panel, for a device with a panel. */
void skri_panel_tool_call(struct skr_call *call);

#endif
