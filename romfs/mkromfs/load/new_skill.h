/* new_skill.h -- the sentences that `skillrom new` writes for the author to replace. Lint recognises them
 * (rules_new.c), so that none of them is published. */
#ifndef MKROMFS_NEW_SKILL_H
#define MKROMFS_NEW_SKILL_H

#define NEW_DESCRIPTION "Say in one sentence what this skill does. Use when (say which situation calls for it)."
#define NEW_OPENING "Say what the reader can rely on before starting: which device, which state, which tools."
#define NEW_FIRST_STEP "The first step, with the tool to call and the answer to expect."
#define NEW_NEXT_STEP "The next step. Say when to stop and what to report."
#define NEW_DETAILS "What is too long for SKILL.md: limits, tables, error codes."

#endif
