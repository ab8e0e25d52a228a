/* update_reason.c -- a sentence for each error with its remedy; a few words where flash is scarce. */
#include "skr_config.h"
#include "update.h"

/* A table of sentences takes 1 KB. `skillrom update` has the same sentences for what it can check itself. */
#ifndef SKR_UPDATE_BRIEF
#define SKR_UPDATE_BRIEF SKR_BY_PROFILE(1, 1, 0, 0)
#endif
#if SKR_UPDATE_BRIEF
#define REASON(brief, sentence) brief
#else
#define REASON(brief, sentence) sentence
#endif

const char *skr_update_reason(enum skr_update_error error)
{
    static const char *const reasons[SKR_UPDATE_ERRORS] = {
        [SKR_UPDATE_SAME] = REASON("in force already", "a release with this number is in force already; "
                                                       "sign another one with a larger number"),
        [SKR_UPDATE_NOT_RELEASE] =
            REASON("not a release", "not a release, or of a later layout; make it with `skillrom sign`"),
        [SKR_UPDATE_OTHER_PRODUCT] =
            REASON("other product", "the release is for another product; sign it with this product's name"),
        [SKR_UPDATE_OTHER_INTERFACE] =
            REASON("other tools", "tools or resources differ from those of the firmware; update the firmware first"),
        [SKR_UPDATE_OLD] = REASON("older", "the release is older than the one in force; sign it again with a larger "
                                           "number"),
        [SKR_UPDATE_TOO_LARGE] = REASON("too large", "the image does not fit the slot; make it smaller"),
        [SKR_UPDATE_OTHER_KEY] = REASON("unknown key", "signed with a key that this device does not have or no longer "
                                                       "trusts; use a newer key"),
        [SKR_UPDATE_NOT_SIGNED] = REASON("wrong signature", "the signature is wrong; sign the image again"),
        [SKR_UPDATE_ON_TRIAL] = REASON("another on trial", "another release is on trial; confirm or revert it first"),
        [SKR_UPDATE_NOT_BEGUN] = REASON("not begun", "no such upload or trial; begin it first"),
        [SKR_UPDATE_GAP] = REASON("wrong offset", "not where the upload is, or not a multiple of the unit; "
                                                  "begin says where to go on"),
        [SKR_UPDATE_DAMAGED] =
            REASON("wrong digest", "the digest of the written image is not the signed one; begin again"),
        [SKR_UPDATE_FLASH] = REASON("flash failed", "the flash failed; begin again"),
        [SKR_UPDATE_BUSY] = REASON("busy", "a response still uses the previous image; try again"),
    };

    return error < SKR_UPDATE_ERRORS ? reasons[error] : NULL;
}
