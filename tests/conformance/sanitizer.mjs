// sanitizer.mjs -- where the sanitizers of the programs under test write their reports. A client may close a
// server's stderr or drop it; a file it cannot.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { scratchFolder } from './places.mjs';

const FOLDER = scratchFolder('sanitizer');

/** Words for env(1) in front of a program. */
export const SANITIZER_OPTIONS = [
    `ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:log_path=${join(FOLDER, 'asan')}`,
    `UBSAN_OPTIONS=print_stacktrace=1:log_path=${join(FOLDER, 'ubsan')}`,
];

/** All reports so far. */
export function sanitizerReports() {
    return readdirSync(FOLDER)
        .map((name) => readFileSync(join(FOLDER, name), 'utf8'))
        .filter((text) => text.trim() !== '');
}
