// index.mjs -- devices in this program, and a transport of the MCP SDKs to them.
export {Links, LINE, HTTP} from './links.mjs'
export {NodePort, WebPort} from './serial.mjs'

// A transport for Client.connect of the TypeScript SDK, versions 1 and 2: new DeviceTransport(Links.twin(...)).
export class DeviceTransport {
    constructor(links) { this.links = links }
    async start() {
        // A response arrives while send() is still running; the SDK expects it afterwards.
        this.link = this.links.line(text => queueMicrotask(() => this.onmessage?.(JSON.parse(text))), () => this.onclose?.())
    }
    async send(message) { this.link.send(JSON.stringify(message)) }
    async close() { this.link?.close() }
}
