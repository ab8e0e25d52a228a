// client_tests.mjs -- the scripts in clients/, each against a device over HTTP and over stdio. They run as
// processes of their own, as a user's client would, and print a line that says what they saw.
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { node } from './command.mjs';
import { scratchFolder } from './places.mjs';

const client = (script) => fileURLToPath(new URL(`clients/${script}`, import.meta.url));

async function runClient(script, words) {
    const { code, stdout, stderr } = await node(client(script), words);
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
    return [
        at('http', () => [device.url]),
        ...(device.hasStdio ? [at('stdio', () => device.command)] : []),
    ];
}

function paged(device, mode) {
    return {
        device: device.name,
        version: mode,
        name: 'full walk, one item a page, stdio',
        run: () => runClient('walk.mjs', [mode, device.folder, '--', ...device.command, '--page', '1']),
    };
}

/** Another image takes the place of the one that is served. */
function notifications(device, other) {
    return {
        device: device.name,
        name: 'both SDKs hear of another image',
        run: () => runClient('notifications.mjs', [other.command.at(-1), '--', ...device.command]),
    };
}

/** The SDK talks to a server of its own, which is given another image at the end. */
function session(device, other, sdk, mode) {
    return ['http', 'stdio'].map((wire) => ({
        device: device.name,
        version: mode,
        name: `SDK ${sdk} session, ${wire}`,
        run: () => {
            const image = other.command.at(-1);
            return runClient('session.mjs', [sdk, mode, wire, device.folder, image, '--', ...device.command]);
        },
    }));
}

/** The server is killed and started again, or wants tokens, or is a board that is reset: each SDK in each of its ways. */
function ownServer(device, name, script, command = device.command) {
    return [['v1', 'legacy'], ['v2', 'legacy'], ['v2', 'auto']].map(([sdk, mode]) => ({
        device: device.name,
        version: mode,
        name: `SDK ${sdk} ${name}`,
        run: () => runClient(script, [sdk, mode, '--', ...command]),
    }));
}

// Ways in which disk and image can differ; the walk must see each. Each gets a copy of the device's folder.
const DIFFERENCES = {
    'a changed byte': (skill) => {
        const path = join(skill, 'references/acceptance.md');
        const bytes = readFileSync(path);
        bytes[bytes.length - 2] ^= 1;
        writeFileSync(path, bytes);
    },
    'a byte too few': (skill) => appendFileSync(join(skill, 'assets/log-sheet.csv'), '\n'),
    'a missing file': (skill) => writeFileSync(join(skill, 'assets/new.csv'), 'a,b\n'),
    'an extra file': (skill) => rmSync(join(skill, 'assets/log-sheet.csv')),
    'a missing directory': (skill) => mkdirSync(join(skill, 'empty')),
};

function noticing(device) {
    return Object.entries(DIFFERENCES).map(([what, change]) => ({
        device: device.name,
        name: `full walk notices ${what}`,
        run: async () => {
            const folder = scratchFolder(`differs/${what.replaceAll(' ', '-')}`);
            cpSync(device.folder, folder, { recursive: true });
            change(join(folder, 'skills/daily-check'));
            const { code, stderr } = await node(client('walk.mjs'), ['legacy', folder, '--', device.url]);
            if (code !== 1 || !stderr.includes('ERR_ASSERTION')) {
                throw new Error(`exit code ${code}\n${stderr}`.slice(0, 2000));
            }
        },
    }));
}

/** What a board is asked: all that its wire could spoil. What tells more of a client than of a server is for the PC. */
export function boardTests(example, fixture) {
    const tests = both(example, 'legacy', 'SDK v1 tour', 'sdk_v1.mjs', [example.folder]);
    for (const mode of ['legacy', 'auto']) {
        tests.push(...both(example, mode, 'SDK v2 tour', 'sdk_v2.mjs', [mode, example.folder]));
        tests.push(...both(example, mode, 'SDK v2 SkillsClient', 'skills.mjs', [mode, example.folder]));
    }
    tests.push(...both(example, 'auto', 'ext-skills client', 'ext_skills.mjs', ['auto', example.folder]));
    for (const mode of ['legacy', '2026-07-28']) {
        tests.push(...both(example, mode, 'full walk', 'walk.mjs', [mode, example.folder]));
    }
    tests.push(...both(fixture, '2026-07-28', 'full walk', 'walk.mjs', ['2026-07-28', fixture.folder]));
    tests.push(...ownServer(example, 'through a reset', 'reset.mjs', example.httpCommand));
    return tests;
}

export function clientTests(example, deflated, fixture) {
    const tests = both(example, 'legacy', 'SDK v1 tour', 'sdk_v1.mjs', [example.folder]);
    tests.push(...session(fixture, example, 'v1', 'legacy'));
    tests.push(...session(fixture, example, 'v2', 'legacy'), ...session(fixture, example, 'v2', '2026-07-28'));
    for (const mode of ['auto', 'legacy', '2026-07-28']) {
        tests.push(...both(example, mode, 'SDK v2 tour', 'sdk_v2.mjs', [mode, example.folder]));
        tests.push(...both(example, mode, 'SDK v2 SkillsClient', 'skills.mjs', [mode, example.folder]));
        tests.push(...both(example, mode, 'ext-skills client', 'ext_skills.mjs', [mode, example.folder]));
    }
    tests.push(...both(example, 'legacy', 'mcpc', 'mcpc.mjs', [example.folder]));
    for (const device of [example, deflated, fixture]) {
        for (const mode of ['legacy', '2026-07-28']) {
            tests.push(...both(device, mode, 'full walk', 'walk.mjs', [mode, device.folder]), paged(device, mode));
        }
    }
    tests.push(...noticing(example), notifications(example, fixture));
    tests.push(...ownServer(example, 'through kill -9', 'restart.mjs'));
    tests.push(...ownServer(example, 'with tokens', 'tokens.mjs'));
    tests.push(...ownServer(example, 'signs in (OAuth)', 'oauth.mjs'));
    tests.push({
        device: example.name,
        name: 'forged access tokens',
        run: () => runClient('forged.mjs', ['--', ...example.command]),
    });
    return tests;
}
