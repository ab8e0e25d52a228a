/* panel.h -- what panel.c and panel_rules.c share. */
#ifndef MKROMFS_PANEL_H
#define MKROMFS_PANEL_H

#include "load/load.h"

#define PANEL_TOOL "show_panel"
#define PANEL_SIZE_MAX 65536u /* of the author's index.html, and of the finished page */

/* The page without its device: HTML with {{device}} where the JSON belongs. Made of the sources beside the page for
 * people. */
extern const unsigned char panel_shell[];
extern const size_t panel_shell_size;

/* Checks the author's index.html: size, doctype, other origins (SK-P-01 to SK-P-03). */
void panel_check_html(const struct check *c, const char *html, size_t size);

/* Checks `_meta` of every tool: its form, and that the device has the page it names (SK-P-04, SK-P-05). */
void panel_check_tools(const struct check *c, const struct device *device);

/* No resource of the firmware may have the panel's URI (SK-X-18). */
void panel_check_resources(const struct check *c, const struct device *device);

/* True unless `_meta` of the tool keeps it from panels: visibility without "app". */
bool panel_may_call(const struct tool *tool);

#endif
