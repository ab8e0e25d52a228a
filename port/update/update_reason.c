/* update_reason.c -- a sentence for each error, with its remedy. */
#include "update.h"

const char *skr_update_reason(enum skr_update_error error)
{
    static const char *const reasons[SKR_UPDATE_ERRORS] = {
        [SKR_UPDATE_SAME] = "this release is in force or on trial already; nothing to do",
        [SKR_UPDATE_NOT_RELEASE] = "not a release, or of a later layout; make it with `skillrom sign`",
        [SKR_UPDATE_OTHER_PRODUCT] = "the release is for another product; sign it with this product's name",
        [SKR_UPDATE_OTHER_INTERFACE] =
            "tools or resources differ from those of the firmware; update the firmware first",
        [SKR_UPDATE_OLD] = "the release is older than the one in force; sign it again with a larger number",
        [SKR_UPDATE_TOO_LARGE] = "the image does not fit the slot; make it smaller",
        [SKR_UPDATE_OTHER_KEY] =
            "signed with a key that this device does not have or no longer trusts; use a newer key",
        [SKR_UPDATE_NOT_SIGNED] = "the signature is wrong; sign the image again",
        [SKR_UPDATE_ON_TRIAL] = "another release is on trial; confirm or revert it first",
        [SKR_UPDATE_NOT_BEGUN] = "no such upload or trial; begin it first",
        [SKR_UPDATE_GAP] = "not where the upload is, or not a multiple of the unit; begin says where to go on",
        [SKR_UPDATE_DAMAGED] = "the digest of the written image is not the signed one; begin again",
        [SKR_UPDATE_FLASH] = "the flash failed; begin again",
        [SKR_UPDATE_BUSY] = "a response still uses the previous image; try again",
    };
    return error < SKR_UPDATE_ERRORS ? reasons[error] : NULL;
}
