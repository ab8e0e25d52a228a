#!/usr/bin/env node
// skillrom.mjs -- the program skillrom on any system with Node: skillrom.wasm reads the command line and is the image compiler; what it asks
// for, to serve an image or the device on a port, is done here with the other modules.
import fs from 'node:fs'
import {createServer} from 'node:net'
import {isatty} from 'node:tty'
import {fileURLToPath} from 'node:url'
import {getSystemErrorMap} from 'node:util'
import {brotliDecompressSync, gunzipSync} from 'node:zlib'
import {HTTP, LINE, Links} from './links.mjs'
import {WINDOWS, run} from './wasi.mjs'

const OLDEST_NODE = 20
const WASM_MAGIC = Buffer.from('\0asm')
const NATIVE = ['test', 'token', 'keys', 'find', 'call', 'read', 'update', 'fleet']

const read = name => fs.readFileSync(new URL(name, import.meta.url))
const print = text => fs.writeSync(2, text)

const {inside, outside, argument} = process.platform == 'win32' ? WINDOWS : {inside: path => path, outside: path => path, argument: word => word}

// Ends with a message; a number of 2 means that the command line is wrong.
function stop(message, code = 1) {
    print(`skillrom: ${message}\n`)
    process.exit(code)
}

const reason = error => getSystemErrorMap().get(error.errno)?.[1] ?? error.message

// Clients on HTTP if there is an address, otherwise one on stdin and stdout.
function serve(links, what, http) {
    const leave = () => { links.end(); setTimeout(() => process.exit(0), 50) }
    process.on('SIGTERM', leave).on('SIGINT', leave)
    if (http == '') {
        process.stdout.on('error', leave) // the client is gone
        const link = links.open(LINE, bytes => process.stdout.write(Buffer.from(bytes)), leave)
        const wait = () => links.w.link_doing(link.i) ? setTimeout(wait, 20) : leave()
        return process.stdin.on('data', link.give).on('end', () => setTimeout(wait, 20))
    }
    const [, host, port] = /^\[?(127\.\d+\.\d+\.\d+|::1|localhost)\]?:(\d{1,5})$/.exec(http) ??
        stop(`--http ${http}: not an address of this machine's own with a port, such as 127.0.0.1:7700; for others install skillromd, which has tokens`, 2)
    if (+port > 65535) stop(`--http ${http}: a port is at most 65535`, 2)
    const server = createServer(socket => {
        let link
        try { link = links.open(HTTP, bytes => socket.write(Buffer.from(bytes)), () => socket.end()) } catch { return socket.destroy() }
        socket.setNoDelay().on('data', link.give).on('close', link.close).on('error', link.close)
    }).on('error', error => stop(`cannot listen at ${http}: ${reason(error)}; stop the other server or choose another port with --http (0 picks a free one)`))
    server.listen(+port, host, () => print(`skillrom: serving ${what} at http://${http.replace(/\d+$/, server.address().port)}/mcp\n`))
}

// The module of a device, and its image where they are in one file, which html.mjs has written. The content tells, not the name.
function openTwin(path) {
    const bytes = fs.readFileSync(path), isModule = bytes.subarray(0, 4).equals(WASM_MAGIC)
    const parts = isModule ? [bytes] : [...bytes.toString().matchAll(/await unpack\('([^']*)'\)/g)].map(found => gunzipSync(Buffer.from(found[1], 'base64')))
    const isTwin = parts.length == (isModule ? 1 : 2) && WebAssembly.Module.exports(new WebAssembly.Module(parts[0])).some(({name}) => name == 'twin_start')
    return isTwin ? parts : stop(`${path}: not a device in one file, nor the module of one; \`make twin\` writes both`)
}

function serveImage({image, http, twin, page, what}) {
    let links
    try {
        const [module, whole] = twin ? openTwin(twin) : [read('serve.wasm')]
        links = Links.twin(module, image.length ? image : whole ?? stop(`--twin ${twin} needs an image: name its folder or FILE.rom`, 2))
    } catch (error) {
        stop(`cannot serve ${what}: ${reason(error)}${twin ? '; `make twin` writes the FILE.html or FILE.wasm of a device' : ''}`)
    }
    if (page) links.w.link_page(page)
    serve(links, what, http)
}

async function servePort({port, http, quiet, ...options}) {
    if (port.includes('://')) stop(`bridge ${port}: this program has serial ports only; connect the agent to the URL itself, or install the native program`, 2)
    const {SerialPort} = await import('serialport').catch(error => stop(error.code == 'ERR_MODULE_NOT_FOUND'
        ? `the bridge needs the npm package serialport, which is not installed; run \`npm install serialport\` in ${fileURLToPath(new URL('../..', import.meta.url))}`
        : `the npm package serialport does not load: ${error.message}`))
    const {NodePort} = await import('./serial.mjs')
    serve(Links.bridge(read('bridge.wasm'), new NodePort(SerialPort, port), {...options, log: quiet ? undefined : print}), port, http)
}

let then
const words = process.argv.slice(2), node = process.versions.node
if (parseInt(node) < OLDEST_NODE) stop(`Node ${node} is too old; install Node ${OLDEST_NODE} or newer`)
if (NATIVE.includes(words[0])) stop(`${words[0]} is a command of the native program, which is made by \`make\`; 'skillrom help' lists those here`, 2)
const code = run(new WebAssembly.Module(brotliDecompressSync(read('skillrom.wasm.br'))), {
    args: ['skillrom', ...words.map(argument)],
    variables: {...process.env, SKILLROM_CWD: inside(process.cwd())},
    fs: {...fs, isatty}, inside, outside,
    env: ({string, bytes}) => ({
        serve_image: (image, n, what, http, twin, page) => {
            const options = {image: bytes(image, n).slice(), what: string(what), http: string(http), twin: outside(string(twin)), page}
            then = () => serveImage(options)
        },
        serve_port: (port, http, baud, plain, waitMs, responseMs, pollMs, quiet) => {
            const options = {port: outside(string(port)), http: string(http), baud, plain: plain != 0, waitMs, responseMs, pollMs, quiet: quiet != 0}
            then = () => servePort(options)
        },
    }),
})
then ? await then() : process.exitCode = code
