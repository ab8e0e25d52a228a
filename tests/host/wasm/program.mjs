// program.mjs - the npm package as a new user has it: installed from its tarball into an empty folder, then a device is made, checked, packed and
// served, and its bridge finds one on a serial line. To be started in the top folder.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { check, finish } from './check.mjs'

const KB = 1024, PATIENCE_MS = 120000
const folder = fs.mkdtempSync(join(tmpdir(), 'skillrom-npm-'))
const started = []
process.on('exit', () => { started.forEach(child => child.kill('SIGKILL')); fs.rmSync(folder, { recursive: true, force: true }) })

const version = /SKR_VERSION "(.*)"/.exec(fs.readFileSync('core/skillrom.h', 'utf8'))[1]
const tarball = resolve(`build/npm/skillrom-${version}.tgz`)
check('tarball: size', fs.statSync(tarball).size <= 450 * KB, fs.statSync(tarball).size)

// serialport is pinned by packaging/npm/serial/package-lock.json; what it is installed with here needs no network.
fs.writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}')
execFileSync('npm', ['install', '--silent', '--offline', '--omit=optional', '--no-audit', '--no-fund', tarball], { cwd: folder })
fs.cpSync('build/npm/node_modules', join(folder, 'node_modules'), { recursive: true, filter: path => !path.endsWith('.package-lock.json') })
const installed = JSON.parse(fs.readFileSync(join(folder, 'node_modules/skillrom/package.json'), 'utf8'))
check('package: version', installed.version == version, installed.version)
const copyright = fs.readFileSync(join(folder, 'node_modules/skillrom/COPYRIGHT'), 'utf8')
check('package: licences of its libraries', ['Pantelis Antoniou', 'Public Software Group', 'Yann Collet', 'wasi-libc', 'Thomas Pornin'].every(name => copyright.includes(name)))
check('package: no script at installation', installed.scripts === undefined, JSON.stringify(installed.scripts))

const start = (program, words) => spawnSync(program, words, { cwd: folder, encoding: 'utf8', timeout: PATIENCE_MS })
const skillrom = (...words) => start('node_modules/.bin/skillrom', words)
const native = (...words) => start(resolve('build/skillrom'), words)
const same = (name, ...words) => {
    const a = skillrom(...words), b = native(...words)
    check(`${name}: as the native program`, a.status == b.status && a.stdout == b.stdout && a.stderr == b.stderr, a.stdout + a.stderr + '\n--\n' + b.stdout + b.stderr)
}

// ---- Commands ----

const made = start('npx', ['--no-install', 'skillrom', 'new', '--device', 'lamp'])
check('new --device', made.status == 0 && /created lamp\/device.json/.test(made.stdout) && fs.existsSync(join(folder, 'lamp/.gitattributes')), made.stderr)
same('lint', 'lint', '--strict', 'lamp')
same('a missing folder', 'lint', 'nothing-here')
same('explain', 'explain', 'SK-V-52')
same('an unknown option', 'pack', '--nonsense')
const packed = skillrom('pack', 'lamp', '-o', 'lamp.rom')
check('pack', packed.status == 0 && fs.statSync(join(folder, 'lamp.rom')).size > 1000, packed.stderr)
same('verify', 'verify', 'lamp.rom')
same('info', 'info', 'lamp.rom')
same('an image that is none', 'verify', 'lamp/device.json')
const refused = skillrom('serve', 'lamp', '--http', '0.0.0.0:7700')
check('serve: other machines are refused, with a remedy', refused.status == 2 && /install skillromd/.test(refused.stderr), refused.stderr)
const high = skillrom('serve', 'lamp', '--http', '127.0.0.1:99999')
check('serve: a port that is too high', high.status == 2 && /at most 65535/.test(high.stderr) && !/at serve/.test(high.stderr), high.stderr)
fs.writeFileSync(join(folder, 'no.html'), '<html>')
check('serve: a page without a device', /not a device in one file/.test(skillrom('serve', '--twin', 'no.html').stderr))
check('serve: nothing to serve', skillrom('serve').status == 2)

// ---- A served device ----

// Starts it; the URL that it serves at.
function serve(...words) {
    const child = spawn('node', [join(folder, 'node_modules/skillrom/skillrom.mjs'), ...words], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    started.push(child)
    let said = ''
    return new Promise((done, failed) => {
        child.stderr.on('data', data => { said += data; const url = /serving .* at (\S+)/.exec(said)?.[1]; if (url) done({ url, child }) })
        child.on('exit', () => failed(new Error(said)))
    })
}
const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }
async function ask(url, method, params = {}) {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, 'Mcp-Name': params.name ?? params.uri ?? '' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }) })
    return JSON.parse((await response.text()).replace(/^(event:.*\n|id:.*\n|data: ?)*/, ''))
}
const HTTP = ['--http', '127.0.0.1:0']
const lamp = await serve('serve', 'lamp', ...HTTP)
check('serve: tools of a folder that need no handler', (await ask(lamp.url, 'tools/list')).result?.tools.some(tool => tool.name == 'read_skill'))
check('serve: its page', /<title>/.test(await (await fetch(new URL('/', lamp.url))).text()))
const twin = await serve('serve', '--twin', resolve('build/wasm/twin.html'), ...HTTP)
const dosed = await ask(twin.url, 'tools/call', { name: 'line_status', arguments: {} })
check('serve --twin: a handler of the device', /line 4 .* E21/.test(JSON.stringify(dosed)), JSON.stringify(dosed))

// ---- The same without a socket, and the SDK's transport ----

const { DeviceTransport, Links } = await import(join(folder, 'node_modules/skillrom/index.mjs'))
const inside = Links.twin(fs.readFileSync('build/wasm/twin.wasm'), fs.readFileSync('build/example.rom'))
const transport = new DeviceTransport(inside)
const answer = new Promise(done => transport.onmessage = done)
await transport.start()
await transport.send({ jsonrpc: '2.0', id: 7, method: 'tools/list', params: { _meta: META } })
check('transport: a response', (await answer).id == 7 && (await answer).result.tools.length == 6)
check('fetch: a page', (await (await inside.fetch('/')).text()).includes('<title>'))
check('fetch: HEAD has no body', (await (await inside.fetch('/', { method: 'HEAD' })).text()) == '')
let why = ''
try { Links.twin(fs.readFileSync('build/wasm/twin.wasm'), new Uint8Array(64)) } catch (error) { why = error.message }
check('an image that is none has a reason', why.length > 5, why)
const aborted = new AbortController()
aborted.abort(new Error('enough'))
check('fetch: what is aborted', await inside.fetch('/mcp', { signal: aborted.signal, method: 'POST', body: '{}' }).then(() => false, error => error.message == 'enough'))
inside.end()

// ---- Types ----

check('types name what index.mjs exports', Object.keys(await import(join(folder, 'node_modules/skillrom/index.mjs'))).every(name =>
    new RegExp(`export declare (class|const) ${name}\\b`).test(fs.readFileSync('packaging/npm/index.d.ts', 'utf8'))))
started.forEach(child => child.kill())
finish()
