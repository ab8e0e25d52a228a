// program.mjs - the npm package as a new user has it: installed from its tarball into an empty folder, then a device is made, checked, packed and
// served, and its bridge finds one on a serial line. To be started in the top folder.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { check, finish } from './check.mjs'

const KB = 1000, PATIENCE_MS = 120000
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
same('a file that is not an image', 'verify', 'lamp/device.json')
const refused = skillrom('serve', 'lamp', '--http', '0.0.0.0:7700')
check('serve: other machines are refused, with a remedy', refused.status == 2 && /install skillromd/.test(refused.stderr), refused.stderr)
const high = skillrom('serve', 'lamp', '--http', '127.0.0.1:99999')
check('serve: a port that is too high', high.status == 2 && /at most 65535/.test(high.stderr) && !/at serve/.test(high.stderr), high.stderr)
fs.writeFileSync(join(folder, 'no.html'), '<html>')
check('serve: a page without a device', /not a device in one file/.test(skillrom('serve', '--twin', 'no.html').stderr))
check('serve: nothing to serve', skillrom('serve').status == 2)
const both = skillrom('serve', 'lamp', '--stdio', '--http', '127.0.0.1:0')
check('serve: --stdio with --http', both.status == 2 && /--stdio serves a single client/.test(both.stderr), both.stderr)
for (const [file, why] of [['no.wasm', /no such file or directory; .make twin/], ['lamp', /directory; .make twin/], ['lamp.rom', /nor the module of one; .make twin/],
    [resolve('build/wasm/bridge.wasm'), /nor the module of one; .make twin/]]) {
    const { status, stderr } = skillrom('serve', 'lamp.rom', '--twin', file)
    check(`serve --twin ${file}`, status == 1 && why.test(stderr) && stderr.split('\n').length == 2, stderr)
}
const elsewhere = skillrom('bridge', 'http://127.0.0.1:7700')
check('bridge: a URL is refused, with a remedy', elsewhere.status == 2 && /the URL itself/.test(elsewhere.stderr), elsewhere.stderr)

// ---- Where it is started, and who reads what it prints ----

const awkward = join(folder, 'Prüf stand 測試')
fs.mkdirSync(awkward)
fs.cpSync(join(folder, 'lamp'), join(awkward, 'Lämp 1'), { recursive: true })
const there = spawnSync(join(folder, 'node_modules/.bin/skillrom'), ['pack', 'Lämp 1', '-o', 'läm p.rom'], { cwd: awkward, encoding: 'utf8' })
check('a folder with spaces and letters beyond ASCII', there.status == 0 && fs.readFileSync(join(awkward, 'läm p.rom')).equals(fs.readFileSync(join(folder, 'lamp.rom'))), there.stderr)
const shell = command => start('bash', ['-c', `skillrom=node_modules/.bin/skillrom; ${command}`])
const unread = shell('$skillrom pack --help 2>said | true; echo ${PIPESTATUS[0]}; cat said')
check('nobody reads: it ends without a word, as SIGPIPE ends a program', unread.stdout == '141\n', unread.stdout)
const full = shell('$skillrom lint lamp >/dev/full')
check('a full disk: no wrong reason', full.status == 1 && /cannot write to stdout(: No space left on device)?\n$/.test(full.stderr), full.stderr)
const PING = `'{"jsonrpc":"2.0","id":1,"method":"ping"}'`
const left = shell(`{ echo ${PING}; sleep 0.1; while echo ${PING}; do :; done; } 2>/dev/null | { $skillrom serve lamp --stdio 2>said; echo $? >code; } | head -c 10; cat code said`)
check('serve --stdio: a client that leaves', /^{"jsonrpc"0\n/.test(left.stdout) && !/Error/.test(left.stdout), left.stdout)
const old = start('node', ['--import', 'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"18.3.0"}})', 'node_modules/skillrom/skillrom.mjs', 'lint', 'lamp'])
check('Node that is too old', old.status == 1 && /install Node 20 or newer\n$/.test(old.stderr), old.stderr)
fs.renameSync(join(folder, 'node_modules/serialport'), join(folder, 'node_modules/not-there'))
const without = skillrom('bridge', 'COM5')
check('bridge without serialport: what to run, and where', without.status == 1 && without.stderr.includes(`run \`npm install serialport\` in ${folder}/\n`), without.stderr)
fs.renameSync(join(folder, 'node_modules/not-there'), join(folder, 'node_modules/serialport'))

// An option has one meaning in both programs, so each one here stands in the native program with the same kind of value; `serve` passes
// those of skillromd on. Only --twin, the device in a module, has nothing to stand for there.
const ONLY_HERE = ['serve --twin']
const options = help => Object.fromEntries([...help.matchAll(/^  (?:-\w, )?(--[\w-]+)(\[?[= ]?[\w:/.]+\]?)?(?:  |$)/gm)].map(([, name, value]) => [name, value ?? '']))
const commands = [...skillrom('help').stdout.matchAll(/^  (\w+)  /gm)].map(([, name]) => name)
const only_there = [...native('help').stdout.matchAll(/^  (\w+)  /gm)].map(([, name]) => name).filter(name => !commands.includes(name))
check('help of the native program lists more', only_there.includes('fleet'), only_there.join(' '))
for (const command of only_there) {
    const { status, stderr } = skillrom(command)
    check(`${command}: a command of the native program`, status == 2 && /is a command of the native program/.test(stderr), stderr)
}
check('help lists the commands', ['new', 'pack', 'serve', 'bridge'].every(name => commands.includes(name)), commands.join(' '))
for (const command of commands) {
    const here = options(skillrom(command, '--help').stdout), there = options(native(command, '--help').stdout)
    if (command == 'serve') Object.assign(there, options(start(resolve('build/skillromd'), ['--help']).stdout))
    check(`${command}: has options`, '--help' in here)
    for (const [name, value] of Object.entries(here)) {
        if (!ONLY_HERE.includes(`${command} ${name}`)) check(`${command} ${name}: as in the native program`, there[name] === value, `${value} and ${there[name]}`)
    }
}

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
async function exchange(url, method, params = {}) {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, 'Mcp-Name': params.name ?? params.uri ?? '' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }) })
    return JSON.parse((await response.text()).replace(/^(event:.*\n|id:.*\n|data: ?)*/, ''))
}
const HTTP = ['--http', '127.0.0.1:0']
const lamp = await serve('serve', 'lamp', ...HTTP)
const taken = skillrom('serve', 'lamp', '--http', new URL(lamp.url).host)
check('serve: an address that is in use', taken.status == 1 && /in use; .*0 picks a free one/.test(taken.stderr), taken.stderr)
check('serve: what is not listed for want of handlers', /tools without a handler here: 1/.test(taken.stderr), taken.stderr)
check('serve: tools of a folder that need no handler', (await exchange(lamp.url, 'tools/list')).result?.tools.some(tool => tool.name == 'read_skill'))
check('serve: its page', /<title>/.test(await (await fetch(new URL('/', lamp.url))).text()))
fs.copyFileSync('build/wasm/twin.html', join(folder, 'TWIN (1).HTM'))
const twin = await serve('serve', '--twin', 'TWIN (1).HTM', ...HTTP)
const dosed = await exchange(twin.url, 'tools/call', { name: 'line_status', arguments: {} })
check('serve --twin: a handler of the device', /line 4 .* E21/.test(JSON.stringify(dosed)), JSON.stringify(dosed))

// ---- The same without a socket, and the SDK's transport ----

const { DeviceTransport, Links } = await import(join(folder, 'node_modules/skillrom/index.mjs'))
const inside = Links.twin(fs.readFileSync('build/wasm/twin.wasm'), fs.readFileSync('build/example.rom'))
const transport = new DeviceTransport(inside)
const response = new Promise(done => transport.onmessage = done)
await transport.start()
await transport.send({ jsonrpc: '2.0', id: 7, method: 'tools/list', params: { _meta: META } })
const listed = (await response).result?.tools.map(tool => tool.name) ?? []
check('transport: a response', (await response).id == 7 && ['line_status', 'read_skill', 'show_panel'].every(name => listed.includes(name)), listed.join(' '))
check('fetch: a page', (await (await inside.fetch('/')).text()).includes('<title>'))
check('fetch: HEAD has no body', (await (await inside.fetch('/', { method: 'HEAD' })).text()) == '')
let why = ''
try { Links.twin(fs.readFileSync('build/wasm/twin.wasm'), new Uint8Array(64)) } catch (error) { why = error.message }
check('a file that is not an image has a reason', why.length > 5, why)
const aborted = new AbortController()
aborted.abort(new Error('enough'))
check('fetch: what is aborted', await inside.fetch('/mcp', { signal: aborted.signal, method: 'POST', body: '{}' }).then(() => false, error => error.message == 'enough'))
inside.end()

// ---- Rules of a twin: the person beside the page or agent confirms, and the lock holds ----

const guarded = Links.twin(fs.readFileSync('build/wasm/dispenser.wasm'), fs.readFileSync('build/wasm/dispenser.rom'))
const post = async (method, params) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, 'Mcp-Name': params.name ?? '' }
    const _meta = { ...META, 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } }
    const response = await guarded.fetch('/mcp', { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }) })
    return JSON.parse((await response.text()).replace(/^(event:.*\n|id:.*\n|data: ?)*/, '')).result
}
const dispense = { name: 'dispense', arguments: { line: 1, volume_ul: 100 } }
const confirmed = async action => {
    const { requestState, inputRequests } = await post('tools/call', dispense)
    check(`rules: the question, ${action}`, /^Dispense 100 ul from line 1\?$/.test(inputRequests?.confirm.params.message), JSON.stringify(inputRequests))
    const { content } = await post('tools/call', { ...dispense, requestState, inputResponses: { confirm: { action, content: { confirm: true } } } })
    return content[0].text
}
check('rules: a person confirms', await confirmed('accept') == 'dispensed 100 ul from line 1')
check('rules: a person declines', /^not confirmed/.test(await confirmed('decline')))
await post('tools/call', { name: 'turn_key', arguments: { lid: 'open' } })
const lid = JSON.stringify(await post('tools/call', dispense))
check('rules: a condition', /the lid is open/.test(lid), lid)
await post('tools/call', { name: 'turn_key', arguments: { to: 'read', lid: 'closed' } })
const shut = (await post('tools/call', dispense)).content[0].text
check('rules: the lock', /^locked: the key is at "read"/.test(shut), shut)
const locked = (await post('tools/list', {})).tools.find(tool => tool.name == 'dispense')
check('rules: lists name locked tools', /the key is at "read"/.test(locked._meta?.['dev.skillrom/locked']), JSON.stringify(locked._meta))
guarded.end()

// ---- Types ----

check('types name what index.mjs exports', Object.keys(await import(join(folder, 'node_modules/skillrom/index.mjs'))).every(name =>
    new RegExp(`export declare (class|const) ${name}\\b`).test(fs.readFileSync('packaging/npm/index.d.ts', 'utf8'))))
started.forEach(child => child.kill())
finish()
