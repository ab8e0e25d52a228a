// report.mjs -- runs tests, a few at a time, and prints them as a table in their order.
//
// A test is {device, name, version?, alone?, run}: run() returns a note, or throws why it failed.
import { sanitizerReports } from './sanitizer.mjs';

function line(verdict, test, note) {
    const columns = [
        verdict.padEnd(6),
        test.device.padEnd(9),
        (test.version ?? '').padEnd(11),
        test.name.padEnd(45),
        note,
    ];
    console.log(columns.join(' ').trimEnd());
}

async function judge(test) {
    try {
        return { note: (await test.run()) ?? '' };
    } catch (error) {
        return { error: error.message || String(error) };
    }
}

/** Runs them, so many at once; returns how many failed, after printing the count. */
export async function runAll(tests, atOnce) {
    const results = [];
    let next = 0;
    let printed = 0;
    let failed = 0;

    const print = () => {
        for (; results[printed]; printed++) {
            const { note, error } = results[printed];
            if (error === undefined) {
                line('ok', tests[printed], note);
            } else {
                failed++;
                line('NOT OK', tests[printed], '');
                console.log(error.replace(/^/gm, '        | '));
            }
        }
    };
    const work = async () => {
        while (next < tests.length && !tests[next].alone) {
            const at = next++;
            results[at] = await judge(tests[at]);
            print();
        }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    for (; next < tests.length; next++) {
        results[next] = await judge(tests[next]);
        print();
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
