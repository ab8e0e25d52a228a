// modules.mjs - what modules make and answer without a browser: images are the native program's byte for byte, transcripts hold, sizes
// stay within their limits. To be started in the top folder.
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { basename, dirname } from 'node:path'
import { WINDOWS } from '../../../host/wasm/wasi.mjs'
import { add, check, finish, program } from './check.mjs'

const KB = 1000, MB = 1000 * KB
const IMAGES = 'build/wasm/images'
const EMPTY = 'tests/wire/devices/odd/skills/outer/empty' // version control does not keep it
const skillrom = program('build/wasm/skillrom.wasm')

fs.rmSync(IMAGES, { recursive: true, force: true })
fs.mkdirSync(`${IMAGES}/crowd/skills/crowd/files`, { recursive: true })
fs.mkdirSync(EMPTY, { recursive: true })

// A skill with more files than a page holds, as tests/wire/runner.c makes it.
fs.writeFileSync(`${IMAGES}/crowd/device.json`, '{ "name": "wire-test", "version": "1.0.0" }\n')
fs.writeFileSync(`${IMAGES}/crowd/skills/crowd/SKILL.md`, '---\nname: crowd\ndescription: More files than a page holds.\n---\nDo it.\n')
for (let i = 0; i < 120; i++) {
    const name = String(i).padStart(3, '0')
    fs.writeFileSync(`${IMAGES}/crowd/skills/crowd/files/${name}.txt`, name + '\n')
}

// ---- Images ----

const named = { 'examples/pump': 'example', 'tests/wire/conformance/device': 'fixture' }
const folders = execFileSync('git', ['ls-files', '*device.json'], { encoding: 'utf8' }).trim().split('\n').map(dirname)
for (const folder of [...folders, `${IMAGES}/crowd`]) {
    for (const [suffix, options] of [['.rom', []], ['.deflate.rom', ['--compress=1024']]]) {
        const place = `${IMAGES}/${named[folder] ?? basename(folder)}`, words = ['pack', folder, ...options, '-o']
        const native = spawnSync('build/skillrom', [...words, place + '.native'], { encoding: 'utf8' })
        const ours = skillrom(...words, place + suffix)
        const same = native.status != 0 || fs.readFileSync(place + '.native').equals(fs.readFileSync(place + suffix))
        check(`${folder}${suffix}: the native program's bytes`, same && native.status == ours.status, `exit ${native.status} and ${ours.status}\n${ours.err}`)
        check(`${folder}${suffix}: says what the native program says`, native.stderr == ours.err && native.stdout == ours.out.replaceAll(place + suffix, place + '.native'), ours.err + ours.out)
    }
}
check('there are devices to pack', folders.length > 15, folders.length)

// ---- Transcripts ----

const transcripts = fs.readdirSync('tests/wire').filter(name => name.endsWith('.txt')).sort().map(name => 'tests/wire/' + name)
const wire = program('build/wasm/wire.wasm')(...transcripts)
const counted = /(\d+) passed, (\d+) failed\n$/.exec(wire.out)
if (wire.status != 0) console.log(wire.out)
add({ passed: +(counted?.[1] ?? 0), failed: +(counted?.[2] ?? 1) })
check('every transcript is run', transcripts.length > 40 && counted?.[1] > 10000, wire.out)

// ---- Paths of Windows: what a word of the command line is inside, and what the system gets for that ----

const paths = [
    ['lamp', 'lamp', 'lamp'], ['a\\b c', 'a/b c', 'a/b c'], ['C:\\lamp', '/c/lamp', 'c:/lamp'], ['d:/lamp', '/d/lamp', 'd:/lamp'], ['C:\\', '/c/', 'c:/'],
    ['\\\\server\\share\\x', '/%/server/share/x', '//server/share/x'], ['//server/share', '/%/server/share', '//server/share'], ['\\\\?\\C:\\x', '/%/?/C:/x', '//?/C:/x'],
    ['--out=C:\\x.rom', '--out=/c/x.rom'], ['--out=a\\x.rom', '--out=a/x.rom'], ['-oC:\\x.rom', '-o/c/x.rom'], ['-o\\\\server\\x', '-o/%/server/x'], ['--base', '--base'], ['https://x.org/', 'https://x.org/'], ['skill://a/b', 'skill://a/b'],
    ['COM5', 'COM5', 'COM5'], ['-o', '-o'], ['', '', ''],
]
for (const [word, inside, outside] of paths) {
    check(`Windows: ${word}`, WINDOWS.argument(word) == inside, WINDOWS.argument(word))
    if (outside !== undefined) check(`Windows: ${inside} outside`, WINDOWS.outside(inside) == outside, WINDOWS.outside(inside))
}
check('Windows: a drive has a root', WINDOWS.outside('/c') == 'c:\\', WINDOWS.outside('/c'))

// ---- Sizes, and what a module may ask for ----

const bytes = path => fs.statSync(path).size
check('twin.html', bytes('build/wasm/twin.html') <= 135 * KB, bytes('build/wasm/twin.html'))
check('serial.html', bytes('build/wasm/serial.html') <= 130 * KB, bytes('build/wasm/serial.html'))
const twin = new WebAssembly.Module(fs.readFileSync('build/wasm/twin.wasm'))
check('twin.wasm imports nothing', WebAssembly.Module.imports(twin).length == 0)
const bridge = new WebAssembly.Module(fs.readFileSync('build/wasm/bridge.wasm')), imports = {}
for (const { module, name } of WebAssembly.Module.imports(bridge)) (imports[module] ??= {})[name] = () => 0
const memory = new WebAssembly.Instance(bridge, imports).exports.memory.buffer.byteLength
check('bridge.wasm: memory', memory <= 16 * MB, memory)
const lines = (...names) => names.flatMap(name => fs.readFileSync(name, 'utf8').split('\n').slice(0, -1)).length
const of = (ending, ...dirs) => dirs.flatMap(dir => fs.readdirSync(dir).map(name => `${dir}/${name}`)).filter(name => ending.test(name))
const c = lines(...of(/\.[ch]$/, 'port/wasm', 'port/wasm/include', 'host/wasm', 'host/wasm/include'))
check('lines of C', c <= 600, c)
const js = lines(...of(/\.mjs$/, 'port/wasm', 'host/wasm', 'packaging/npm'))
check('lines of JavaScript', js <= 700, js)
finish()
