/* questions.h -- questions from devices to clients of the initialize era (questions.c). */
#ifndef SKR_BRIDGE_QUESTIONS_H
#define SKR_BRIDGE_QUESTIONS_H

#include "run/ask.h"

extern const struct skr_asking skr_questions;

#endif
