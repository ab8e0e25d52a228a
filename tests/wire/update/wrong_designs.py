"""Designs that are known to be wrong, each a small change of port/update: (name, file, old, new). The explorer must find each."""

# For designs that erase only what does not read blank.
READS_BLANK = """static bool reads_blank(const struct skr_update_config *c, uint32_t at)
{
    uint8_t b[16];
    return c->flash->read(0, at, b, 16) && b[0] == 0xFF && b[15] == 0xFF;
}

/* ---- Marks ---- */
"""
HELPER = ("/* ---- Marks ---- */\n", READS_BLANK)

UPDATE, RECORD = "port/update/update.c", "port/update/update_record.c"

WRONG = [
    ("a record is written over the newest", UPDATE, "u->at + 1 < c->record_count ? u->at + 1 : 0", "u->at < c->record_count ? u->at : 0"),
    ("the first whole record counts", UPDATE, "(u->at == config->record_count || skr_state_record_is_ahead(r.sequence, u->sequence))",
     "u->at == config->record_count"),
    ("the oldest record counts", UPDATE, "skr_state_record_is_ahead(r.sequence, u->sequence)", "skr_state_record_is_ahead(u->sequence, r.sequence)"),
    ("records have no checksum", RECORD, "romfs_crc32(out->crc, bytes + SKR_STATE_RECORD_PREVIOUS, 4) == romfs_number_at(bytes + SKR_STATE_RECORD_CRC)", "true"),
    ("a sector of a slot that reads blank is not erased", UPDATE, "(into == 0 && !c->flash->erase(c->flash->context, at, c->sector))",
     "(into == 0 && !reads_blank(c, at) && !c->flash->erase(c->flash->context, at, c->sector))"),
    ("a sector of records that reads blank is not erased", UPDATE, "if (!c->flash->erase(c->flash->context, record_at(c, next), c->record_size) ||",
     "if ((!reads_blank(c, record_at(c, next)) && !c->flash->erase(c->flash->context, record_at(c, next), c->record_size)) ||"),
    ("an upload goes on after a reset without a new record", UPDATE, "if (!put_record(u, u->force, parts, release)) {",
     "if (parts == 0 && !put_record(u, u->force, parts, release)) {"),
    ("a part is marked before it is written", UPDATE, "if (into + n == c->sector || u->offset == u->size) {", "if (into == 0 || u->offset == u->size) {"),
    ("a part too many is taken for whole", UPDATE, "return parts > before ? parts : before;",
     "return (parts > before ? parts : before) + (parts < parts_of(u->config));"),
    ("confirm is answered without a record", UPDATE, "if (!put_record(u, 1u - u->force, 0, NULL)) {",
     "u->number = u->coming; u->force = (uint8_t)(1u - u->force); if (false) {"),
    ("a confirm that is repeated after a reset is answered without a record", UPDATE, "settle(u) ? SKR_UPDATE_OK : SKR_UPDATE_FLASH;",
     "SKR_UPDATE_OK;"),
    ("confirm keeps the old number", UPDATE, ".number = changes ? u->coming : u->number,", ".number = u->number,"),
    ("commit accepts an upload before its end", UPDATE, "if (!u->open || u->offset != u->size) {", "if (!u->open) {"),
    ("older releases are accepted", UPDATE, "r.number < u->number && r.min_key <= u->min_key", "false"),
    ("the release that withdraws a key needs the largest number", UPDATE, "r.number < u->number && r.min_key <= u->min_key", "r.number < u->number"),
    ("a lowest key that stays allows older releases", UPDATE, "r.min_key <= u->min_key", "r.min_key < u->min_key"),
    ("signatures are not checked", UPDATE, "if (!is_signed(u->config, release)) {", "if (false && !is_signed(u->config, release)) {"),
    ("confirm does not withdraw keys", UPDATE, ".min_key = changes ? u->next_min_key : u->min_key,", ".min_key = u->min_key,"),
    ("a record after confirm trusts all keys again", UPDATE, ".min_key = changes ? u->next_min_key : u->min_key,", ".min_key = changes ? u->next_min_key : 0,"),
    ("uploads go to the slot in force", UPDATE, "return u->config->images[1 - u->force];", "return u->config->images[u->force];"),
    ("begin puts the release in force", UPDATE, "if (!put_record(u, u->force, parts, release)) {", "if (!put_record(u, 1u - u->force, parts, release)) {"),
]
