// matrix.mjs - every host x theme x width x era x token, and every host on boards: the panel is rendered, a tool runs or is
// refused, values change.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { barriers, check, scratch, serve } from '../page/browser.mjs'
import { HOSTS } from './hosts.mjs'
import { amount, becomes, dose, status } from './steps.mjs'

const THEMES = ['light', 'dark']
const WIDTHS = [320, 760]
// The reason as each host words it; the Inspector tries to get a better token first.
const REFUSED = /required "operate"|may not run|Registration rejected/
const IMPACTS = ['minor', 'moderate', 'serious', 'critical']

// Options of `skillrom token`; without a token, the server has no tokens at all.
const TOKENS = { 'without tokens': null, operator: [], reader: ['--read-only'] }

const HTTP = ['--http', '127.0.0.1:0']
const BOARDS = {
    'board': ['tests/boards/net/boot', 'lm3s6965evb-net', 'build/lm3s6965evb-net/program.elf', 'build/example.rom'],
    'serial': ['tests/host/serial/bridged', 'build/asan/skillrom', 'build/netduinoplus2-full/program.elf', 'build/example.rom', ...HTTP],
}

const onPc = Object.entries(HOSTS).flatMap(([host, { eras }]) => eras.flatMap(era => THEMES.flatMap(theme => WIDTHS.flatMap(width =>
    Object.keys(TOKENS).map(token => ({ host, era, theme, width, token }))))))
// An emulated board is slow, so that each host sees it once in an era: themes and widths take turns.
const onBoards = Object.keys(BOARDS).flatMap(board => Object.entries(HOSTS).flatMap(([host, { eras }]) => eras.map(era => ({ board, host, era }))))
    .map((cell, i) => ({ ...cell, theme: THEMES[i % 2], width: WIDTHS[(i >> 1) % 2] }))
export const cells = [...onPc, ...onBoards]

// A pump of its own, on a board or with these tokens: {url, token, end}.
async function device(board, kind) {
    const words = BOARDS[board] ?? ['build/asan/pump', 'build/example.rom', ...HTTP]
    let token
    if (TOKENS[kind]) {
        const file = join(scratch(), 'tokens')
        token = execFileSync('build/skillrom', ['token', 'host', '-q', '-o', file, ...TOKENS[kind]], { encoding: 'utf8' }).trim()
        words.push('--token-file', file)
    }
    const { url, end } = serve(...words)
    return { url: await url + 'mcp', token, end }
}

// Relative luminance is not needed: a dark panel has a background darker than its text.
const looks = view => view.evaluate(() => {
    const light = color => color.match(/[\d.]+/g).slice(0, 3).reduce((sum, n) => sum + +n, 0)
    const style = getComputedStyle(document.body)
    return light(style.backgroundColor) < light(style.color) ? 'dark' : 'light'
})

const sideways = view => view.evaluate(() => document.documentElement.scrollWidth - innerWidth)

export async function visitCell(cell) {
    const name = Object.values(cell).join(' ')
    const { url, token, end } = await device(cell.board, cell.token)
    const { page, view, close } = await HOSTS[cell.host].open(url, { ...cell, token })
    check(`${name}: the value is a table`, await view.locator('#values tr').count() == 5, await view.innerText('#values'))
    check(`${name}: its theme`, await looks(view) == cell.theme, await looks(view))
    check(`${name}: a tool that only reads`, /line 4 fault E21/.test(await status(view)))

    const seen = await dose(view)
    check(`${name}: missing fields, then a confirmation, before anything runs`, seen.missing == 2 && seen.asked && !seen.ranUnasked, JSON.stringify(seen))
    if (cell.token == 'reader') {
        check(`${name}: the call is refused`, seen.refused == 1 && REFUSED.test(seen.result), seen.result)
        await status(view)
        check(`${name}: nothing was done`, await amount(view) == seen.before, await amount(view))
    } else {
        check(`${name}: the tool runs`, !seen.refused && /dispensed 1\.000 ml/.test(seen.result), seen.result)
        await becomes(view, String(seen.before - 1000))
        check(`${name}: the value follows`, true)
    }
    check(`${name}: nothing sticks out`, await sideways(view) <= 0, await sideways(view))
    const found = await barriers(view, IMPACTS)
    check(`${name}: no barriers`, found.length == 0, found.join('; '))
    check(`${name}: quiet`, page.trouble.length == 0, page.trouble.join('; '))
    await close()
    await end()
}
