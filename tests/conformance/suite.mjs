// suite.mjs -- all conformance tests: what is started, what is asked of it, and the count at the end.
//
// Served are the example device, as a user gets it and with its files deflated, and the fixture, which has
// what the official suite looks for. Started by `run`, from the root of the repository.
import { clientTests } from './client_tests.mjs';
import { inspectorTests } from './inspector.mjs';
import { runAll } from './report.mjs';
import { scenarioTests } from './scenarios.mjs';
import { Device } from './server.mjs';

const programs = process.argv[2] ?? 'build/asan';

const example = new Device('example', `${programs}/skillromd`, 'build/example.rom', 'examples/device');
const deflated = new Device(
    'deflated',
    `${programs}/skillromd`,
    'build/example-deflated.rom',
    'examples/device',
);
const fixture = new Device(
    'fixture',
    `${programs}/conformance-device`,
    'build/conformance.rom',
    'tests/conformance/device',
);
const devices = [example, deflated, fixture];

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
    failed = await runAll([
        ...scenarioTests(example, fixture),
        ...inspectorTests([example, fixture]),
        ...clientTests(example, deflated, fixture),
        // Last: every server still runs, and ends in order when it is told to.
        ...devices.map((device) => ({
            alone: true,
            device: device.name,
            name: 'server ends in order',
            run: () => device.end(),
        })),
    ]);
} catch (error) {
    console.log(`conformance: ${error.message}\n0 passed, 1 failed`);
}
process.exit(failed ? 1 : 0);
