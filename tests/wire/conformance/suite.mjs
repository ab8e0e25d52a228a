// suite.mjs -- all conformance tests: what is started, what is asked of it, and the count at the end.
//
// Served are the example device, as a user gets it and with its files deflated, and the fixture, which has
// what the official suite looks for. Started by `run`, from the root of the repository. With --board, both are
// firmwares in an emulator, reached over its Ethernet. After the folder, --suite runs the official suite and the Inspector
// alone: make test does that through the bridge. --official runs the official suite once at each version. --anywhere serves the
// example alone, and asks what any server with skills can answer: that is for the fleet, which has other tools than the device
// that it serves.
import { boardTests, clientTests } from './client_tests.mjs';
import { inspectorTests } from './inspector.mjs';
import { runAll } from './report.mjs';
import { anywhereTests, scenarioTests, suiteTests } from './scenarios.mjs';
import { Board, Device } from './server.mjs';

const PUMP = 'examples/pump';
const FIXTURE = 'tests/wire/conformance/device';

function onThisMachine(programs) {
    return [
        new Device('example', `${programs}/pump`, 'build/example.rom', PUMP),
        new Device('deflated', `${programs}/pump`, 'build/example-deflated.rom', PUMP),
        new Device('fixture', `${programs}/conformance-device`, 'build/conformance.rom', FIXTURE),
    ];
}

function onBoard(build) {
    return [
        new Board('example', build, 'program.elf', 'build/example.rom', PUMP),
        undefined,
        new Board('fixture', build, 'conformance.elf', 'build/conformance.rom', FIXTURE),
    ];
}

const [first, build] = process.argv.slice(2);
const [example, deflated, fixture] = first === '--board' ? onBoard(build) : onThisMachine(first ?? 'build/asan');
const both = () => [...scenarioTests(example, fixture), ...inspectorTests([example, fixture])];
const clients = () => (deflated ? clientTests(example, deflated, fixture) : boardTests(example, fixture));
const modes = {
    '--anywhere': { devices: [example], list: () => anywhereTests(example) },
    '--official': { devices: [fixture], list: () => [...suiteTests(fixture)] },
    '--suite': { devices: [example, fixture], list: both },
};
const everything = { devices: [example, deflated, fixture], list: () => [...both(), ...clients()] };
const { devices: wanted, list } = modes[build] ?? everything;
const devices = wanted.filter((device) => device);
// One client opens several connections, and a board has few.
const oneEach = !example.hasStdio;

// Whatever ends this process, the servers end with it.
process.on('exit', () => devices.forEach((device) => device.kill()));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => process.exit(130));
}

let failed = 1;
try {
    for (const device of devices) {
        await device.serve();
    }
    const tests = [
        ...list(),
        // Last: every server still runs, and ends in order when it is told to.
        ...devices.map((device) => ({
            alone: true,
            device: device.name,
            name: 'server ends in order',
            run: () => device.end(),
        })),
    ];
    failed = await runAll(tests, 2, oneEach);
} catch (error) {
    console.log(`conformance: ${error.message}\n0 passed, 1 failed`);
}
process.exit(failed ? 1 : 0);
