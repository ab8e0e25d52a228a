/* skr_settings.h -- the settings of skillrom where a build system has its own way for them; read as SKR_USER_CONFIG unless the
 * project has such a header itself.
 *
 * ESP-IDF and Zephyr: what was chosen in the menu (Kconfig). Arduino, which has no place for settings: profile net on
 * boards with Wi-Fi and RAM, otherwise tiny. Everywhere else: nothing, a profile is chosen by -DSKR_PROFILE_TINY and the like. */
#ifndef SKR_SETTINGS_H
#define SKR_SETTINGS_H

#ifdef ESP_PLATFORM
#include "sdkconfig.h"
#endif

#if defined(CONFIG_SKILLROM_PROFILE_TINY)
#define SKR_PROFILE_TINY
#elif defined(CONFIG_SKILLROM_PROFILE_NET)
#define SKR_PROFILE_NET
#elif defined(CONFIG_SKILLROM_PROFILE_FULL)
#define SKR_PROFILE_FULL
#elif defined(ARDUINO) && !defined(SKR_PROFILE_NET) && !defined(SKR_PROFILE_FULL) && !defined(SKR_PROFILE_HOST) &&     \
    !defined(SKR_PROFILE_TINY)
#if defined(ARDUINO_ARCH_ESP32) || defined(ARDUINO_RASPBERRY_PI_PICO_W) || defined(ARDUINO_RASPBERRY_PI_PICO_2W)
#define SKR_PROFILE_NET
#else
#define SKR_PROFILE_TINY
#endif
#endif

#ifdef CONFIG_SKILLROM_JOBS /* there is a menu */

/* 1 for a symbol that is defined as 1, 0 for one that is not defined; also in #if. */
#define SKR_CHOSEN(symbol) SKR_CHOSEN_VALUE(symbol)
#define SKR_CHOSEN_VALUE(value) SKR_CHOSEN_SECOND(SKR_CHOSEN_##value 1, 0, 0)
#define SKR_CHOSEN_1 0,
#define SKR_CHOSEN_SECOND(...) SKR_CHOSEN_TAKE(__VA_ARGS__, 0)
#define SKR_CHOSEN_TAKE(first, second, ...) second

#define SKR_HTTP SKR_CHOSEN(CONFIG_SKILLROM_HTTP)
#define SKR_AUTH SKR_CHOSEN(CONFIG_SKILLROM_AUTH)
#define SKR_OAUTH SKR_CHOSEN(CONFIG_SKILLROM_OAUTH)
#define SKR_WEB SKR_CHOSEN(CONFIG_SKILLROM_WEB)
#define SKR_EXTRAS SKR_CHOSEN(CONFIG_SKILLROM_EXTRAS)
#define SKR_JOBS CONFIG_SKILLROM_JOBS
#define SKR_INTERACTIVE SKR_CHOSEN(CONFIG_SKILLROM_INTERACTIVE)
#define SKR_TASKS SKR_CHOSEN(CONFIG_SKILLROM_TASKS)
#define SKR_CHANGES SKR_CHOSEN(CONFIG_SKILLROM_CHANGES)
#define SKR_PANEL SKR_CHOSEN(CONFIG_SKILLROM_PANEL)
#define SKR_UPDATE SKR_CHOSEN(CONFIG_SKILLROM_UPDATE)
#define SKR_GUARD SKR_CHOSEN(CONFIG_SKILLROM_GUARD)
#define SKR_EVENTS SKR_CHOSEN(CONFIG_SKILLROM_EVENTS)
#define SKR_DIALECTS SKR_CHOSEN(CONFIG_SKILLROM_DIALECTS)
#define SKR_DEFLATE SKR_CHOSEN(CONFIG_SKILLROM_DEFLATE)
#define SKR_READ_ONLY SKR_CHOSEN(CONFIG_SKILLROM_READ_ONLY)

/* For port/sockets, which serves HTTP alone here. One listener and one ended connection fit what small stacks have besides
 * the connections. */
#ifdef CONFIG_SKILLROM_CONNECTIONS
#define SKR_SOCKETS_SLOTS CONFIG_SKILLROM_CONNECTIONS
#define SKR_SOCKETS_LISTENERS 1
#define SKR_SOCKETS_LINGERS 1
#ifndef SKR_SOCKETS_LINES
#define SKR_SOCKETS_LINES 0
#endif
#endif

#endif

#endif
