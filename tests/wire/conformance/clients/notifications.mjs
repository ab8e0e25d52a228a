// notifications.mjs -- the image is replaced while the clients of both SDKs are connected over HTTP: each hears of it, sees
// the other image on the connection it has, and the newer one sees its subscription end in order with the server.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ResourceListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

import { commandLine, connectV1, connectV2 } from './connect.mjs';

const CHANGED = 'notifications/resources/list_changed';

const { own, server } = commandLine('notifications.mjs OTHER_IMAGE', 1);
const folder = mkdtempSync(join(tmpdir(), 'skillrom-news-'));
const image = join(folder, 'image.rom');
copyFileSync(server.at(-1), image);

const child = spawn(server[0], [...server.slice(1, -1), image, '--reload', '--http', '127.0.0.1:0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
});
const url = await new Promise((found) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
        said += text;
        const where = /serving .* at (http:\S+)\n/.exec(said);
        if (where) {
            found(where[1]);
        }
    });
});

const older = await connectV1([url]);
const newer = await connectV2([url], '2026-07-28');
const notified = [
    new Promise((hear) => older.client.setNotificationHandler(ResourceListChangedNotificationSchema, hear)),
    new Promise((hear) => newer.client.setNotificationHandler(CHANGED, hear)),
];
for (const { client } of [older, newer]) {
    assert.equal(client.getServerCapabilities().resources.listChanged, true);
}
const subscription = await newer.client.listen({ resourcesListChanged: true });
assert.deepEqual(subscription.honoredFilter, { resourcesListChanged: true });
const before = await Promise.all([older, newer].map((link) => link.exchange('skills/list')));

copyFileSync(own[0], `${image}.new`);
renameSync(`${image}.new`, image);
child.kill('SIGHUP');
await Promise.all(notified);

const after = await Promise.all([older, newer].map((link) => link.exchange('skills/list')));
const names = (results) => results.map((result) => result.skills.map((skill) => skill.uri).join(' '));
assert.notDeepEqual(names(after), names(before));
assert.equal(names(after)[0], names(after)[1]);

child.kill('SIGTERM');
assert.equal(await subscription.closed, 'graceful');
await once(child, 'close');
rmSync(folder, { recursive: true });
console.log(`both heard; ${before[0].skills.length} skills before, ${after[0].skills.length} after`);
process.exit(0); // the clients would try to reach the server again
