// authority.mjs -- an authorization server as a plant may have one, oidc-provider, with a client that is a program and one
// that is a person at a browser; and tokens of our own making that are wrong in one way each.
import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Provider from 'oidc-provider';

import { start } from './own_server.mjs';

const SCOPES = 'read operate';

/** Where a person is sent back to. Nothing listens there: the tests read where they are sent. */
export const REDIRECT = 'http://127.0.0.1/back';

function keyPair(type, options, kid, alg) {
    const { privateKey } = generateKeyPairSync(type, options);
    return { private: privateKey, jwk: { ...privateKey.export({ format: 'jwk' }), kid, alg, use: 'sig' } };
}

/** Serves on a free port until closed. */
async function startAuthority() {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${server.address().port}`;
    const ours = keyPair('ec', { namedCurve: 'P-256' }, 'current', 'ES256');
    const other = keyPair('rsa', { modulusLength: 2048 }, 'for-others', 'RS256');
    const provider = new Provider(issuer, {
        jwks: { keys: [other.jwk, ours.jwk] },
        cookies: { keys: ['for a test'] },
        scopes: SCOPES.split(' '),
        clients: [
            {
                client_id: 'agent',
                client_secret: 'a secret of the agent',
                grant_types: ['client_credentials'],
                redirect_uris: [],
                response_types: [],
            },
            {
                client_id: 'desktop',
                token_endpoint_auth_method: 'none',
                application_type: 'native',
                grant_types: ['authorization_code'],
                redirect_uris: [REDIRECT],
            },
        ],
        features: {
            clientCredentials: { enabled: true },
            resourceIndicators: {
                enabled: true,
                getResourceServerInfo: (_context, resource) => ({
                    scope: SCOPES,
                    audience: resource,
                    accessTokenFormat: 'jwt',
                    jwt: { sign: { alg: 'ES256' } },
                }),
            },
        },
    });
    server.on('request', provider.callback());
    const jwks = await (await fetch(`${issuer}/jwks`)).text();
    return { issuer, jwks, key: ours.private, close: () => server.close() };
}

/** Starts the command as a server that trusts such an authority, and calls use(url, authority). */
export async function withAuthority(command, use) {
    const authority = await startAuthority();
    const folder = mkdtempSync(join(tmpdir(), 'skillrom-oauth-'));
    const keys = join(folder, 'jwks.json');
    writeFileSync(keys, authority.jwks, { mode: 0o600 });
    let running = await start(command, 0, []); // only to learn of a free port: it is part of the resource's name
    try {
        await running.kill();
        running = await start(command, running.port, [
            ...['--state', join(folder, 'state'), '--oauth-resource', running.url],
            ...['--oauth-issuer', authority.issuer, '--oauth-keys', keys],
        ]);
        await use(running.url, authority);
    } finally {
        await running.kill();
        authority.close();
        rmSync(folder, { recursive: true });
    }
}

const encode = (value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A token of these parts; `make` gets what is signed and returns the signature. Objects become JSON. */
export function token(header, claims, make) {
    const text = `${encode(header)}.${encode(claims)}`;
    return `${text}.${make(text).toString('base64url')}`;
}

export const es256 = (key) => (text) => sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });

/** Wrong tokens by what is wrong with them. good: claims that would do. */
export function wrongTokens(authority, good) {
    const now = Math.floor(Date.now() / 1000);
    const signed = es256(authority.key);
    const header = { alg: 'ES256', typ: 'at+jwt', kid: 'current' };
    const but = (claims) => token(header, { ...good, ...claims }, signed);
    const headed = (changes) => token({ ...header, ...changes }, good, signed);
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const pem = createPublicKey(authority.key).export({ type: 'spki', format: 'pem' });
    const hs256 = (text) => createHmac('sha256', pem).update(text).digest();
    const twice = (text, member) => text.replace('{', `{${member},`);
    const whole = token(header, good, signed);
    return {
        'expired': but({ exp: now - 300 }),
        'not valid yet': but({ nbf: now + 300 }),
        'no date': but({ exp: undefined }),
        'a date that is text': but({ exp: `${now + 300}` }),
        'another audience': but({ aud: 'https://other.example/mcp' }),
        'an audience that begins alike': but({ aud: `${good.aud}/more` }),
        'no audience': but({ aud: undefined }),
        'several other audiences': but({ aud: ['https://other.example/mcp', 'agent'] }),
        'another issuer': but({ iss: 'https://evil.example' }),
        'no issuer': but({ iss: undefined }),
        'nobody': but({ sub: undefined }),
        'a name that is too long': but({ sub: 'x'.repeat(300) }),
        'bound to a key': but({ cnf: { jkt: 'abc' } }),
        'alg none, no signature': token({ ...header, alg: 'none' }, good, () => Buffer.alloc(0)),
        'alg none, our signature': headed({ alg: 'none' }),
        'HS256 with the public key as its secret': token({ ...header, alg: 'HS256' }, good, hs256),
        'HS256 called ES256': token(header, good, hs256),
        'RS256': headed({ alg: 'RS256' }),
        'es256 in lower case': headed({ alg: 'es256' }),
        'an unknown kid': headed({ kid: 'former' }),
        'the kid of a key for others': headed({ kid: 'for-others' }),
        'a kid that is a number': headed({ kid: 1 }),
        'a stranger, by our kid': token(header, good, es256(stranger)),
        'a stranger, who brings the key': token(
            { ...header, jwk: createPublicKey(stranger).export({ format: 'jwk' }) },
            good,
            es256(stranger),
        ),
        'a header that demands something': headed({ crit: ['exp'] }),
        'an empty crit': headed({ crit: [] }),
        'another kind of token': headed({ typ: 'logout+jwt' }),
        'iss twice': token(header, twice(JSON.stringify(good), '"iss":"https://evil.example"'), signed),
        'alg twice, once escaped': token(twice(JSON.stringify(header), '"\\u0061lg":"none"'), good, signed),
        'too long': but({ groups: 'g'.repeat(4096) }),
        'a fourth part': `${whole}.e30`,
        'an empty fourth part': `${whole}.`,
        'no signature': whole.slice(0, whole.lastIndexOf('.') + 1),
        'two parts': whole.slice(0, whole.lastIndexOf('.')),
        'a signature of 63 bytes': token(header, good, (text) => signed(text).subarray(1)),
        'a signature of 65 bytes': token(header, good, (text) => Buffer.concat([signed(text), Buffer.from([0])])),
        'a signature of zeros': token(header, good, () => Buffer.alloc(64)),
        'a signature in DER': token(header, good, (text) => sign('sha256', Buffer.from(text), authority.key)),
        'padding': whole.replace('.', '=.'),
        'claims that are an array': token(header, [good], signed),
        'claims with something after them': token(header, `${JSON.stringify(good)}{}`, signed),
        'claims that are not JSON': token(header, 'sub=root', signed),
        'a header that is not JSON': token('ES256', good, signed),
        'an altered claim': whole.replace(/\.[^.]+\./, `.${encode({ ...good, scope: 'operate', sub: 'root' })}.`),
        'not a JWT': 'a-token-of-another-user',
    };
}
