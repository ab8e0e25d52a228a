// peer.mjs -- the independent client as a program that does what it is told, for tests/host/mqtt/run.
//
//   node peer.mjs URL [OPTIONS]     OPTIONS: JSON for mqtt.connect; files are named by ca, cert and key
//
// Each line of stdin is {"do": NAME, "id": N, ...}, and is answered by {"id": N, ...} on stdout. What arrives by itself is printed
// as {"event": "presence" | "message" | "closed", ...}.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { McpOverMqtt } from './client.mjs';

const [url, json] = process.argv.slice(2);
const options = JSON.parse(json ?? '{}');
for (const name of ['ca', 'cert', 'key']) {
    if (options[name]) {
        options[name] = readFileSync(options[name]);
    }
}
const client = new McpOverMqtt(url, options);
const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

client.on('presence', (what) => print({ event: 'presence', ...what }));
client.on('message', (what) => print({ event: 'message', ...what }));
client.on('closed', () => print({ event: 'closed' }));
client.on('trouble', (error) => print({ event: 'trouble', text: String(error) }));

const actions = {
    discover: ({ filter }) => client.discover(filter),
    open: ({ server, name }) => client.open(server, name),
    initialize: ({ params }) => client.initialize(params),
    request: ({ method, params }) => client.request(method, params),
    publish: ({ topic, text, retain, sender }) => client.send(topic, text, { retain, sender }),
    subscribe: ({ topic }) => client.mqtt.subscribeAsync(topic, { qos: 1 }),
    close: () => client.close(),
    break: () => client.break(),
};

try {
    await client.connect();
    print({ event: 'connected', clientId: client.id });
} catch (error) {
    print({ event: 'refused', text: String(error) });
    process.exit(1);
}
for await (const line of createInterface({ input: process.stdin })) {
    const command = JSON.parse(line);
    Promise.resolve(actions[command.do](command))
        .then((result) => print({ id: command.id, result: result ?? null }))
        .catch((error) => print({ id: command.id, failed: String(error) }));
}
process.exit(0);
