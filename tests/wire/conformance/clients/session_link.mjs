// session_link.mjs -- what session.mjs talks through: a device of its own that can take another image, and a client
// of either SDK that answers questions and keeps what it has received. Here is all in which the SDKs differ.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import * as v1 from '@modelcontextprotocol/sdk/types.js';

import { connectV1, connectV2 } from './connect.mjs';

const PATIENCE_MS = 30000;

const CAPABILITIES = {
    elicitation: { form: { applyDefaults: true }, url: {} },
    sampling: {},
    roots: {},
};

// By method: the schema by which the v1 client knows it.
const CLIENT_REQUESTS = {
    'elicitation/create': v1.ElicitRequestSchema,
    'sampling/createMessage': v1.CreateMessageRequestSchema,
    'roots/list': v1.ListRootsRequestSchema,
};
const NOTIFICATIONS = {
    'notifications/message': v1.LoggingMessageNotificationSchema,
    'notifications/tools/list_changed': v1.ToolListChangedNotificationSchema,
    'notifications/prompts/list_changed': v1.PromptListChangedNotificationSchema,
    'notifications/resources/list_changed': v1.ResourceListChangedNotificationSchema,
    'notifications/resources/updated': v1.ResourceUpdatedNotificationSchema,
};

/** Rejects with a sentence instead of waiting for ever. */
export function within(promise, what) {
    let timer;
    const late = new Promise((_, fail) => {
        timer = setTimeout(() => fail(new Error(`waited ${PATIENCE_MS / 1000} s for ${what}`)), PATIENCE_MS);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** The text of a result that is not an error. */
export function textOf(result) {
    assert.ok(!result.isError, `an error: ${JSON.stringify(result)}`);
    assert.equal(result.content.length, 1, JSON.stringify(result));
    return result.content[0].text;
}

/** Answers questions of this method from now on; returns what is asked. */
export function replyWith(link, method, reply) {
    const asked = [];
    link.replies[method] = (params) => {
        asked.push(params);
        return typeof reply === 'function' ? reply(params) : reply;
    };
    return asked;
}

export const accept = (content) => ({ action: 'accept', content });

export async function until(holds) {
    while (!(await holds())) {
        await new Promise((later) => setTimeout(later, 20));
    }
}

/** The device with an image that can be replaced. Over HTTP it is started here, over stdio by the client. */
export async function startDevice(command, wire) {
    const folder = mkdtempSync(join(tmpdir(), 'skillrom-session-'));
    process.on('exit', () => rmSync(folder, { recursive: true }));
    const image = join(folder, 'image.rom');
    copyFileSync(command.at(-1), image);
    const words = [...command.slice(0, -1), image, '--reload'];
    const device = { server: words, first: command.at(-1) };
    let child;
    if (wire === 'http') {
        child = spawn(words[0], [...words.slice(1), '--http', '127.0.0.1:0'], {
            stdio: ['ignore', 'ignore', 'pipe'],
        });
        process.on('exit', () => child.kill('SIGKILL'));
        device.pid = child.pid;
        device.server = [await within(addressOf(child), 'the device to say where it serves')];
    }
    device.replaceImage = (other, pid) => {
        copyFileSync(other, `${image}.new`);
        renameSync(`${image}.new`, image);
        process.kill(pid, 'SIGHUP');
    };
    device.end = async () => {
        if (child) {
            const ended = once(child, 'close');
            child.kill('SIGTERM');
            const [code, signal] = await within(ended, 'the device to end');
            if (code !== 0) {
                throw new Error(`the device ended with ${signal ?? `exit code ${code}`}`);
            }
        }
    };
    return device;
}

function addressOf(child) {
    return new Promise((found, fail) => {
        let said = '';
        child.stderr.setEncoding('utf8').on('data', (text) => {
            said += text;
            const where = /serving .* at (http:\S+)\n/.exec(said);
            if (where) {
                found(where[1]);
            }
        });
        child.on('close', () => fail(new Error(`the device did not start: ${said.trim()}`)));
    });
}

/** Both clients lose progress that comes in the same read as the result: they get one message a turn. */
function oneByOne(wire) {
    const deliver = wire.onmessage;
    let turn = Promise.resolve();
    const received = [];
    wire.onmessage = (message, extra) => {
        received.push(message);
        turn = turn.then(() => nextTurn()).then(() => deliver(message, extra));
    };
    return received;
}

/** Every message that is sent; done resolves when it has left, over HTTP when it has been taken. */
function observeSending(wire) {
    const sent = [];
    const send = wire.send.bind(wire);
    wire.send = (message, options) => {
        const done = send(message, options);
        sent.push({ message, done });
        return done;
    };
    return sent;
}

/** Every GET that has been answered: the event behind which it wants to go on, and the status it got. */
function observeGets() {
    const gets = [];
    const plain = globalThis.fetch;
    globalThis.fetch = async (url, options) => {
        const response = await plain(url, options);
        if (options?.method === 'GET') {
            gets.push({ after: new Headers(options.headers).get('last-event-id'), status: response.status });
        }
        return response;
    };
    return gets;
}

/** What has been received and not been asked for: next() takes it in order, or waits for it. */
function createInbox() {
    const received = [];
    let wake = () => {};
    return {
        received,
        add: (method, params) => {
            received.push({ method, params });
            wake();
        },
        next: async (method) => {
            const find = async () => {
                for (;;) {
                    const at = received.findIndex((item) => item.method === method);
                    if (at >= 0) {
                        return received.splice(at, 1)[0].params;
                    }
                    await new Promise((woken) => (wake = woken));
                }
            };
            return within(find(), `${method}, received was ${JSON.stringify(received)}`);
        },
        /** All of this method so far, which are then forgotten. */
        take: (method) => {
            const taken = received.filter((item) => item.method === method);
            received.splice(0, received.length, ...received.filter((item) => item.method !== method));
            return taken.map((item) => item.params);
        },
    };
}

/** A connected client. replies: by method, what answers the server's questions. */
export async function openSession(sdk, mode, server) {
    const old = sdk === 'v1';
    const options = { capabilities: CAPABILITIES };
    const gets = observeGets();
    const link = old ? await connectV1(server, options) : await connectV2(server, mode, options);
    const { client, wire } = link;
    const replies = {};
    const inbox = createInbox();
    for (const [method, schema] of Object.entries(CLIENT_REQUESTS)) {
        client.setRequestHandler(old ? schema : method, async ({ params }) => {
            if (!replies[method]) {
                throw new Error(`the server asked ${method} unexpectedly: ${JSON.stringify(params)}`);
            }
            return replies[method](params ?? {});
        });
    }
    for (const [method, schema] of Object.entries(NOTIFICATIONS)) {
        client.setNotificationHandler(old ? schema : method, ({ params }) => inbox.add(method, params));
    }
    return {
        ...link,
        sdk,
        modern: link.version >= '2026-07-28',
        overHttp: server[0].startsWith('http'),
        replies,
        expectNothing: () => Object.keys(replies).forEach((method) => delete replies[method]),
        inbox,
        received: oneByOne(wire),
        sent: observeSending(wire),
        gets,
        call: (name, args = {}, callOptions = {}, more = {}) => {
            const params = { name, arguments: args, ...more };
            return old ? client.callTool(params, undefined, callOptions) : client.callTool(params, callOptions);
        },
    };
}
