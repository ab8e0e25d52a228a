// links.mjs -- a module of the core in this page or program, as lines or as fetch().
//
//   const twin = Links.twin(wasm, image)                              a device: twin.wasm, or serve.wasm without handlers
//   const bridge = Links.bridge(wasm, port)                           a device on a serial port: bridge.wasm, and a port of serial.mjs
//   const line = twin.line(text => ...); line.send('{"jsonrpc":...}') one message per line
//   const response = await twin.fetch('/mcp', {method: 'POST', ...})  HTTP/1.1 as the core speaks it, its page included
//
// wasm and image are Uint8Arrays. Errors are thrown as Error with the reason of the core.
export const LINE = 0, HTTP = 1 // enum skr_wire
const RESPONDING = 2 // enum skr_activity
const NAME = 64 // room for the name of a port, in host/wasm/bridge.c
const encode = text => new TextEncoder().encode(text)
const clock = () => performance.now() + 1000 // one clock for ticks and imports; 0 would mean never

export class Links {
    constructor(wasm, imports = {}) {
        this.w = new WebAssembly.Instance(new WebAssembly.Module(wasm), imports).exports
        crypto.getRandomValues(this.memory(this.w.link_seed(), 16))
        this.links = Array(this.w.link_count()).fill(null)
    }

    static twin(wasm, image) {
        const t = new Links(wasm)
        const at = t.w.twin_image(image.length)
        if (!at) throw new Error(`no memory for an image of ${image.length} bytes`)
        t.memory(at, image.length).set(image)
        const error = t.w.twin_start(image.length)
        if (error) throw new Error(t.text(t.w.twin_reason(error)))
        return t
    }

    static bridge(wasm, port, {baud = 0, plain = false, waitMs = 10000, responseMs = 65000, pollMs = 0, log = () => {}} = {}) {
        const take = (to, bytes) => bytes ? (t.memory(to, bytes.length).set(bytes), bytes.length) : -1
        const t = new Links(wasm, {
            env: {
                tty_open: speed => port.open(speed, () => t.turn()),
                tty_read: (to, n) => take(to, port.read(n)),
                tty_write: (from, n) => port.write(t.memory(from, n).slice()),
                tty_close: () => port.close(),
                tty_baud: speed => port.baud(speed),
                print: (at, n) => log(new TextDecoder().decode(t.memory(at, n))),
            },
            wasi_snapshot_preview1: {
                clock_time_get: (id, precision, at) => (new DataView(t.w.memory.buffer).setBigUint64(at, BigInt(Math.round(clock() * 1e6)), true), 0),
                random_get: (at, n) => (crypto.getRandomValues(t.memory(at, n)), 0),
                fd_seek: () => 8, fd_write: () => 8, // EBADF: what is printed goes through print
            },
        })
        if (port.path) t.memory(t.w.bridge_name(), NAME).set(encode(port.path + '\0').subarray(0, NAME - 1))
        t.w.bridge_start(baud, plain, waitMs, responseMs, pollMs)
        t.turn()
        return t
    }

    memory(at, n) { return new Uint8Array(this.w.memory.buffer, at, n) }
    text(at) { return new TextDecoder().decode(this.memory(at, new Uint8Array(this.w.memory.buffer).indexOf(0, at) - at)) }

    // Moves bytes on one link until nothing moves any more.
    pump(link) {
        const {w} = this
        for (let moved = true; moved && link.open;) {
            moved = false
            for (let at; link.open && (at = w.link_out(link.i), w.link_length() > 0); moved = true) {
                const n = w.link_length()
                link.take(this.memory(at, n)) // copied or decoded by take(): the core may reuse it
                if (link.open) w.link_sent(link.i, n)
            }
            while (link.open && link.queue.length > 0) {
                const at = w.link_room(link.i), room = w.link_length()
                if (room == 0) break
                const piece = link.queue[0].subarray(0, room)
                this.memory(at, piece.length).set(piece)
                piece.length < link.queue[0].length ? link.queue[0] = link.queue[0].subarray(piece.length) : link.queue.shift()
                w.link_in(link.i, piece.length)
                moved = true
                if (w.link_doing(link.i) == RESPONDING) break
            }
        }
        if (link.open && w.link_finished(link.i)) link.close()
    }

    // Does what is due, and comes back when the module wants it.
    turn() {
        if (this.turning) return void (this.again = true)
        this.turning = true
        let wait
        do {
            this.again = false
            wait = this.w.link_tick(clock())
            for (const link of this.links) if (link) this.pump(link)
        } while (this.again)
        this.turning = false
        clearTimeout(this.timer)
        this.timer = wait < 0 || this.ended ? undefined : setTimeout(() => this.turn(), Math.max(1, wait))
    }

    end() {
        this.ended = true
        clearTimeout(this.timer)
        this.w.bridge_end?.()
    }

    // A connection: take(bytes) gets what is sent, give(bytes) is what arrives, closed() is called at its end.
    open(wire, take, closed) {
        const i = this.links.indexOf(null)
        if (i < 0) throw new Error(`all ${this.links.length} connections are in use; close one`)
        const close = () => {
            if (!link.open) return
            link.open = false
            this.w.link_close(i)
            this.links[i] = null
            closed?.()
        }
        const give = bytes => {
            link.queue.push(bytes)
            this.pump(link)
            this.due ??= setTimeout(() => { this.due = undefined; this.turn() }, 0) // a tool may go on, also after a response
        }
        const link = {i, open: true, queue: [], take, close, give}
        this.w.link_open(i, wire)
        return this.links[i] = link
    }

    // Messages as lines.
    line(message, closed) {
        const decoder = new TextDecoder()
        let rest = ''
        const link = this.open(LINE, bytes => {
            rest += decoder.decode(bytes, {stream: true})
            for (let end; (end = rest.indexOf('\n')) >= 0; rest = rest.slice(end + 1)) message(rest.slice(0, end))
        }, closed)
        return {send: text => link.give(encode(text + '\n')), close: link.close}
    }

    // fetch() for this module alone: a connection of HTTP/1.1 for each request.
    fetch(url, init = {}) {
        const {pathname, search} = new URL(url?.url ?? url, 'http://twin/')
        const method = init.method ?? 'GET', body = init.body == null ? new Uint8Array() : encode(init.body)
        let head = `${method} ${pathname}${search} HTTP/1.1\r\nHost: twin\r\nConnection: close\r\nAccept-Encoding: gzip\r\n`
        new Headers(init.headers).forEach((value, name) => head += `${name}: ${value}\r\n`)
        if (body.length || method == 'POST') head += `Content-Length: ${body.length}\r\n`
        return new Promise((done, failed) => {
            init.signal?.throwIfAborted()
            const reader = new ResponseReader(method, done)
            const abort = () => { reader.fail(init.signal.reason, failed); link.close() }
            const link = this.open(HTTP, bytes => { if (reader.take(bytes)) link.close() }, () => {
                init.signal?.removeEventListener('abort', abort)
                reader.fail(new TypeError('the connection was closed'), failed)
            })
            reader.cancelled = link.close
            init.signal?.addEventListener('abort', abort)
            link.give(encode(head + '\r\n'))
            if (body.length && link.open) link.give(body)
        })
    }
}

// A response of HTTP/1.1, with a length, in chunks or until the connection ends, as a Response whose body is a stream.
class ResponseReader {
    got = new Uint8Array(); left = Infinity; over = false
    constructor(method, done) { Object.assign(this, {method, done}) }

    // Bytes of it; true at its end.
    take(bytes) {
        const both = new Uint8Array(this.got.length + bytes.length)
        both.set(this.got); both.set(bytes, this.got.length)
        this.got = both
        if (!this.over && (this.body || this.takeHead())) this.chunked ? this.takeChunks() : this.takeBody(this.left)
        return this.over
    }
    // The end of the connection, or an error: an open body ends, and without a response there is none.
    fail(error, failed) {
        if (this.over) return
        this.over = true
        !this.body ? failed(error) : this.chunked || this.left != Infinity ? this.body.error(error) : this.body.close()
    }
    finish() { this.over = true; this.body.close() }
    eat(n) { const piece = this.got.subarray(0, n); this.got = this.got.subarray(n); return piece }
    eatLine() {
        const end = this.got.indexOf(10)
        return end < 0 ? null : new TextDecoder().decode(this.eat(end + 1)).trimEnd()
    }
    takeHead() {
        const ends = new TextDecoder('latin1').decode(this.got).indexOf('\r\n\r\n')
        if (ends < 0) return false
        const status = +this.eatLine().split(' ')[1], headers = new Headers()
        for (let line; (line = this.eatLine()) != '';) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim())
        this.chunked = /chunked/i.test(headers.get('transfer-encoding') ?? '')
        if (headers.has('content-length')) this.left = +headers.get('content-length')
        const none = this.method == 'HEAD' || [204, 304].includes(status)
        const stream = new ReadableStream({start: body => this.body = body, cancel: () => { this.over = true; this.cancelled() }})
        const plain = headers.get('content-encoding') == 'gzip' ? stream.pipeThrough(new DecompressionStream('gzip')) : stream
        this.done(new Response(none ? null : plain, {status, headers}))
        if (none || this.left == 0) this.finish()
        return !this.over
    }
    takeBody(room) {
        const piece = this.eat(Math.min(room, this.got.length))
        if (piece.length) this.body.enqueue(piece.slice())
        this.left -= piece.length
        if (this.left == 0) this.finish()
    }
    takeChunks() {
        while (!this.over) {
            if (this.left == Infinity) {
                const size = this.eatLine()
                if (size == null) return
                this.left = parseInt(size, 16)
                if (this.left == 0) return this.finish()
            }
            if (this.got.length < this.left + 2) return
            this.body.enqueue(this.eat(this.left).slice())
            this.eat(2)
            this.left = Infinity
        }
    }
}
