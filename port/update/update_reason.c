/* update_reason.c -- a sentence for each error, and where there is room for it the remedy. */
#include "skr_config.h"
#include "update.h"

/* Small devices say only what is wrong, which saves 0.5 KB: README.md has the remedies. */
#ifndef SKR_UPDATE_BRIEF
#define SKR_UPDATE_BRIEF SKR_BY_PROFILE(1, 1, 0, 0)
#endif
#if SKR_UPDATE_BRIEF
#define REASON(what, remedy) what
#else
#define REASON(what, remedy) what "; " remedy
#endif

const char *skr_update_reason(enum skr_update_error error)
{
    static const char *const reasons[SKR_UPDATE_ERRORS] = {
        [SKR_UPDATE_SAME] = REASON("this release is in force or on trial already", "nothing to do"),
        [SKR_UPDATE_NOT_RELEASE] = REASON("not a release, or of a later layout", "make it with `skillrom sign`"),
        [SKR_UPDATE_OTHER_PRODUCT] = REASON("the release is for another product", "sign it with this product's name"),
        [SKR_UPDATE_OTHER_INTERFACE] =
            REASON("tools or resources differ from those of the firmware", "update the firmware first"),
        [SKR_UPDATE_OLD] = REASON("the release is older than the one in force", "sign it again with a larger number"),
        [SKR_UPDATE_TOO_LARGE] = REASON("the image does not fit the slot", "make it smaller"),
        [SKR_UPDATE_OTHER_KEY] =
            REASON("signed with a key that this device does not have or no longer trusts", "use a newer key"),
        [SKR_UPDATE_NOT_SIGNED] = REASON("the signature is wrong", "sign the image again"),
        [SKR_UPDATE_ON_TRIAL] = REASON("another release is on trial", "confirm or revert it first"),
        [SKR_UPDATE_NOT_BEGUN] = REASON("no such upload or trial", "begin it first"),
        [SKR_UPDATE_GAP] =
            REASON("not where the upload is, or not a multiple of the unit", "begin says where to go on"),
        [SKR_UPDATE_DAMAGED] = REASON("the digest of the written image is not the signed one", "begin again"),
        [SKR_UPDATE_FLASH] = REASON("the flash failed", "begin again"),
        [SKR_UPDATE_BUSY] = REASON("a response still uses the previous image", "try again"),
    };

    return error < SKR_UPDATE_ERRORS ? reasons[error] : NULL;
}
