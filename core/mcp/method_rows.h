/* method_rows.h -- every method, in one table; included where SKR_METHOD says what becomes of a row.
 *
 * SKR_METHOD(name, eras, right, feature, name_header, cached, handler): the members of struct skr_method (method.h).
 * `right` is what a token must allow (response/rights.h); core, bridge and fleet have it from here alone.
 *
 * A switch takes rows out, and their methods get -32601. With SKR_EVERY_METHOD all rows are there: the bridge forwards
 * methods whose handlers it does not have. */
/* clang-format off */
#if SKR_EXTRAS || defined SKR_EVERY_METHOD
SKR_METHOD("completion/complete", SKR_BOTH_ERAS, SKR_MAY_READ, SKR_COMPLETIONS, SKR_NO_NAME, false, skri_complete)
#endif
#if SKR_EVENTS || defined SKR_EVERY_METHOD
SKR_METHOD("events/list", SKR_MODERN_ERA, SKR_MAY_READ, SKR_HAS_EVENTS, SKR_NO_NAME, false, skri_events_list)
SKR_METHOD("events/poll", SKR_MODERN_ERA, SKR_MAY_READ, SKR_HAS_EVENTS, SKR_NO_NAME, false, skri_events_poll)
#endif
SKR_METHOD("initialize", SKR_LEGACY_ERA, SKR_MAY_READ, SKR_ALWAYS, SKR_NO_NAME, false, skri_initialize)
#if SKR_EXTRAS || defined SKR_EVERY_METHOD
SKR_METHOD("logging/setLevel", SKR_LEGACY_ERA, SKR_MAY_READ, SKR_ALWAYS, SKR_NO_NAME, false, skri_set_level)
#endif
SKR_METHOD("ping", SKR_LEGACY_ERA, SKR_MAY_READ, SKR_ALWAYS, SKR_NO_NAME, false, skri_ping)
#if SKR_EXTRAS || defined SKR_EVERY_METHOD
SKR_METHOD("prompts/get", SKR_BOTH_ERAS, SKR_MAY_READ, SKR_HAS_PROMPTS, SKR_NAME_IS_NAME, false, skri_prompts_get)
SKR_METHOD("prompts/list", SKR_BOTH_ERAS, SKR_MAY_READ, SKR_HAS_PROMPTS, SKR_NO_NAME, true, skri_prompts_list)
#endif
SKR_METHOD("resources/directory/read", SKR_BOTH_ERAS, SKR_MAY_READ, SKR_SKILLS, SKR_NO_NAME, true, skri_directory_read)
SKR_METHOD("resources/list", SKR_BOTH_ERAS, SKR_MAY_READ, SKR_RESOURCES, SKR_NO_NAME, true, skri_resources_list)
SKR_METHOD("resources/read", SKR_BOTH_ERAS, SKR_MAY_READ, SKR_RESOURCES, SKR_NAME_IS_URI, true, skri_resources_read)
#if SKR_EXTRAS || defined SKR_EVERY_METHOD
SKR_METHOD("resources/subscribe", SKR_LEGACY_ERA, SKR_MAY_READ, SKR_RESOURCES, SKR_NO_NAME, false, skri_subscribe)
#endif
SKR_METHOD("resources/templates/list", SKR_BOTH_ERAS, SKR_MAY_READ, SKR_RESOURCES, SKR_NO_NAME, true, skri_templates_list)
#if SKR_EXTRAS || defined SKR_EVERY_METHOD
SKR_METHOD("resources/unsubscribe", SKR_LEGACY_ERA, SKR_MAY_READ, SKR_RESOURCES, SKR_NO_NAME, false, skri_unsubscribe)
#endif
SKR_METHOD("server/discover", SKR_MODERN_ERA, SKR_MAY_READ, SKR_ALWAYS, SKR_NO_NAME, true, skri_discover)
#if SKR_UPDATE || defined SKR_EVERY_METHOD
SKR_METHOD("skillrom/update/begin", SKR_BOTH_ERAS, SKR_BY_UPDATER, SKR_ALWAYS, SKR_NO_NAME, false, skri_update_begin)
SKR_METHOD("skillrom/update/blocks", SKR_BOTH_ERAS, SKR_BY_UPDATER, SKR_ALWAYS, SKR_NO_NAME, false, skri_update_blocks)
SKR_METHOD("skillrom/update/commit", SKR_BOTH_ERAS, SKR_BY_UPDATER, SKR_ALWAYS, SKR_NO_NAME, false, skri_update_commit)
SKR_METHOD("skillrom/update/confirm", SKR_BOTH_ERAS, SKR_BY_UPDATER, SKR_ALWAYS, SKR_NO_NAME, false, skri_update_confirm)
SKR_METHOD("skillrom/update/revert", SKR_BOTH_ERAS, SKR_BY_UPDATER, SKR_ALWAYS, SKR_NO_NAME, false, skri_update_revert)
SKR_METHOD("skillrom/update/status", SKR_BOTH_ERAS, SKR_BY_UPDATER, SKR_ALWAYS, SKR_NO_NAME, false, skri_update_status)
SKR_METHOD("skillrom/update/write", SKR_BOTH_ERAS, SKR_BY_UPDATER, SKR_ALWAYS, SKR_NO_NAME, false, skri_update_write)
#endif
#if SKR_DIALECTS || defined SKR_EVERY_METHOD
SKR_METHOD("skills/activate", SKR_BOTH_ERAS, SKR_MAY_READ, SKR_SKILLS, SKR_NO_NAME, false, skri_skills_activate)
SKR_METHOD("skills/execute", SKR_BOTH_ERAS, SKR_BY_DEVICE, SKR_SCRIPTS, SKR_NO_NAME, false, skri_skills_execute)
#endif
SKR_METHOD("skills/get", SKR_BOTH_ERAS, SKR_MAY_READ, SKR_SKILLS, SKR_NO_NAME, true, skri_skills_get)
SKR_METHOD("skills/list", SKR_BOTH_ERAS, SKR_MAY_READ, SKR_SKILLS, SKR_NO_NAME, true, skri_skills_list)
#if SKR_DIALECTS || defined SKR_EVERY_METHOD
SKR_METHOD("skills/read", SKR_BOTH_ERAS, SKR_MAY_READ, SKR_SKILLS, SKR_NO_NAME, false, skri_skills_read)
SKR_METHOD("skills/read_reference", SKR_BOTH_ERAS, SKR_MAY_READ, SKR_SKILLS, SKR_NO_NAME, false, skri_read_reference)
#endif
SKR_METHOD("subscriptions/listen", SKR_MODERN_ERA, SKR_MAY_READ, SKR_ALWAYS, SKR_NO_NAME, false, skri_listen)
#if SKR_TASKS || defined SKR_EVERY_METHOD
SKR_METHOD("tasks/cancel", SKR_BOTH_ERAS, SKR_BY_DEVICE, SKR_HAS_TASKS, SKR_NAME_IS_TASK, false, skri_tasks_cancel)
SKR_METHOD("tasks/get", SKR_BOTH_ERAS, SKR_MAY_READ, SKR_HAS_TASKS, SKR_NAME_IS_TASK, false, skri_tasks_get)
SKR_METHOD("tasks/list", SKR_LEGACY_ERA, SKR_MAY_READ, SKR_HAS_TASKS, SKR_NO_NAME, false, skri_tasks_list)
SKR_METHOD("tasks/result", SKR_LEGACY_ERA, SKR_BY_DEVICE, SKR_HAS_TASKS, SKR_NO_NAME, false, skri_tasks_result)
SKR_METHOD("tasks/update", SKR_MODERN_ERA, SKR_BY_DEVICE, SKR_HAS_TASKS, SKR_NAME_IS_TASK, false, skri_tasks_update)
#endif
SKR_METHOD("tools/call", SKR_BOTH_ERAS, SKR_BY_TOOL, SKR_TOOLS, SKR_NAME_IS_NAME, false, skri_tools_call)
SKR_METHOD("tools/list", SKR_BOTH_ERAS, SKR_MAY_READ, SKR_TOOLS, SKR_NO_NAME, true, skri_tools_list)
/* clang-format on */
