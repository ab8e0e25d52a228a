/* function:  next_line, find_line_end, next_chunk_line (http.c)
 * property:  any bytes in any state that is sound: it stays so, and a line lies in the buffer, before what is read next
 * bound:     2 6
 * slow:      8 s even so
 * unwind:    2 + BOUND
 * flags:     -DSKR_PROFILE_NET -DSKR_JOBS=0
 * contracts: memmove:move_contract request_complete:complete_contract skr_print_run:run_contract
 * break:     core/wire/http.c: if (p + 1 == end) { -> if (false) {
 * break:     core/wire/http.c: if (line->n > 0 && line->p[line->n - 1] -> if (line->p[line->n - 1]
 * break:     core/wire/http.c: c->rx.start = c->rx.scanned = (uint32_t)(end - c->in) + 1; -> c->rx.start = c->rx.scanned = (uint32_t)(end - c->in) + 2;
 * break:     core/wire/buffer.c: c->rx.scanned -= by; -> ;
 */
#include "http_state.h"

#include "../../../core/wire/buffer.c"
#include "../../../core/wire/http.c"

/* plain.c */
size_t run_contract(const char *text, size_t n)
{
    PROVE(__CPROVER_r_ok(text, n));
    size_t run = nondet_size();
    ASSUME(run <= n && (run == n || (unsigned char)text[run] < ' '));
    return run;
}

void skri_http_refuse(struct skr_conn *c, enum skr_rpc_error error)
{
}

void skri_http_break(struct skr_conn *c, enum skr_rpc_error error)
{
    c->http.flags |= HTTP_CLOSE;
    c->http.left = 0;
}

int main(void)
{
    any_conn();
    conn.responding = false;
    ASSUME(conn.http.state != HTTP_SKIP); /* which reads no lines */
    struct skr_span line;
    uint32_t start = conn.rx.start;
    bool chunk = nondet_bool();
    if (chunk ? next_chunk_line(&conn, &line) : next_line(&conn, &line)) {
        PROVE(line.p == conn.in + start && line.n < conn.rx.start - start);
    }
    PROVE(conn.responding ? conn.rx.start <= conn.rx.fill && conn.rx.fill <= sizeof conn.in : buffer_is_sound(&conn));
    return 0;
}
