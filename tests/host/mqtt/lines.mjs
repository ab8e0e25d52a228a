// lines.mjs -- messages on lines of TCP, carried over MQTT by the independent client: each connection is a client of its own.
//
//   node lines.mjs URL SERVER NAME      says "serving NAME at tcp://127.0.0.1:PORT" on stderr
//
// initialize goes to the server's control topic, everything else to the RPC topic; before anything else there is an initialize, as
// the specification wants, which is sent here when the peer begins otherwise. What the server tells on its capability topic is
// passed on like the rest.
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

import { McpOverMqtt } from './client.mjs';

const [url, server, name] = process.argv.slice(2);

async function serve(socket) {
    const client = new McpOverMqtt(url);
    const hidden = new Set(); // our own requests
    socket.on('error', () => {});
    client.on('message', ({ message }) => {
        if (message.method !== undefined || !hidden.delete(message.id)) {
            socket.write(`${JSON.stringify(message)}\n`);
        }
    });
    client.on('closed', () => socket.destroy());
    const lines = createInterface({ input: socket });
    const queue = [];
    let wake = () => {};
    lines.on('line', (line) => {
        queue.push(line);
        wake();
    });
    lines.on('close', () => {
        queue.push(undefined);
        wake();
    });
    await client.connect();
    await client.open(server, name);
    let initialized = false;
    for (;;) {
        if (queue.length === 0) {
            await new Promise((go) => (wake = go));
        }
        const line = queue.shift();
        if (line === undefined) {
            break;
        }
        if (line === '') {
            continue;
        }
        const message = JSON.parse(line);
        if (message.method === 'initialize') {
            await client.send(client.control, line);
        } else {
            if (!initialized) {
                client.last = 1e9 + client.last;
                hidden.add(client.last + 1);
                await client.initialize();
            }
            await client.send(client.rpc, line);
        }
        initialized = true;
    }
    await client.close();
}

const listener = createServer((socket) => serve(socket).catch(() => socket.destroy()));
listener.listen(0, '127.0.0.1', () => {
    process.stderr.write(`serving ${name} at tcp://127.0.0.1:${listener.address().port}\n`);
});
