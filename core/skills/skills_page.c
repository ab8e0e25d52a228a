/* skills_page.c -- the draft page about skills: skills/read, skills/read_reference, and skills/execute, which calls the
 * handler that the firmware has for a script (SK-F-09, SK-S-01 to SK-S-13). */
#include "handler/tool_call.h"
#include "response/shape.h"
#include "skills/skill.h"

#if SKR_DIALECTS

/* ---- skills/read ---- */

static bool push_file_of_kind(struct skr_response *a, uint32_t i)
{
    static const uint8_t kinds[] = {ROMFS_SCRIPT, ROMFS_REFERENCE, ROMFS_ASSET};
    const struct romfs_file *file = skri_push_file(
        a, SKRI_AS(a, skill)->record,
        "{\"name\":\"" FIELD_FILE_NAME "\",\"description\":" FIELD_ABOUT ",\"path\":\"" FIELD_FILE_PATH "\"}", i);

    return skri_file_kind(a->fs, a->device, file) == kinds[skri_view_array(a)];
}

#define FILES offsetof(struct romfs_skill, file_count)
static const struct skr_array file_arrays[] = {{"\"scripts\":[", push_file_of_kind, FILES},
                                               {"\"references\":[", push_file_of_kind, FILES},
                                               {"\"assets\":[", push_file_of_kind, FILES}};
static const struct skr_view skills_page_view = {.open = "\"skill\":{\"name\":" FIELD_NAME
                                                         ",\"description\":" FIELD_DESCRIPTION ",\"instructions\":\"",
                                                 .rest = "\"",
                                                 .before = ",",
                                                 .after = "",
                                                 .end = FIELD_OPTIONAL ",\"metadata\":" FIELD_METADATA "}",
                                                 .arrays = file_arrays,
                                                 .count = 3};

void skri_skills_read(struct skr_call *call)
{
    skri_view(call, skri_skill_named(call, SKR_NOT_NAMED_PAGE, SKR_NAME_SHARED_PAGE), &skills_page_view);
}

/* ---- skills/read_reference ---- */

static bool reference_body(struct skr_response *a)
{
    skri_push_shape(a, "\"content\":{\"uri\":\"" FIELD_URI, a->pieces.file, NULL);
    skri_push_content(a);
    return false;
}

/* SK-F-08. A percent sign is checked last: it may be part of a name. */
static bool path_is_valid(struct skr_span path)
{
    size_t start = 0; /* of the segment */

    if (path.n == 0 || path.p[0] == '/') {
        return false;
    }
    for (size_t i = 0; i <= path.n; i++) {
        if (i == path.n || path.p[i] == '/') {
            if (i - start == 2 && path.p[start] == '.' && path.p[start + 1] == '.') {
                return false;
            }
            start = i + 1;
        } else if (path.p[i] == '\\' || path.p[i] == '\0') {
            return false;
        }
    }
    return true;
}

/* How a client may name a file. */
enum spelling { AS_PATH, AS_ALIAS, AS_NAME, AS_STEM };

static struct skr_span file_name_as(const struct romfs *fs, const struct romfs_file *file, enum spelling as)
{
    struct skr_span name = skr_span_rom(fs, as == AS_ALIAS ? file->alias : fs->nodes[file->node].name);
    size_t dot = name.n;

    while (as == AS_STEM && dot > 0 && name.p[--dot] != '.') {
    }
    name.n = dot > 0 ? dot : name.n;
    return name;
}

/* The only file of this kind with this name or, when there is none, of the next kind. NULL: none, or several. */
static const struct romfs_file *only_file(const struct skr_call *call, const struct romfs_skill *skill,
                                          enum romfs_file_kind kind, enum spelling as)
{
    const struct romfs_file *found = NULL;
    bool spare = true, several = false; /* `found` is of the next kind; it is not alone */

    for (uint32_t i = 0; i < skill->file_count; i++) {
        const struct romfs_file *file = &call->fs->files[skill->first_file + i];
        enum romfs_file_kind its = skri_file_kind(call->fs, call->srv->device, file);
        bool fits = its == kind;
        if (!(fits || (spare && kind == ROMFS_REFERENCE && its == ROMFS_ASSET)) ||
            !skri_inside_equals(file_name_as(call->fs, file, as), call->conn->tool_call.file)) {
            continue;
        }
        several = found != NULL && spare != fits;
        spare = !fits;
        found = file;
    }
    if (several && SKRI_AS(call->response, script)->shared == AS_PATH) {
        SKRI_AS(call->response, script)->shared = (uint8_t)as; /* for add_candidates */
    }
    return several ? NULL : found;
}

/* The file that the request names: by its path or, if it is the only one of this kind, by its name or its name without
 * extension; a reference also by its alias (SK-F-06, SK-F-09), and assets count as references when no reference
 * matches. NULL: none. */
static const struct romfs_file *requested_file(const struct skr_call *call, const struct romfs_skill *skill,
                                               enum romfs_file_kind kind)
{
    const struct romfs_file *file = skri_skill_file(call->fs, skill, call->conn->tool_call.file);

    for (unsigned as = kind == ROMFS_REFERENCE ? AS_ALIAS : AS_NAME; file == NULL && as <= AS_STEM; as++) {
        file = only_file(call, skill, kind, as);
    }
    return file;
}

/* One of several files with the name in the request. */
static bool push_candidate_file(struct skr_response *a, uint32_t i)
{
    const struct romfs_file *file = &a->fs->files[i];

    skri_push_shape(a, "\"" FIELD_FILE_PATH "\"", NULL, file);
    enum spelling as = (enum spelling)SKRI_AS(a, script)->shared;
    return skri_inside_equals(file_name_as(a->fs, file, as), SKRI_AS(a, script)->call->file) &&
           (skri_file_kind(a->fs, a->device, file) == ROMFS_SCRIPT) == (a->envelope.error == SKR_SCRIPT_NOT_RUN);
}

static bool candidate_files_body(struct skr_response *a)
{
    if (skri_push_item(a, ",\"candidates\":[", push_candidate_file, a->end)) {
        return true;
    }
    skri_push_text(a, a->any_item ? "]" : "");
    return false;
}

/* After the error of an unknown file: if several have the name, adds their paths to its data. */
static void add_candidates(struct skr_response *a, const struct romfs_skill *skill)
{
    if (SKRI_AS(a, script)->shared != AS_PATH) {
        a->index = a->first = skill->first_file;
        a->end = skill->first_file + skill->file_count;
        a->body = candidate_files_body;
    }
}

/* The skill of a request for a file: stores params.name, and the parameter `key`, which names the file, in
 * call->conn->tool_call. NULL when the response is an error. */
static const struct romfs_skill *skill_of_file(struct skr_call *call, enum skr_param key)
{
    struct skr_tool_call *tool_call = &call->conn->tool_call;
    const struct romfs_skill *skill = skri_skill_named(call, SKR_NOT_NAMED_PAGE, SKR_NAME_SHARED_PAGE);

    if (skill == NULL || !skri_rpc_param(call, key, true, &tool_call->file)) {
        return NULL;
    }
    tool_call->tool = NULL;
    SKRI_MAKE(call->response, script)->call = tool_call;
    (void)skri_rpc_param(call, SKR_PARAM_NAME, true, &tool_call->name);
    return skill;
}

void skri_read_reference(struct skr_call *call)
{
    const struct romfs_skill *skill = skill_of_file(call, SKR_PARAM_REFERENCE);

    if (skill == NULL) {
        return;
    }
    struct skr_span called = call->conn->tool_call.file;
    bool valid = path_is_valid(called);
    const struct romfs_file *file = valid ? requested_file(call, skill, ROMFS_REFERENCE) : NULL;
    if (file == NULL) {
        valid =
            valid && (SKRI_AS(call->response, script)->shared != AS_PATH || memchr(called.p, '%', called.n) == NULL);
        skri_rpc_error(call, valid ? SKR_NO_REFERENCE : SKR_BAD_FILE_PATH, called);
        add_candidates(call->response, skill);
        return;
    }
    skri_response_file(call->response, &call->fs->nodes[file->node]);
    skri_response_result(call->response, reference_body);
}

/* ---- skills/execute ---- */

/* The script of this name. Those without a handler come last: the error says that they have none. */
static const struct romfs_file *find_script(const struct skr_call *call, const struct romfs_skill *skill)
{
    const struct romfs_file *file = requested_file(call, skill, ROMFS_SCRIPT);

    if (file == NULL) {
        file = requested_file(call, skill, ROMFS_ASSET);
    }
    if (file != NULL && !skr_span_starts(skr_span_rom(call->fs, file->path), SPAN("scripts/"))) {
        file = NULL;
    }
    return file;
}

void skri_skills_execute(struct skr_call *call)
{
    struct skr_tool_call *tool_call = &call->conn->tool_call;
    const struct romfs_skill *skill = skill_of_file(call, SKR_PARAM_SCRIPT);

    if (skill == NULL || !skri_tool_call_arguments(call)) {
        return;
    }
    const struct romfs_file *file = find_script(call, skill);
    if (file == NULL) {
        skri_tool_call_refuse(call, tool_call, SKR_UNKNOWN_SCRIPT, "the skill has no such script");
        add_candidates(call->response, skill);
        return;
    }
    tool_call->tool = skri_tool_call_find_script(call->fs, call->srv->device, file);
    if (tool_call->tool == NULL) {
        skri_tool_call_refuse(call, tool_call, SKR_NO_HANDLER, "nothing here runs this script");
        return;
    }
    skri_tool_call_start(call, tool_call);
}

#endif
