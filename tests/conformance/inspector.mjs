// inspector.mjs -- the MCP Inspector lists every skill, reads every file and compares digests and sizes, in both
// eras and over both wires.
import { installed, node } from './command.mjs';

const INSPECTOR = installed('@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const VERIFY = ['--method', 'skills/list', '--verify', '--require-digests'];

async function verify(words) {
    const { code, stdout, stderr } = await node(INSPECTOR, ['--cli', ...words]);
    const summary = /Verified \d+ skills? and \d+ files?: no conformance errors\./.exec(stderr)?.[0];
    if (code !== 0 || !summary) {
        throw new Error(`exit code ${code}\n${stderr}${stdout}`.slice(0, 2000));
    }
    return summary.replace(/^Verified (.*): .*/, '$1');
}

export function inspectorTests(devices) {
    const tests = [];
    for (const device of devices) {
        for (const era of ['modern', 'legacy']) {
            const add = (wire, words) =>
                tests.push({ device: device.name, name: `inspector verifies skills, ${wire}`, version: era, run: () => verify(words()) });
            add('http', () => [device.url, '--transport', 'http', '--protocol-era', era, ...VERIFY]);
            add('stdio', () => ['--protocol-era', era, ...VERIFY, '--', ...device.command]);
        }
    }
    return tests;
}
