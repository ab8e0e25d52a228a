// check.mjs - the count of what was checked, and skillrom.wasm in this process: node takes longer to start than it to pack.
import fs from 'node:fs'
import { run } from '../../../host/wasm/wasi.mjs'

let passed = 0, failed = 0

export function check(name, good, why = '') {
    if (!good) console.log(`not ok ${name}: ${why}`)
    good ? passed++ : failed++
}

export function add(more) {
    passed += more.passed
    failed += more.failed
}

export function finish() {
    console.log(`${passed} passed, ${failed} failed`)
    process.exit(failed ? 1 : 0)
}

// A function that runs a module of WASI as a program in this folder: ({status, out, err}) of its arguments.
export function program(path) {
    const module = new WebAssembly.Module(fs.readFileSync(path))
    return (...args) => {
        const text = { 1: [], 2: [] } // in pieces, which may end inside a character
        const writeSync = (fd, bytes, at, n, ...rest) => fd > 2 ? fs.writeSync(fd, bytes, at, n, ...rest) : (text[fd].push(Buffer.from(bytes.slice(at, at + n))), n)
        const env = () => ({ serve_image() {}, serve_port() {} })
        const status = run(module, { args: [path, ...args], variables: { SKILLROM_CWD: process.cwd() }, fs: { ...fs, writeSync }, env })
        return { status, out: String(Buffer.concat(text[1])), err: String(Buffer.concat(text[2])) }
    }
}
