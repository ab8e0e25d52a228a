// client.mjs -- an MCP client over MQTT, written from the specification "MCP over MQTT" and nothing else, with the npm package
// `mqtt`. It knows nothing of skillrom.
import { EventEmitter } from 'node:events';
import { randomUUID } from 'node:crypto';

import mqtt from 'mqtt';

const DISCONNECTED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/disconnected' });

/** One client: its own MQTT connection, whose client id is the mcp-client-id. Emits
 *  'presence' ({ server, name, online }) and 'message' (any JSON-RPC message of the server, with its topic). */
export class McpOverMqtt extends EventEmitter {
    /** options: those of mqtt.connect; clientId is drawn unless given. */
    constructor(url, options = {}) {
        super();
        this.id = options.clientId ?? `client-${randomUUID()}`;
        this.servers = new Map(); // "server/name" -> the online notification
        this.waiting = new Map(); // request id -> how to settle it
        this.last = 0;
        this.url = url;
        this.options = {
            // How long to wait is up to the code that uses this: by its own limits of 30 and 60 s the package gives up on a machine that is
            // busy with other tests, even if the broker has answered meanwhile.
            connectTimeout: 300000,
            keepalive: 600,
            ...options,
            clientId: this.id,
            protocolVersion: 5,
            reconnectPeriod: 0, // every session wants another id
            properties: {
                sessionExpiryInterval: 0,
                ...options.properties,
                userProperties: { 'MCP-COMPONENT-TYPE': 'mcp-client', 'MCP-META': '{"test":true}' },
            },
            will: { topic: `$mcp-client/presence/${this.id}`, payload: DISCONNECTED, qos: 1, retain: false },
        };
    }

    async connect() {
        this.mqtt = await mqtt.connectAsync(this.url, this.options);
        this.mqtt.on('message', (topic, payload, packet) => this.receive(topic, payload, packet));
        this.mqtt.on('close', () => this.emit('closed'));
        this.mqtt.on('error', (error) => this.emit('trouble', error));
    }

    send(topic, message, options = {}) {
        const payload = typeof message === 'string' ? message : JSON.stringify(message);
        return this.mqtt.publishAsync(topic, payload, {
            qos: 1,
            ...options,
            properties: {
                userProperties: {
                    'MCP-COMPONENT-TYPE': 'mcp-client',
                    'MCP-MQTT-CLIENT-ID': options.sender ?? this.id, // tests lie
                },
            },
        });
    }

    /** Subscribes to the presence of servers whose name matches the filter. */
    discover(filter = '#') {
        return this.mqtt.subscribeAsync(`$mcp-server/presence/+/${filter}`, { qos: 1 });
    }

    receive(topic, payload, packet) {
        const text = payload.toString();
        const levels = topic.split('/');
        if (topic.startsWith('$mcp-server/presence/')) {
            const [server, name] = [levels[2], levels.slice(3).join('/')];
            const online = text === '' ? undefined : JSON.parse(text);
            if (online) {
                this.servers.set(`${server}/${name}`, online);
            } else {
                this.servers.delete(`${server}/${name}`);
            }
            this.emit('presence', { server, name, online, retained: packet.retain, properties: packet.properties });
            return;
        }
        const message = JSON.parse(text);
        this.emit('message', { topic, message, properties: packet.properties });
        const settle = message.method === undefined ? this.waiting.get(message.id) : undefined;
        if (settle) {
            this.waiting.delete(message.id);
            settle(message);
        }
    }

    /** The RPC topic and the capability topic are subscribed before initialize is sent. */
    async open(server, name) {
        this.rpc = `$mcp-rpc/${this.id}/${server}/${name}`;
        this.control = `$mcp-server/${server}/${name}`;
        await this.mqtt.subscribeAsync(`$mcp-server/capability/${server}/${name}`, { qos: 1 });
        await this.mqtt.subscribeAsync(this.rpc, { qos: 1, nl: true });
    }

    async initialize(params = {}) {
        const response = await this.exchange(this.control, 'initialize', {
            protocolVersion: '2025-06-18',
            capabilities: {},
            clientInfo: { name: 'independent', version: '1.0.0' },
            ...params,
        });
        await this.send(this.rpc, { jsonrpc: '2.0', method: 'notifications/initialized' });
        return response;
    }

    exchange(topic, method, params) {
        const id = ++this.last;
        const response = new Promise((settle) => this.waiting.set(id, settle));
        this.send(topic, { jsonrpc: '2.0', id, method, params });
        return response;
    }

    /** The response, with result or error. */
    request(method, params = {}) {
        return this.exchange(this.rpc, method, params);
    }

    /** Leaves the server, and the broker. */
    async close() {
        await this.send(`$mcp-client/presence/${this.id}`, DISCONNECTED);
        await this.mqtt.endAsync();
    }

    /** As if the cable had been pulled: the broker tells the server. */
    break() {
        this.mqtt.stream.destroy();
    }
}
