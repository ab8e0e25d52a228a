#!/usr/bin/env node
// skillrom.mjs -- the program skillrom on any system with Node: skillrom.wasm reads the command line and is the image compiler; what it asks
// for, to serve an image or the device on a port, is done here with the other modules.
import fs from 'node:fs'
import {createServer} from 'node:net'
import {isatty} from 'node:tty'
import {gunzipSync} from 'node:zlib'
import {HTTP, LINE, Links} from './links.mjs'
import {run} from './wasi.mjs'

const read = name => fs.readFileSync(new URL(name, import.meta.url))
const print = text => fs.writeSync(2, text)

// Windows: C:\lamp is /c/lamp inside.
const windows = process.platform == 'win32'
const inside = path => windows ? path.replace(/^([A-Za-z]):(?=[\\/]|$)/, (all, letter) => '/' + letter.toLowerCase()).replaceAll('\\', '/') : path
const outside = path => windows ? path.replace(/^\/([a-z])(?=\/|$)/, '$1:').replace(/^[a-z]:$/, '$&\\') : path
const argument = word => windows && /^[A-Za-z]:[\\/]|\\/.test(word) ? inside(word) : word

// Ends with a message; a number of 2 means that the command line is wrong.
function stop(message, code = 1) {
    print(`skillrom: ${message}\n`)
    process.exit(code)
}

// Clients on HTTP if there is an address, otherwise one on stdin and stdout.
function serve(links, what, http) {
    const leave = () => { links.end(); setTimeout(() => process.exit(0), 50) }
    process.on('SIGTERM', leave).on('SIGINT', leave)
    if (http == '') {
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
    }).on('error', error => stop(`cannot listen at ${http}: ${error.message}`))
    server.listen(+port, host, () => print(`skillrom: serving ${what} at http://${http.replace(/\d+$/, server.address().port)}/mcp\n`))
}

// Module and image of a device in one file, which html.mjs has written.
function openHtml(path) {
    const parts = [...fs.readFileSync(path, 'utf8').matchAll(/await unpack\('([^']*)'\)/g)].map(found => gunzipSync(Buffer.from(found[1], 'base64')))
    return parts.length == 2 ? parts : stop(`${path}: not a device in one file; make twin writes one`)
}

function serveImage({image, http, twin, page, what}) {
    let links
    try {
        const [module, whole] = twin.endsWith('.html') ? openHtml(twin) : [twin ? fs.readFileSync(twin) : read('serve.wasm')]
        links = Links.twin(module, image.length ? image : whole ?? stop(`--twin ${twin} needs an image: name its folder or FILE.rom`, 2))
    } catch (error) {
        stop(`cannot serve ${what}: ${error.message}`)
    }
    if (page) links.w.link_page(page)
    serve(links, what, http)
}

async function servePort({port, http, quiet, ...options}) {
    const {SerialPort} = await import('serialport').catch(() =>
        stop('the bridge needs the npm package serialport, which is not installed; run: npm install serialport'))
    const {NodePort} = await import('./serial.mjs')
    serve(Links.bridge(read('bridge.wasm'), new NodePort(SerialPort, port), {...options, log: quiet ? undefined : print}), port, http)
}

let then
const words = process.argv.slice(2)
const code = run(new WebAssembly.Module(read('skillrom.wasm')), {
    args: ['skillrom', ...words.map(argument)],
    variables: {...process.env, SKILLROM_CWD: inside(process.cwd())},
    fs: {...fs, isatty}, inside, outside,
    env: ({string, bytes}) => ({
        serve_image: (image, n, what, http, twin, page) => {
            const options = {image: bytes(image, n).slice(), what: string(what), http: string(http), twin: outside(string(twin)), page}
            then = () => serveImage(options)
        },
        serve_port: (port, http, baud, plain, waitMs, answerMs, pollMs, quiet) => {
            const options = {port: outside(string(port)), http: string(http), baud, plain: plain != 0, waitMs, answerMs, pollMs, quiet: quiet != 0}
            then = () => servePort(options)
        },
    }),
})
then ? await then() : process.exitCode = code
