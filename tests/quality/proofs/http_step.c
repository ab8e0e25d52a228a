/* function:  http_step and the states of a request (http.c)
 * property:  any bytes in any state that is sound: it stays so, and a body lies in the buffer; a body kept or dropped never exceeds it
 * bound:     36 64
 * slow:      12 s even so
 * unwind:    4
 * flags:     -DSKR_PROFILE_NET -DSKR_JOBS=0
 * contracts: memmove:move_contract request_complete:complete_contract next_line:line_contract skri_http_request_line:request_contract skri_http_header_line:header_contract skri_http_check_headers:check_contract skri_http_send_continue:continue_contract chunk_size:size_contract
 * break:     core/wire/http.c: if (c->rx.start + h->left > sizeof c->in) { -> if (false) {
 * break:     core/wire/http.c: if (c->rx.fill - c->rx.start < n) {\n        return HTTP_BODY; -> if (false) {\n        return HTTP_BODY;
 * break:     core/wire/http.c: c->rx.scanned = c->rx.start;\n    if ( -> if (
 */
#include "http_state.h"

#include "../../../core/wire/buffer.c"
#include "../../../core/wire/http.c"

static unsigned lines;

/* http_line.c. Two lines at most: what holds between them holds between any. */
bool line_contract(struct skr_conn *c, struct skr_span *line)
{
    uint32_t start = c->rx.start, body = c->http.keep + c->http.body;

    c->rx.start = nondet_u32();
    c->rx.scanned = nondet_u32();
    c->rx.fill = nondet_u32();
    line->p = c->in + start;
    line->n = nondet_size();
    if (lines++ < 2 && nondet_bool()) {
        ASSUME(buffer_is_sound(c) && c->rx.start > start && line->n < c->rx.start - start);
        return true;
    }
    c->responding = nondet_bool();
    ASSUME(c->responding ? c->rx.start == c->rx.fill && c->rx.fill <= sizeof c->in && body <= c->rx.start
                         : buffer_is_sound(c));
    return false;
}

void request_contract(struct skr_conn *c, struct skr_span line)
{
    PROVE(lies_in_buffer(line));
    c->http.flags = nondet_u16();
    c->http.refuse = nondet_u8();
}

/* header_lines.c: what is kept of a line is not longer than it. */
void header_contract(struct skr_conn *c, struct skr_span line)
{
    PROVE(lies_in_buffer(line));
    uint32_t keep = nondet_u32();
    ASSUME(keep >= c->http.keep && keep - c->http.keep <= line.n);
    PROVE(c->http.body == 0);
    c->http.keep = keep;
    c->http.flags = nondet_u16();
    c->http.refuse = nondet_u8();
    c->http.left = nondet_u32();
    ASSUME(c->http.left <= 999999999);
}

void check_contract(struct skr_conn *c)
{
    c->http.refuse = nondet_bool() ? c->http.refuse : nondet_u8();
}

void continue_contract(struct skr_conn *c)
{
}

/* chunk_size.c */
bool size_contract(struct skr_span line, uint32_t *size)
{
    PROVE(lies_in_buffer(line));
    *size = nondet_u32();
    ASSUME(*size <= 0xFFFFFFF);
    return nondet_bool();
}

void skri_http_refuse(struct skr_conn *c, enum skr_rpc_error error)
{
    if (c->http.refuse == SKR_NO_ERROR) {
        c->http.refuse = (uint8_t)error;
    }
}

void skri_http_break(struct skr_conn *c, enum skr_rpc_error error)
{
    skri_http_refuse(c, error);
    c->http.flags |= HTTP_CLOSE;
    c->http.left = 0;
}

/* What holds besides of a state: where a body is gathered, and that what is still to come of it fits. */
static bool is_sound(const struct skr_conn *c)
{
    const struct skr_http *h = &c->http;
    bool gathers = h->state >= HTTP_CHUNK_SIZE && h->state <= HTTP_SKIP;

    return buffer_is_sound(c) && (gathers || h->body == 0) && h->left <= 999999999 &&
           (h->state != HTTP_BODY || (h->left <= sizeof c->in && c->rx.start <= sizeof c->in - h->left)) &&
           (h->state != HTTP_CHUNK_DATA || h->refuse != SKR_NO_ERROR ||
            h->left + CHUNK_LINE_ROOM <= sizeof c->in - h->keep - h->body);
}

int main(void)
{
    any_conn();
    ASSUME(is_sound(&conn) && conn.http.state != HTTP_STREAM);
    conn.responding = false;
    conn.http.state = (uint8_t)http_step(&conn);
    PROVE(conn.rx.start <= conn.rx.fill && conn.rx.fill <= sizeof conn.in && conn.http.keep <= conn.rx.start);
    PROVE(conn.responding || is_sound(&conn));
    return 0;
}
