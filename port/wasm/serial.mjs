// serial.mjs -- a serial port for Links.bridge: of Node, with npm's serialport, or of a browser, with Web Serial.
//
// open(speed, wake) returns 0, OPENING while that takes, or minus WASI's number of an error; read(n) returns null when the port is gone; write(bytes) returns how
// many bytes it has taken. wake() is called when something has changed.
const NONE = new Uint8Array(), FULL = 4096, OPENING = 1, EACCES = 2, EBUSY = 10, ENOENT = 44, ENOTTY = 59

class Port {
    inbox = []; unsent = 0; state = 'closed'; problem = ENOENT

    open(speed, wake) {
        const was = this.state
        if (was == 'failed') this.state = 'closed' // and the next attempt begins again
        if (was == 'closed') {
            this.state = 'opening'
            this.wake = wake
            this.begin(speed).then(() => this.state = 'open', error => { this.state = 'failed'; this.problem = this.number(error) }).then(wake)
        }
        return was == 'open' ? 0 : was == 'failed' ? -this.problem : OPENING
    }
    received(bytes) {
        this.inbox.push(bytes)
        this.wake()
    }
    gone() {
        if (this.state != 'open') return
        this.state = 'closed'
        this.inbox = []
        this.wake()
    }
    read(n) {
        if (this.state != 'open') return null
        if (!this.inbox.length) return NONE
        const piece = this.inbox[0].subarray(0, n)
        piece.length < this.inbox[0].length ? this.inbox[0] = this.inbox[0].subarray(piece.length) : this.inbox.shift()
        return piece
    }
    write(bytes) {
        if (this.state != 'open') return -1
        if (this.unsent > FULL) return 0
        this.unsent += bytes.length
        this.put(bytes).catch(() => this.gone()).then(() => {
            this.unsent -= bytes.length
            if (this.unsent <= FULL) this.wake()
        })
        return bytes.length
    }
    close() {
        const was = this.state
        this.state = 'closed'
        this.inbox = []
        if (was == 'open') this.finish().catch(() => {})
    }
    baud(speed) {
        this.change(speed).catch(() => this.gone())
        return 0
    }
    // Windows denies access to a port that another program has opened.
    number({message}) {
        if (/denied|access/i.test(message)) return globalThis.process?.platform == 'win32' ? EBUSY : EACCES
        return /lock|busy|in use|already open/i.test(message) ? EBUSY : /ioctl|is a directory/i.test(message) ? ENOTTY : ENOENT
    }
}

// new NodePort(SerialPort of the package serialport, path)
export class NodePort extends Port {
    constructor(SerialPort, path) { super(); Object.assign(this, {SerialPort, path}) }
    call(name, ...values) { return new Promise((done, failed) => this.port[name](...values, error => error ? failed(error) : done())) }
    begin(speed) {
        this.port = new this.SerialPort({path: this.path, baudRate: speed, autoOpen: false})
        this.port.on('data', bytes => this.received(bytes)).on('close', () => this.gone()).on('error', () => this.gone())
        return this.call('open')
    }
    put(bytes) { return this.call('write', bytes) }
    change(speed) { return this.call('update', {baudRate: speed}) }
    async finish() { await this.call('drain'); await this.call('close') }
}

// new WebPort(SerialPort of navigator.serial)
export class WebPort extends Port {
    constructor(port) { super(); this.port = port }
    async begin(speed) {
        await this.port.open({baudRate: speed, bufferSize: 16384})
        this.writer = this.port.writable.getWriter()
        this.reading = this.readAll()
    }
    // After an error such as a parity error the port has a new stream; after the loss of the device it has none.
    async readAll() {
        while (this.port.readable && !this.closing) {
            this.reader = this.port.readable.getReader()
            try {
                for (let got; !(got = await this.reader.read()).done;) this.received(got.value)
            } catch {}
            this.reader.releaseLock()
        }
        if (!this.closing) this.gone()
    }
    put(bytes) { return this.writer.write(bytes) }
    async finish() {
        this.closing = true
        await this.reader.cancel().catch(() => {})
        await this.reading
        this.writer.releaseLock()
        await this.port.close().finally(() => this.closing = false)
    }
    async change(speed) { await this.finish(); await this.begin(speed) } // Web Serial cannot change the speed of an open port
}
