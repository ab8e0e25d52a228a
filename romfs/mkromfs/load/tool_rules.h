/* tool_rules.h -- the rules of a tool, which the core checks before it calls the handler (tool_rules.c). */
#ifndef MKROMFS_TOOL_RULES_H
#define MKROMFS_TOOL_RULES_H

#include "image/model.h"
#include "load/load.h"

#define TOOL_CONFIRM_DEADLINE_MS 10000 /* of a tool with a confirmation that states none: its call has to wait */
#define TOOL_RULES_MEMBERS "confirm, withoutPerson, limits, requires, excludes, plan, whileLocked"

/* True for a member of "x-skillrom" that tool_rules_read reads. */
bool tool_rules_is_member(const struct node *key);

/* Reads the rules in "x-skillrom" into tool->rules, once the arguments of the tool are known. */
void tool_rules_read(const struct check *c, const struct node *own, struct tool *tool);

/* Once all tools are read: those that a tool excludes exclude it. Reports a tool that does not exist. */
void tool_rules_pair(const struct check *c, struct device *device);

/* Once all skills are read: reports a skill that is to help, and does not exist. */
void tool_rules_check_skills(const struct check *c, const struct device *device);

#endif
