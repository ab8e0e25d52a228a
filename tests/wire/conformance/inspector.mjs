// inspector.mjs -- the MCP Inspector lists every skill, reads every file and compares digests and sizes, in
// both eras and over both wires.
import { node } from './command.mjs';
import { installed } from './places.mjs';

const INSPECTOR = installed('@modelcontextprotocol/inspector/clients/launcher/build/index.js');

async function inspect(words) {
    const outcome = await node(INSPECTOR, ['--cli', ...words]);
    if (outcome.code !== 0) {
        throw new Error(`exit code ${outcome.code}\n${outcome.stderr}${outcome.stdout}`.slice(0, 2000));
    }
    return outcome;
}

async function verifySkills(words) {
    const { stderr } = await inspect(['--method', 'skills/list', '--verify', '--require-digests', ...words]);
    const summary = /Verified \d+ skills? and \d+ files?: no conformance errors\./.exec(stderr)?.[0];
    if (!summary) {
        throw new Error(`no summary\n${stderr}`.slice(0, 2000));
    }
    return summary.replace(/^Verified (.*): .*/, '$1');
}

/** --strict: the schemas of the tools must be such as other programs understand. */
async function judgeTools(words) {
    const { stdout } = await inspect(['--method', 'tools/list', '--strict', ...words]);
    return `${JSON.parse(stdout).tools.length} tools`;
}

export function inspectorTests(devices) {
    const tests = [];
    for (const device of devices) {
        for (const era of ['modern', 'legacy']) {
            const add = (name, run) => tests.push({ device: device.name, version: era, name, run });
            const http = () => ['--protocol-era', era, '--transport', 'http', device.url];
            const stdio = () => ['--protocol-era', era, '--', ...device.command];
            add('inspector verifies skills, http', () => verifySkills(http()));
            add('inspector judges tools, http', () => judgeTools(http()));
            if (device.hasStdio) {
                add('inspector verifies skills, stdio', () => verifySkills(stdio()));
                add('inspector judges tools, stdio', () => judgeTools(stdio()));
            }
        }
    }
    return tests;
}
