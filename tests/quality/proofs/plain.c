/* function: skr_plain_run, skr_plain_copy, skr_print_run
 * property: stay inside both texts; find the first byte that needs an escape, word by word as byte by byte
 * bound:    9 17
 * unwind:   2 + BOUND
 * sources:  core/text/plain.c
 * break:    core/text/plain.c: (found = special_bytes(word, ASCII_ONLY)) -> (found = special_bytes(word, !ASCII_ONLY))
 * break:    core/text/plain.c: i = n - sizeof word; -> i = n - sizeof word + 1;
 * break:    core/text/plain.c: while (i < n && !is_special -> while (!is_special
 * break:    core/text/plain.c: while (i < n && (unsigned char)text[i] >= ' ') { -> while ((unsigned char)text[i] >= ' ') {
 */
#include "proof.h"

#include "text/plain.h"

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c != '"' && c != '\\';
}

int main(void)
{
    size_t n = any_length(), i = nondet_size();

    ANY_BYTES(text, n);
    ANY_BYTES(out, n);
    size_t run = skr_plain_run(text, n);
    PROVE(run <= n);
    PROVE(run == n || !is_plain((unsigned char)text[run]) || (unsigned char)text[run] > 0x7E);
    if (i < run) {
        PROVE(is_plain((unsigned char)text[i]) && (unsigned char)text[i] <= 0x7E);
    }
    size_t copied = skr_plain_copy(out, text, n);
    PROVE(copied <= n && (copied == n || !is_plain((unsigned char)text[copied])));
    if (i < copied) {
        PROVE(is_plain((unsigned char)text[i]) && out[i] == text[i]);
    }
    size_t print = skr_print_run(text, n);
    PROVE(print <= n && (print == n || (unsigned char)text[print] < ' '));
    if (i < print) {
        PROVE((unsigned char)text[i] >= ' ');
    }
    return 0;
}
