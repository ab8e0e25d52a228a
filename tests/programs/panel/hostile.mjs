// hostile.mjs - a device that attacks with every text it has: those that were packed, and those that it sends.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { scratch } from '../page/browser.mjs'

const RUNS = 'parent.postMessage({jsonrpc:"2.0",method:"taken"},"*")'
export const EVIL = `</script><!--<script>${RUNS}</script><img src=x onerror='${RUNS}'>\u2028{{device}}`

const SCHEMA = {
    type: 'object',
    properties: {
        free: { type: 'string', title: EVIL, description: EVIL, default: EVIL },
        choice: { type: 'string', enum: [EVIL, 'other'], description: EVIL },
        either: { 'x-skillrom': 'raw', oneOf: [{ type: 'object', properties: { [EVIL]: {} } }, { type: 'string' }] },
    },
}

// The panel that `skillrom pack` makes of a folder in which every text is EVIL.
function panel() {
    const folder = scratch()
    const put = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value))
    mkdirSync(join(folder, 'tools'))
    mkdirSync(join(folder, 'resources'))
    put('device.json', { name: 'evil', version: '1', title: EVIL, instructions: EVIL })
    put('tools/attack.json', { name: 'attack', title: 'x'.repeat(99) + EVIL, description: EVIL, inputSchema: SCHEMA, annotations: { destructiveHint: false } })
    put('resources/value.json', { uri: 'evil://value', name: 'value', title: EVIL, description: EVIL, mimeType: 'application/json' })
    execFileSync('build/skillrom', ['pack', folder, '-o', join(folder, 'evil.rom')], { stdio: 'ignore' })
    return execFileSync('build/skillrom', ['cat', join(folder, 'evil.rom'), 'ui://evil/panel'], { encoding: 'utf8' })
}

// What the value is, one answer after the other: markup as a name and as a value, names of every object, wrong types, depth.
const OBJECT = { innerHTML: EVIL, srcdoc: EVIL, onclick: EVIL }
export const VALUES = [
    { text: JSON.stringify([{ [EVIL]: EVIL }, { constructor: 1, toString: EVIL }]) }, { text: `[{"__proto__": ${JSON.stringify(OBJECT)}}]` },
    { text: EVIL }, { text: OBJECT }, { text: [OBJECT] }, { mimeType: EVIL, blob: EVIL }, { mimeType: 'image/svg+xml', blob: btoa(`<svg xmlns="http://www.w3.org/2000/svg" onload='${RUNS}'/>`) },
    { resource: OBJECT }, {}, { text: '['.repeat(20000) + ']'.repeat(20000) }, { text: JSON.stringify([[null, [1, {}]], OBJECT]) },
]
const RESULTS = [
    { content: [{ type: 'text', text: EVIL }] }, { content: [{ type: 'text', text: OBJECT }] }, { content: [OBJECT], structuredContent: { [EVIL]: EVIL, a: OBJECT } },
    { content: OBJECT }, { content: null }, {},
    { content: [{ type: 'image', mimeType: `image/png" onerror='${RUNS}'`, data: EVIL }, { type: 'resource_link', uri: 'javascript:' + RUNS, name: EVIL }] },
]

// Serves it to a client of 2025-11-25; `turn` chooses what is sent.
export async function attacker() {
    const html = panel()
    const device = { value: 0, result: 0, values: VALUES.length, results: RESULTS.length }
    const methods = {
        'initialize': () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {}, resources: {} }, serverInfo: { name: 'evil', version: '1' } }),
        'tools/list': () => ({ tools: [
            { name: 'attack', description: EVIL, inputSchema: SCHEMA },
            { name: 'show_panel', inputSchema: { type: 'object' }, _meta: { ui: { resourceUri: 'ui://evil/panel' } } },
        ] }),
        'resources/list': () => ({ resources: [] }),
        'resources/read': ({ uri }) => ({ contents: [uri.startsWith('ui:') ? { uri, mimeType: 'text/html;profile=mcp-app', text: html } : { uri, ...VALUES[device.value] }] }),
        'tools/call': ({ name }) => name == 'show_panel' ? { content: [] } : RESULTS[device.result],
    }
    const server = createServer(async (req, res) => {
        let body = ''
        for await (const data of req) body += data
        const { id, method, params } = req.method == 'POST' ? JSON.parse(body) : {}
        if (req.method != 'POST') return res.writeHead(405).end()
        if (id == null) return res.writeHead(202).end()
        res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result: methods[method]?.(params) ?? {} }))
    })
    await new Promise(done => server.listen(0, '127.0.0.1', done))
    return Object.assign(device, { url: `http://127.0.0.1:${server.address().port}/mcp`, close: () => server.close() })
}
