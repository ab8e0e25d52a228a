// panel.mjs [WORD] - the panel of a device in hosts: every combination of a table, and visits of their own.
import { readFileSync } from 'node:fs'
import { check, close, finish } from '../page/browser.mjs'
import { cells, visitCell } from './matrix.mjs'
import { visits } from './visits.mjs'

const AT_A_TIME = 2
const word = process.argv[2] ?? ''

const tests = [
    ...cells.map(cell => [Object.values(cell).join(' '), () => visitCell(cell)]),
    ...Object.entries(visits),
].filter(([name]) => name.includes(word))

async function worker() {
    for (let test; (test = tests.shift());) {
        const [name, run] = test
        await run(name).catch(error => check(name, false, error.stack))
    }
}
check('panel_shell.c is what core/wire/page makes', readFileSync('build/page/shell.c', 'utf8') == readFileSync('romfs/mkromfs/load/panel_shell.c', 'utf8'), 'run: make page')
await Promise.all(Array.from({ length: AT_A_TIME }, worker))
await close()
finish()
