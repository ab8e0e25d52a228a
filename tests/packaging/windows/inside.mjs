// inside.mjs RESULT FOLDER... - in Node for Windows: packs each folder with the npm program, plain and compressed, beside RESULT; checks a device made by
// `new --device`; asks the device on COM5 through the bridge. Writes what came of it into RESULT as JSON.
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { dirname, join } from 'node:path'

const [result, ...folders] = process.argv.slice(2)
const place = dirname(result), program = join(place, 'package', 'skillrom.mjs')
const run = (...words) => {
    const done = spawnSync(process.execPath, [program, ...words], { cwd: place, encoding: 'utf8' })
    return { status: done.status, out: done.stdout, err: done.stderr }
}
const found = { platform: process.platform, packed: {} }
folders.forEach((folder, i) => {
    found.packed[folder] = [run('pack', folder, '-o', `${i}.rom`), run('pack', folder, '--compress', '-o', `${i}.deflate.rom`)]
})
found.made = run('new', '--device', 'lamp')
found.linted = run('lint', '--strict', 'lamp')
found.absolute = run('pack', join(place, 'lamp'), '--output=' + join(place, 'lamp.rom'))

const bridge = spawn(process.execPath, [program, 'bridge', 'COM5'], { cwd: place })
const send = message => bridge.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n')
let rest = ''
found.said = ''
found.responses = []
bridge.stderr.on('data', data => found.said += data)
bridge.stdout.on('data', data => {
    const lines = (rest + data).split('\n')
    rest = lines.pop()
    for (const line of lines) {
        const message = JSON.parse(line)
        found.responses.push(message)
        if (message.id == 1) {
            send({ method: 'notifications/initialized' })
            send({ id: 2, method: 'tools/call', params: { name: 'line_status', arguments: { line: 1 } } })
        }
        if (message.id == 2 || message.error) {
            fs.writeFileSync(result, JSON.stringify(found))
            bridge.kill()
            process.exit(0)
        }
    }
})
send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } } })
