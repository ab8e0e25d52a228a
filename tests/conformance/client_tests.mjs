// client_tests.mjs -- the scripts in clients/, each against a device over HTTP and over stdio. They run as processes
// of their own, as a user's client would, and print a line that says what they saw.
import { fileURLToPath } from 'node:url';

import { node } from './command.mjs';

async function runClient(script, words) {
    const path = fileURLToPath(new URL(`clients/${script}`, import.meta.url));
    const { code, stdout, stderr } = await node(path, words);
    if (code !== 0 || stdout.trim() === '') {
        throw new Error(`exit code ${code}\n${stderr}${stdout}`.slice(0, 3000));
    }
    return stdout.trim();
}

/** One test a wire. */
function both(device, version, name, script, words) {
    const at = (wire, target) => ({
        device: device.name,
        version,
        name: `${name}, ${wire}`,
        run: () => runClient(script, [...words, '--', ...target()]),
    });
    return [at('http', () => [device.url]), at('stdio', () => device.command)];
}

function paged(device, mode) {
    return {
        device: device.name,
        version: mode,
        name: 'full walk, one item a page, stdio',
        run: () => runClient('walk.mjs', [mode, device.folder, '--', ...device.command, '--page', '1']),
    };
}

export function clientTests(example, deflated, fixture) {
    const tests = both(example, 'legacy', 'SDK v1 tour', 'sdk_v1.mjs', [example.folder]);
    for (const mode of ['auto', 'legacy', '2026-07-28']) {
        tests.push(...both(example, mode, 'SDK v2 tour', 'sdk_v2.mjs', [mode, example.folder]));
        tests.push(...both(example, mode, 'SDK v2 SkillsClient', 'skills.mjs', [mode, example.folder]));
    }
    for (const device of [example, deflated, fixture]) {
        for (const mode of ['legacy', '2026-07-28']) {
            tests.push(...both(device, mode, 'full walk', 'walk.mjs', [mode, device.folder]), paged(device, mode));
        }
    }
    return tests;
}
