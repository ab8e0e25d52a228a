// forged.mjs -- what a server that trusts an authorization server says of it to anybody; tokens that it takes, and wrong
// ones, each refused with its reason; whose sessions are whose.
import assert from 'node:assert/strict';

import { es256, token, withAuthority, wrongTokens } from './authority.mjs';
import { commandLine } from './connect.mjs';

const { server } = commandLine('forged.mjs', 0);
const HEADER = { alg: 'ES256', typ: 'at+jwt', kid: 'current' };
const HELLO = {
    method: 'initialize',
    params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'skillrom-tests', version: '1.0.0' },
    },
};

/** Claims that are good for some minutes. */
function goodClaims(url, authority) {
    const exp = Math.floor(Date.now() / 1000) + 300;
    return { iss: authority.issuer, aud: url, sub: 'alice', client_id: 'agent', exp, scope: 'operate' };
}

async function post(url, bearer, body, headers = {}) {
    const response = await fetch(url, {
        method: 'POST',
        headers: {
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
            ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
            ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    });
    return {
        status: response.status,
        challenge: response.headers.get('www-authenticate'),
        session: response.headers.get('mcp-session-id'),
        text: await response.text(),
    };
}

async function metadata(url, issuer) {
    const at = new URL(url);
    const whole = `${at.origin}/.well-known/oauth-protected-resource`;
    for (const path of [whole, `${whole}/mcp`]) {
        const response = await fetch(path);
        assert.equal(response.status, 200);
        assert.equal(response.headers.get('content-type'), 'application/json');
        assert.deepEqual(await response.json(), {
            resource: url,
            authorization_servers: [issuer],
            scopes_supported: ['read', 'operate'],
            bearer_methods_supported: ['header'],
        });
        assert.equal((await fetch(path, { method: 'HEAD' })).status, 200);
        const posted = await fetch(path, { method: 'POST', body: '{}' });
        assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
    }
    assert.equal((await fetch(`${whole}/other`)).status, 404);
    const { status, challenge } = await post(url, undefined, HELLO);
    assert.equal(status, 401);
    assert.equal(challenge, `Bearer resource_metadata="${whole}/mcp", scope="read"`);
}

async function taken(url, authority) {
    const good = goodClaims(url, authority);
    const make = (claims, changes = {}) =>
        token({ ...HEADER, ...changes }, { ...good, ...claims }, es256(authority.key));
    const welcome = [
        make({}),
        make({ nbf: good.exp - 300 }),
        make({ exp: good.exp + 0.5 }),
        make({ aud: ['https://other.example', url] }),
        make({ exp: good.exp - 330 }), // clocks may differ a little
        make({ groups: 'g'.repeat(600) }),
        make({}, { kid: undefined }), // there is one key
        make({}, { typ: 'JWT' }),
        make({}, { typ: undefined }),
    ];
    for (const bearer of [...welcome, ...welcome]) { // the second time they are remembered
        assert.equal((await post(url, bearer, HELLO)).status, 200);
    }
}

async function refused(url, authority) {
    let count = 0;
    for (const [what, bearer] of Object.entries(wrongTokens(authority, goodClaims(url, authority)))) {
        const { status, challenge, text } = await post(url, bearer, HELLO);
        assert.equal(status, 401, `${what}: ${status} ${text}`);
        assert.match(challenge, /^Bearer error="invalid_token", error_description="[^"]+", resource_metadata=/, what);
        assert.ok(!text.includes('serverInfo'), what);
        count++;
    }
    return count;
}

async function scopes(url, authority) {
    const make = (scope) => token(HEADER, { ...goodClaims(url, authority), scope }, es256(authority.key));
    for (const scope of [undefined, '', 'email', 'reads operated', 'READ', ['operate']]) {
        const { status, challenge } = await post(url, make(scope), HELLO);
        assert.equal(status, 403, `${scope}`);
        assert.match(challenge, /^Bearer error="insufficient_scope", resource_metadata="[^"]+", scope="read"$/);
    }
    const reader = make('email read');
    const { session } = await post(url, reader, HELLO);
    const call = (name, args) =>
        post(url, reader, { method: 'tools/call', params: { name, arguments: args } }, { 'Mcp-Session-Id': session });
    assert.equal((await call('line_status', { line: 1 })).status, 200);
    const { status, challenge } = await call('stop_all', {});
    assert.equal(status, 403);
    assert.match(challenge, /^Bearer error="insufficient_scope", resource_metadata="[^"]+", scope="operate"$/);
}

/** Another user's session is of no use, even with the user's own valid token; a renewed token goes on with it. */
async function sessions(url, authority) {
    const good = goodClaims(url, authority);
    const make = (claims) => token(HEADER, { ...good, ...claims }, es256(authority.key));
    const { session } = await post(url, make({}), HELLO);
    const list = async (claims) =>
        (await post(url, make(claims), { method: 'tools/list', params: {} }, { 'Mcp-Session-Id': session })).status;
    assert.equal(await list({ exp: good.exp + 60, scope: 'read' }), 200);
    assert.equal(await list({ sub: 'bob' }), 404);
    assert.equal(await list({ client_id: 'desktop' }), 404);
    assert.equal(await list({ sub: 'alice"agent', client_id: '' }), 404);
}

await withAuthority(server, async (url, authority) => {
    await metadata(url, authority.issuer);
    await taken(url, authority);
    const count = await refused(url, authority);
    await scopes(url, authority);
    await sessions(url, authority);
    console.log(`${count} tokens refused`);
});
