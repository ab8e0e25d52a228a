// places.mjs -- where things lie: what is installed, and what this run may write.
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// `run` has copied the scripts into a folder of this run's own, beside node_modules.
const scratch = dirname(fileURLToPath(import.meta.url));

/** Where a file of an installed package lies. */
export function installed(path) {
    return resolve(scratch, '../node_modules', path);
}

/** A folder for this run, removed at its end. */
export function scratchFolder(name) {
    const folder = resolve(scratch, name);
    mkdirSync(folder, { recursive: true });
    return folder;
}
