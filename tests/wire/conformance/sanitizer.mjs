// sanitizer.mjs -- where the address sanitizer of the programs under test writes its reports. A client may
// close a server's stderr or drop it; a file it cannot. The undefined-behaviour sanitizer knows only
// stderr, but it ends the program, and that no client overlooks.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { scratchFolder } from './places.mjs';

const FOLDER = scratchFolder('sanitizer');

/** Words for env(1) in front of a program. */
export const SANITIZER_OPTIONS = [
    `ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:log_path=${join(FOLDER, 'asan')}`,
    'UBSAN_OPTIONS=print_stacktrace=1',
];

/** All reports so far. */
export function sanitizerReports() {
    return readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name), 'utf8'));
}
