// report.mjs -- runs tests, a few at a time, and prints them as a table in their order.
//
// A test is {device, name, version?, alone?, run}: run() returns a note, or throws why it failed.
import { sanitizerReports } from './sanitizer.mjs';

function line(verdict, test, remark) {
    const columns = [
        verdict.padEnd(6),
        test.device.padEnd(9),
        (test.version ?? '').padEnd(11),
        test.name.padEnd(45),
        remark,
    ];
    console.log(columns.join(' ').trimEnd());
}

async function judge(test) {
    try {
        return { remark: (await test.run()) ?? '' };
    } catch (error) {
        return { error: error.message || String(error) };
    }
}

/** Runs them, so many simultaneously, or one at a time of each device; returns how many failed, after printing the count. */
export async function runAll(tests, atOnce, oneEach) {
    const results = [];
    const started = new Set();
    const busy = new Set();
    let printed = 0;
    let failed = 0;

    const print = () => {
        for (; results[printed]; printed++) {
            const { remark, error } = results[printed];
            if (error === undefined) {
                line('ok', tests[printed], remark);
            } else {
                failed++;
                line('NOT OK', tests[printed], '');
                console.log(error.replace(/^/gm, '        | '));
            }
        }
    };
    const run = async (test, at) => {
        started.add(test);
        busy.add(test.device);
        results[at] = await judge(test);
        busy.delete(test.device);
        print();
    };
    const canStart = (test) => !started.has(test) && !test.alone && !(oneEach && busy.has(test.device));
    const work = async () => {
        for (let at; (at = tests.findIndex(canStart)) >= 0; ) {
            await run(tests[at], at);
        }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    for (const [at, test] of tests.entries()) {
        if (!started.has(test)) {
            await run(test, at);
        }
    }

    const reports = sanitizerReports();
    const clean = { device: 'all', name: 'no sanitizer report' };
    if (reports.length === 0) {
        line('ok', clean, '');
    } else {
        failed++;
        line('NOT OK', clean, '');
        console.log(reports.join('\n').slice(0, 4000).replace(/^/gm, '        | '));
    }
    console.log(`${tests.length + 1 - failed} passed, ${failed} failed`);
    return failed;
}
