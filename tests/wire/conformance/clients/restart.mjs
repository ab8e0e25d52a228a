// restart.mjs -- the server is killed and started again under a connected client, twice: its next call is answered as if
// nothing had happened, and who was promised to hear of changes hears that there may be some.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ResourceListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

import { commandLine, connectV1, connectV2 } from './connect.mjs';
import { start } from './own_server.mjs';

const { own, server } = commandLine('restart.mjs v1|v2 MODE', 2);
const [sdk, mode] = own;
const folder = mkdtempSync(join(tmpdir(), 'skillrom-restart-'));

/** The calls of a client that goes on with its work. */
async function work(link) {
    const { tools } = await link.client.listTools();
    assert.ok(tools.length > 0);
    const status = await link.client.callTool({ name: 'line_status', arguments: { line: 1 } });
    assert.ok(!status.isError && status.content.length > 0);
    return tools.length + status.content.length;
}

/** Resolves when the client has heard that the resources may have changed. */
function changed(link) {
    return new Promise((heard) => {
        if (sdk === 'v1') {
            link.client.setNotificationHandler(ResourceListChangedNotificationSchema, heard);
        } else {
            link.client.setNotificationHandler('notifications/resources/list_changed', heard);
        }
    });
}

async function survive(words, hears) {
    const state = ['--state', join(folder, 'state'), ...words];
    let running = await start(server, 0, state);
    const link = sdk === 'v1' ? await connectV1([running.url]) : await connectV2([running.url], mode);
    const notified = hears ? changed(link) : Promise.resolve();
    const before = await work(link);
    for (let i = 0; i < 2; i++) {
        await running.kill();
        running = await start(server, running.port, state);
        assert.equal(await work(link), before);
    }
    await notified;
    await link.client.close();
    await running.kill();
}

try {
    await survive([], false);
    await survive(['--reload'], mode === 'legacy');
    await survive(['--no-sessions'], false);
    console.log(`${sdk} ${mode}: 6 restarts, no error`);
} finally {
    rmSync(folder, { recursive: true });
}
