/* function:  skri_line_advance, is_foreign, handle_line, start_discarding (line.c)
 * property:  any bytes on a line, in any state that is sound: it stays so, and a message lies in the buffer
 * bound:     2 4
 * unwind:    2 + BOUND
 * flags:     -DSKR_PROFILE_NET -DSKR_JOBS=0
 * contracts: memcpy:copy_contract memmove:copy_contract skri_rpc_handle:handle_contract skri_rpc_refuse:refuse_contract skri_batch_start:batch_contract skri_job_holds:holds_contract skr_json_id_of_part:id_contract
 * break:     core/wire/line.c: while (at < c->rx.fill && (c->in[at] == ' ' -> while ((c->in[at] == ' '
 * break:     core/wire/line.c: if (n > 0 && text[n - 1] == '\r') { -> if (text[n - 1] == '\r') {
 * break:     core/wire/line.c: if (id.n > sizeof c->output) { -> if (false) {
 * break:     core/wire/line.c: } else if (c->rx.fill == sizeof c->in) { -> } else if (false) {
 */
#define SMALL_REQUEST BOUND
#define SMALL_OUTPUT 1
#include "small.h"

#include "../../../core/wire/buffer.c"
#include "../../../core/wire/line.c"

static struct skr_server server;
static struct skr_conn conn;

/* What buffers hold is open anyway; only where it is moved matters. */
void *copy_contract(void *to, const void *from, size_t n)
{
    PROVE(__CPROVER_r_ok(from, n) && __CPROVER_w_ok(to, n));
    size_t room = (char *)to < conn.output ? sizeof conn.in - (size_t)((char *)to - conn.in) : sizeof conn.output;
    PROVE(n <= room);
    __CPROVER_havoc_slice(conn.in, sizeof conn.in);
    return to;
}

enum skr_rpc_outcome handle_contract(struct skr_conn *c, char *text, size_t n)
{
    PROVE(n > 0 && text >= c->in && n <= sizeof c->in && (size_t)(text - c->in) <= sizeof c->in - n);
    return (enum skr_rpc_outcome)(nondet_u8() % 5u);
}

void refuse_contract(struct skr_conn *c, struct skr_span id, enum skr_rpc_error error)
{
    PROVE(id.n == 0 || __CPROVER_r_ok(id.p, id.n));
}

void batch_contract(struct skr_conn *c, char *text, size_t n)
{
    c->responding = nondet_bool();
}

static bool held;

bool holds_contract(const struct skr_conn *c)
{
    held = nondet_bool();
    return held;
}

/* json_strings.c, json_tokens.c: a piece of the text, or nothing */
struct skr_span id_contract(char *text, size_t n, struct skr_token *tokens, unsigned max)
{
    PROVE(__CPROVER_r_ok(text, n) && __CPROVER_w_ok(tokens, max * sizeof *tokens));
    size_t at = nondet_size(), length = nondet_size();
    ASSUME(at <= n && length <= n - at);
    return (struct skr_span){text + at, length};
}

static bool is_sound(const struct skr_conn *c)
{
    return c->rx.start <= c->rx.scanned && c->rx.scanned <= c->rx.fill && c->rx.fill <= sizeof c->in &&
           c->line <= LINE_DISCARD && (c->line == LINE_COLLECT || c->rx.saved_id <= sizeof c->output);
}

int main(void)
{
    __CPROVER_havoc_slice(conn.in, sizeof conn.in);
    conn.srv = &server;
    conn.strict = nondet_bool();
    conn.line = nondet_u8();
    conn.rx.saved_id = nondet_u32();
    conn.rx.start = nondet_u32();
    conn.rx.scanned = nondet_u32();
    conn.rx.fill = nondet_u32();
    ASSUME(is_sound(&conn));
    conn.responding = false;
    conn.finished = false;
    skri_line_advance(&conn);
    PROVE(is_sound(&conn));
    PROVE(held || conn.responding || conn.finished || conn.rx.start > 0 ||
          conn.rx.fill < sizeof conn.in); /* there is room for more */
    return 0;
}
