// scenarios.mjs -- which scenarios of the official suite are run, at which protocol versions, and what
// counts as passed. The suite's exit code is not enough: it is 0 for a scenario that was skipped, and for
// warnings. So the checks it wrote are counted, and must be as many as a perfect server gets.
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { node } from './command.mjs';
import { installed, scratchFolder } from './places.mjs';

const SUITE = installed('@modelcontextprotocol/conformance/dist/index.js');
const OUT = scratchFolder('checks');

// The protocol versions. Extensions match none of them: the suite then runs at the newest.
const VERSIONS = { A: '2025-03-26', B: '2025-06-18', C: '2025-11-25', D: '2026-07-28', X: undefined };

// What needs nothing but an MCP server with skills: how many SUCCESS checks there are to get, by version.
const ANYWHERE = {
    'sep-2640-skills-enumeration': { X: 32 },
    'sep-2640-skills-directory': { X: 7 },
    'sep-2640-skills-manifest': { X: 6 },
    'server-initialize': { B: 3, C: 3 },
    'server-session-lifecycle': { A: 3, B: 3, C: 3 },
    ping: { B: 2, C: 2 },
    'logging-set-level': { B: 2, C: 2 },
    'tools-list': { B: 2, C: 3, D: 4 },
    'prompts-list': { B: 2, C: 2, D: 2 },
    'resources-list': { B: 2, C: 2, D: 2 },
    'sep-2164-resource-not-found': { D: 4 },
    caching: { D: 8 },
    'http-header-validation': { D: 14 },
    'dns-rebinding-protection': { C: 2, D: 2 },
    'server-sse-multiple-streams': { C: 2, D: 2 },
    'input-required-result-unsupported-methods': { D: 2 },
};

// The whole suite, against the fixture: one run per protocol version, and the scenarios that the suite holds back.
// How many SUCCESS checks a perfect server gets; the one that is skipped is always.
const SUITES = [
    { version: '2025-03-26', wanted: 3 },
    { version: '2025-06-18', wanted: 56 },
    { version: '2025-11-25', wanted: 84 },
    { version: '2026-07-28', wanted: 153 },
    { suite: 'pending', wanted: 124, skipped: 1 },
];
const REQUIREMENTS = ['2025-11-25', '2026-07-28'];

/** The checks of the one scenario that was written below folder. */
function readChecks(folder) {
    const found = readdirSync(folder);
    if (found.length !== 1) {
        throw new Error(`the suite wrote ${found.length} results instead of one`);
    }
    return JSON.parse(readFileSync(join(folder, found[0], 'checks.json'), 'utf8'));
}

function explain(check) {
    const why = check.errorMessage ?? JSON.stringify(check.details ?? {});
    return `${check.status} ${check.id}: ${check.description}\n  ${why}`.slice(0, 2000);
}

async function runScenario(device, scenario, version, wanted) {
    const folder = mkdtempSync(join(OUT, `${device.name}-${scenario}-`));
    const at = version ? ['--spec-version', version] : [];
    const { stdout, stderr } = await node(SUITE, [
        'server',
        '--url',
        device.url,
        '--scenario',
        scenario,
        ...at,
        '-o',
        folder,
    ]);
    let checks;
    try {
        checks = readChecks(folder);
    } catch (error) {
        throw new Error(`${error.message}\n${stdout}${stderr}`.slice(0, 2000));
    }
    return judge(checks, wanted, 0);
}

/** Throws unless there are exactly these; returns the note for the table. */
function judge(checks, wanted, skipped) {
    const bad = checks.filter((check) => !['SUCCESS', 'SKIPPED', 'INFO'].includes(check.status));
    if (bad.length > 0) {
        throw new Error(bad.map(explain).join('\n'));
    }
    const count = (status) => checks.filter((check) => check.status === status).length;
    if (count('SUCCESS') !== wanted || count('SKIPPED') !== skipped) {
        const all = checks.map((check) => `${check.status} ${check.id}`).join('\n');
        throw new Error(`expected ${wanted} SUCCESS and ${skipped} SKIPPED, got:\n${all}`);
    }
    return wanted === 1 ? '1 check' : `${wanted} checks`;
}

async function runSuite(device, { suite, version, wanted, skipped }) {
    const folder = mkdtempSync(join(OUT, `${device.name}-suite-`));
    const at = version ? ['--spec-version', version] : [];
    await node(SUITE, ['server', '--url', device.url, '--suite', suite ?? 'all', ...at, '-o', folder]);
    const checks = readdirSync(folder).flatMap((scenario) =>
        JSON.parse(readFileSync(join(folder, scenario, 'checks.json'), 'utf8')),
    );
    return judge(checks, wanted, skipped ?? 0);
}

/** The official verdict: what a revision requires. */
async function runRequirements(device, version) {
    const { code, stdout, stderr } = await node(SUITE, ['server', '--url', device.url, '--requirements', version]);
    if (code !== 0) {
        throw new Error(`exit code ${code}\n${stdout}${stderr}`.slice(-3000));
    }
    return 'all requirements';
}

/** The whole suite, at every version. */
export function* suiteTests(device) {
    for (const run of SUITES) {
        const name = run.suite ? `the suite's ${run.suite} scenarios` : 'the whole suite';
        yield { device: device.name, name, version: run.version ?? 'extension', run: () => runSuite(device, run) };
    }
    for (const version of REQUIREMENTS) {
        yield { device: device.name, name: 'requirements', version, run: () => runRequirements(device, version) };
    }
}

function* tests(device, table) {
    for (const [scenario, runs] of Object.entries(table)) {
        for (const [letter, wanted] of Object.entries(runs)) {
            const version = VERSIONS[letter];
            yield {
                device: device.name,
                name: scenario,
                version: version ?? 'extension',
                run: () => runScenario(device, scenario, version, wanted),
            };
        }
    }
}

/** What makes sense for any server with skills. */
export function anywhereTests(example) {
    return [...tests(example, ANYWHERE)];
}

export function scenarioTests(example, fixture) {
    return [...tests(example, ANYWHERE), ...suiteTests(fixture)];
}
