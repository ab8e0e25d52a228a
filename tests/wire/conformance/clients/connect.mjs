// connect.mjs -- what the client scripts share: the command line, and a connected client of either SDK.
//
// A script is called with its own words, then `--`, then the server: a URL, or a command with its arguments.
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';

const INFO = { name: 'skillrom-tests', version: '1.0.0' };

// Takes any result as it is: the SDKs do not know every method we ask for.
const AS_IT_IS = { '~standard': { version: 1, vendor: 'skillrom', validate: (value) => ({ value }) } };

/** The words of the command line: those of the script, and the server. */
export function commandLine(usage, count) {
    const words = process.argv.slice(2);
    const dashes = words.indexOf('--');
    if (dashes !== count || words.length === dashes + 1) {
        console.error(`usage: ${usage} -- URL | COMMAND ARGUMENTS...`);
        process.exit(2);
    }
    return { own: words.slice(0, dashes), server: words.slice(dashes + 1) };
}

function transport(server, Http, Stdio, token) {
    const requestInit = token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } };
    return server[0].startsWith('http')
        ? new Http(new URL(server[0]), { requestInit })
        : new Stdio({ command: server[0], args: server.slice(1), stderr: 'inherit' });
}

/** What both SDKs share in use. Closing fails when the client met an error that no call reported. */
async function connect(client, wire, schema) {
    const errors = [];
    client.onerror = (error) => errors.push(error);
    await client.connect(wire);
    return {
        client,
        wire,
        exchange: (method, params = {}) => client.request({ method, params }, schema),
        close: async () => {
            await wire.terminateSession?.();
            await client.close();
            if (errors.length > 0) {
                throw new AggregateError(
                    errors,
                    `the client reported: ${errors.map((e) => e.message).join('; ')}`,
                );
            }
        },
    };
}

/** The v1 client tells the version they agreed on only to its transport. */
function listenForVersion(wire) {
    const heard = {};
    const setVersion = wire.setProtocolVersion?.bind(wire);
    wire.setProtocolVersion = (version) => {
        heard.version = version;
        setVersion?.(version);
    };
    return heard;
}

/** options: those of the client, such as capabilities. token: for HTTP, if it wants one. */
export async function connectV1(server, options = {}, token = undefined) {
    const wire = transport(server, HttpV1, StdioV1, token);
    const heard = listenForVersion(wire);
    const link = await connect(new ClientV1(INFO, options), wire, ResultSchema);
    return { ...link, version: expectVersion(heard.version, '2025-11-25'), notFound: -32002 };
}

/** mode: auto, legacy, or the version to insist on. */
export async function connectV2(server, mode, options = {}, token = undefined) {
    const versionNegotiation = { mode: mode === 'auto' || mode === 'legacy' ? mode : { pin: mode } };
    const link = await connect(
        new ClientV2(INFO, { ...options, versionNegotiation }),
        transport(server, HttpV2, StdioV2, token),
        AS_IT_IS,
    );
    const version = link.client.getNegotiatedProtocolVersion();
    // This client reports the older eras' -32002 under the code it has now.
    return {
        ...link,
        version: expectVersion(version, mode === 'legacy' ? '2025-11-25' : '2026-07-28'),
        notFound: -32602,
    };
}

function expectVersion(version, wanted) {
    if (version !== wanted) {
        throw new Error(`agreed on ${version} instead of ${wanted}`);
    }
    return version;
}

/** All items of a paged list: list(cursor) returns a page, key names its array. */
export async function allPages(list, key) {
    const items = [];
    const seen = new Set();
    for (let cursor; ;) {
        const page = await list(cursor === undefined ? {} : { cursor });
        items.push(...page[key]);
        cursor = page.nextCursor;
        if (cursor === undefined) {
            return items;
        }
        if (seen.has(cursor)) {
            throw new Error(`cursor ${cursor} came twice in a list of ${key}`);
        }
        seen.add(cursor);
    }
}
