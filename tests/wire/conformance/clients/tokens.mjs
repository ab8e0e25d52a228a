// tokens.mjs -- a server that wants tokens: with one, without, with a wrong one, with one that may only read.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { commandLine, connectV1, connectV2 } from './connect.mjs';
import { start } from './own_server.mjs';

const { own, server } = commandLine('tokens.mjs v1|v2 MODE', 2);
const [sdk, mode] = own;
const folder = mkdtempSync(join(tmpdir(), 'skillrom-tokens-'));
const file = join(folder, 'tokens');
const hash = (token) => createHash('sha256').update(token).digest('hex');
writeFileSync(file, `alice operate ${hash('alice-secret')}\nbob read ${hash('bob-secret')}\n`, { mode: 0o600 });

const connect = (url, token) =>
    sdk === 'v1' ? connectV1([url], {}, token) : connectV2([url], mode, {}, token);

/** True when this HTTP status is what the error is about, or a part of it. */
function hasStatus(error, status) {
    return (
        [error?.code, error?.status, error?.data?.status].includes(status) ||
        (error?.cause !== undefined && hasStatus(error.cause, status))
    );
}

const running = await start(server, 0, ['--token-file', file, '--state', join(folder, 'state')]);
try {
    const alice = await connect(running.url, 'alice-secret');
    const stopped = await alice.client.callTool({ name: 'stop_all' });
    assert.ok(!stopped.isError);
    await alice.close();

    const bob = await connect(running.url, 'bob-secret');
    assert.ok((await bob.client.listTools()).tools.some((tool) => tool.name === 'stop_all'));
    assert.ok(!(await bob.client.callTool({ name: 'line_status', arguments: { line: 1 } })).isError);
    await assert.rejects(
        bob.client.callTool({ name: 'stop_all' }),
        (error) => error.requiredScope === 'operate' || hasStatus(error, 403), // v2 reads the challenge
    );
    assert.ok((await bob.client.listResources()).resources.length > 0); // and it goes on
    await bob.client.close();

    for (const token of [undefined, 'wrong', 'alice']) {
        await assert.rejects(connect(running.url, token), (error) => hasStatus(error, 401));
    }
    console.log(`${sdk} ${mode}: let in, 403, and 401 three times`);
} finally {
    await running.kill();
    rmSync(folder, { recursive: true });
}
