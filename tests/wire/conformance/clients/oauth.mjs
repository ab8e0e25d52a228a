// oauth.mjs -- a server that trusts an authorization server: a client that has no token is told where to get one, gets it,
// and is served; for a tool that it may not run yet it gets another. Wrong tokens: forged.mjs.
import assert from 'node:assert/strict';

import {
    ClientCredentialsProvider as ProviderV2,
    StreamableHTTPClientTransport as HttpV2,
    Client as ClientV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ClientCredentialsProvider as ProviderV1 } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { REDIRECT, withAuthority } from './authority.mjs';
import { browser } from './browser.mjs';
import { commandLine } from './connect.mjs';

const { own, server } = commandLine('oauth.mjs v1|v2 MODE', 2);
const [sdk, mode] = own;
const v1 = sdk === 'v1';
const INFO = { name: 'skillrom-tests', version: '1.0.0' };
const UNAUTHORIZED = (error) => error.constructor.name === 'UnauthorizedError';

function connection(url, authProvider) {
    const client = v1 ? new ClientV1(INFO) : new ClientV2(INFO, { versionNegotiation: { mode } });
    const wire = new (v1 ? HttpV1 : HttpV2)(new URL(url), { authProvider });
    return { client, wire };
}

/** As a program signs in: client credentials. In v1 it must say itself which scope it wants: the SDK does not pass on what
 * the challenge says. */
async function program(url, issuer) {
    const secret = { clientId: 'agent', clientSecret: 'a secret of the agent' };
    const { client, wire } = connection(
        url,
        v1 ? new ProviderV1({ ...secret, scope: 'operate' }) : new ProviderV2({ ...secret, expectedIssuer: issuer }),
    );
    await client.connect(wire);
    return client;
}

/** As a person does: the SDK opens a page, where a user signs in and consents. */
async function person(url) {
    const { provider, brought } = browser(REDIRECT, 'desktop', 'alice');
    const finish = async (wire) => wire.finishAuth(v1 ? (await brought()).get('code') : await brought());
    const first = connection(url, provider);
    await assert.rejects(first.client.connect(first.wire), UNAUTHORIZED);
    await finish(first.wire);
    const { client, wire } = connection(url, provider);
    await client.connect(wire);
    return { client, finish: () => finish(wire) };
}

await withAuthority(server, async (url, authority) => {
    const agent = await program(url, authority.issuer);
    assert.ok((await agent.listTools()).tools.some((tool) => tool.name === 'stop_all'));
    assert.ok(!(await agent.callTool({ name: 'line_status', arguments: { line: 1 } })).isError);
    assert.ok(!(await agent.callTool({ name: 'stop_all' })).isError); // v2: after 403 it asks for "operate"
    await agent.close();

    const alice = await person(url);
    assert.ok((await alice.client.listResources()).resources.length > 0);
    await assert.rejects(alice.client.callTool({ name: 'stop_all' }), UNAUTHORIZED); // to the page again
    await alice.finish();
    assert.ok(!(await alice.client.callTool({ name: 'stop_all' })).isError);
    await alice.client.close();
    console.log(`${sdk} ${mode}: a program and a person got in`);
});
