// reset.mjs -- a board is reset under a connected client, as by its button: the client's next call is answered as if nothing
// had happened, on the connection it has kept. The server is a command that resets its board on SIGHUP and says so (tests/boards/net/boot).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { commandLine, connectV1, connectV2 } from './connect.mjs';

const RESETS = 3;
const { own, server } = commandLine('reset.mjs v1|v2 MODE', 2);
const [sdk, mode] = own;
const child = spawn(server[0], server.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] });
const ended = once(child, 'close');
let said = '';
let heard = () => {};
child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
    heard();
});

/** Resolves to the URL when it has said so many times that it serves. */
function serving(times) {
    return new Promise((found, fail) => {
        heard = () => {
            const urls = [...said.matchAll(/ at (http:\S+) /g)];
            if (urls.length >= times) {
                found(urls[times - 1][1]);
            }
        };
        ended.then(() => fail(new Error(`the board has ended: ${said}`)));
        heard();
    });
}

async function work(link) {
    const { tools } = await link.client.listTools();
    const status = await link.client.callTool({ name: 'line_status', arguments: { line: 1 } });
    assert.ok(!status.isError && status.content.length > 0);
    return tools.length;
}

try {
    const url = await serving(1);
    const link = sdk === 'v1' ? await connectV1([url]) : await connectV2([url], mode);
    const before = await work(link);
    for (let reset = 1; reset <= RESETS; reset++) {
        child.kill('SIGHUP');
        assert.equal(await serving(1 + reset), url);
        assert.equal(await work(link), before);
    }
    await link.client.close();
    console.log(`${sdk} ${mode}: ${RESETS} resets, no error`);
} finally {
    child.kill('SIGTERM');
    await ended;
}
