// visits.mjs - what is tried once: what a host may do to a panel, hostile devices, boards, and the pictures of the pages.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { PATIENCE, barriers, check, scratch, serve } from '../page/browser.mjs'
import { attacker, EVIL } from './hostile.mjs'
import { HOSTS, INSPECTOR } from './hosts.mjs'
import { amount, becomes, dose, part, result, status } from './steps.mjs'

const HTTP = ['--http', '127.0.0.1:0']
const PUMP = ['build/asan/pump', 'build/example.rom', ...HTTP]
const PLAIN = { theme: 'light', width: 640, era: 'modern' }
const open = (url, more) => HOSTS.bridge.open(url, { ...PLAIN, ...more })

const runs = log => log.filter(m => m.method == 'tools/call').length
const reads = page => page.evaluate(() => window.log.filter(m => m.method == 'resources/read').length)

// Resolves when the panel has read values `more` times.
const readsAgain = async (page, more = 2) => {
    const before = await reads(page)
    await page.waitForFunction(n => window.log.filter(m => m.method == 'resources/read').length >= n, before + more)
}

// The fixture of tests/wire/conformance with a panel, which it does without; the alarms are listed last.
function fixture() {
    const folder = scratch()
    mkdirSync(join(folder, 'panel'))
    writeFileSync(join(folder, 'panel/panel.json'), JSON.stringify({ resources: ['watched-resource', 'static-binary', 'alarms'] }))
    cpSync('tests/wire/conformance/device', folder, { recursive: true })
    const { panel, ...device } = JSON.parse(readFileSync(join(folder, 'device.json'), 'utf8'))
    writeFileSync(join(folder, 'device.json'), JSON.stringify(device))
    execFileSync('build/skillrom', ['pack', folder, '-o', join(folder, 'fixture.rom')], { stdio: 'ignore' })
    return join(folder, 'fixture.rom')
}

// The Inspector's command line: {code, out}.
const inspect = words => new Promise(done => {
    const child = spawn(process.execPath, [INSPECTOR, '--cli', ...words], { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, HOME: scratch(), NO_COLOR: '1' } })
    let out = ''
    child.stdout.on('data', data => out += data)
    child.on('close', code => done({ code, out }))
})

// Bytes that the panel of the example has in an image packed with these options.
function stored(...options) {
    const said = execFileSync('build/skillrom', ['pack', 'examples/pump', '-o', join(scratch(), 'pump.rom'), ...options], { encoding: 'utf8' })
    return +/panel .* ([\d,]+) stored/.exec(said)[1].replace(',', '')
}

// Width and height of a PNG file.
function size(path) {
    const header = readFileSync(path)
    return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) }
}

export const visits = {
    async sizes() {
        const shell = Buffer.from(/= {([^}]*)}/.exec(readFileSync('build/page/shell.c', 'utf8'))[1].split(',').filter(byte => byte.trim()).map(Number))
        check('sizes: of the shell', shell.length <= 7168 && gzipSync(shell, { level: 9 }).length <= 3584, `${shell.length}`)
        check('sizes: of the panel on a line', stored() <= 10752, stored())
        // Deflated in the image, and base64 to the bridge.
        const deflated = stored('--compress')
        check('sizes: and to the bridge', 4 * Math.ceil(deflated / 3) <= 5632, deflated)
    },

    async host() {
        const { url, end } = serve(...PUMP)
        const { page, view, close } = await open(await url + 'mcp')
        const state = await page.evaluate(() => window.state)
        check('host: the capability is declared', !!state.server.extensions['io.modelcontextprotocol/ui'], JSON.stringify(state.server))
        check('host: it is a panel', state.mimeType == 'text/html;profile=mcp-app' && state.meta.prefersBorder === true && state.bytes <= 10752, JSON.stringify(state))
        check('host: show_panel is for the model', state.modelTools.includes('show_panel') && await part(view, 'show_panel').count() == 0)
        check('host: the text of show_panel is a good answer', /fault E21/.test(state.result.content[0].text), JSON.stringify(state.result))

        const fits = await view.evaluate(() => [innerHeight, document.documentElement.scrollHeight])
        check('host: the size fits', fits[1] <= fits[0] && state.heights.length > 0, fits.join())
        await part(view, 'run_dose').locator('summary').click()
        await page.waitForFunction(n => window.state.heights.at(-1) > n, fits[1])
        check('host: and follows', true)

        await page.evaluate(() => window.restyle({ theme: 'dark', styles: { variables: { '--color-background-primary': 'rgb(1, 2, 3)' } } }))
        await view.waitForFunction(() => getComputedStyle(document.body).backgroundColor == 'rgb(1, 2, 3)')
        check('host: the theme changes', await view.evaluate(() => document.documentElement.style.colorScheme) == 'dark')

        const seen = await dose(view)
        await becomes(view, String(seen.before - 1000))
        const { contexts } = await page.evaluate(() => window.state)
        check('host: the model is told what the user did', contexts.length == 1 && /run_dose .*"volume_ul":1000.*dispensed/.test(contexts[0].content[0].text), JSON.stringify(contexts))

        const run = part(view, 'run_dose').locator('[type=submit]').first()
        const before = runs(await page.evaluate(() => window.log))
        await run.dblclick()
        check('host: a double click does not confirm', runs(await page.evaluate(() => window.log)) == before)
        await run.click()
        await part(view, 'run_dose').locator('input').nth(1).fill('2000')
        check('host: nor does a confirmation stay when a value changes', !await part(view, 'run_dose').getByRole('button', { name: 'Yes' }).isVisible())

        const sent = await view.evaluate(() => fetch('http://127.0.0.1:1/').then(() => 'sent', e => e.message))
        const ofPolicy = t => /Content Security Policy|policy: connect-src/.test(t) // the console may complain as well, for the frame or for nobody
        for (let end = Date.now() + PATIENCE; !page.trouble.some(ofPolicy) && Date.now() < end;) await page.waitForTimeout(50)
        check('host: nothing leaves the frame', sent != 'sent' && page.trouble.some(ofPolicy), page.trouble.join('; '))

        check('host: values are polled', await readsAgain(page).then(() => true))
        await page.evaluate(() => { document.querySelector('iframe').style.marginTop = '9000px' })
        await view.waitForFunction(() => new Promise(done => new IntersectionObserver(e => done(!e[0].isIntersecting)).observe(document.body)))
        await page.waitForTimeout(3500) // a poll that was under way
        const unseen = await reads(page)
        await page.waitForTimeout(7000)
        check('host: not while it is out of sight', await reads(page) == unseen, `${await reads(page)} after ${unseen}`)
        await page.evaluate(() => { document.querySelector('iframe').style.marginTop = 0 })
        check('host: and again when it is back', await readsAgain(page).then(() => true))

        const bye = await page.evaluate(() => window.bridge.teardownResource({}).then(r => r, e => ({ error: e.message })))
        await page.waitForTimeout(500)
        const over = await reads(page)
        await page.waitForTimeout(7000)
        check('host: teardown is answered, and the end', !bye.error && await reads(page) == over, JSON.stringify(bye))
        check('host: quiet', page.trouble.every(ofPolicy), page.trouble.join('; '))
        await close()
        await end()
    },

    async bare() {
        const { url, end } = serve(...PUMP)
        const { view, close } = await open(await url + 'mcp', { can: 'none' })
        await view.waitForSelector('#values table')
        check('bare: a host without tools', /runs no tools/.test(await view.innerText('#tools')), await view.innerText('#tools'))
        check('bare: and without resources: the result of the call', /fault E21/.test(await view.innerText('#values')))
        await close()
        await end()
    },

    async slow() {
        const { url, end } = serve('build/asan/conformance-device', fixture(), ...HTTP)
        const { page, view, close } = await open(await url + 'mcp')
        const tool = part(view, 'slow_compute')
        await tool.locator('summary').click()
        await tool.locator('input').first().fill('600')
        await tool.locator('[type=submit]').first().click()
        if (await tool.getByRole('button', { name: 'Yes' }).isVisible()) await tool.getByRole('button', { name: 'Yes' }).click()
        await tool.getByRole('button', { name: 'Cancel' }).click()
        check('slow: a call is cancelled', /Cancelled/.test(await result(view, 'slow_compute')))
        await page.waitForFunction(() => window.log.some(m => m.method == 'notifications/cancelled'))
        const image = part(view, 'test_image_content')
        await image.locator('[type=submit]').first().click()
        if (await image.getByRole('button', { name: 'Yes' }).isVisible()) await image.getByRole('button', { name: 'Yes' }).click()
        await image.locator('img').waitFor()
        check('slow: an image', await image.locator('img').evaluate(async i => (await i.decode(), i.naturalWidth > 0)))
        await close()
        await end()
    },

    async alarms() {
        const { url, end } = serve('build/asan/conformance-device', fixture(), ...HTTP)
        const { view, close } = await open(await url + 'mcp')
        const first = view.locator('#values > :first-child')
        const raise = part(view, 'test_alarm'), text = 'line 4: "back" pressure </script>'
        check('alarms: are the first of the values, and an alert', await first.getAttribute('role') == 'alert' && /^alarms/.test(await first.innerText()), await view.innerText('#values'))
        check('alarms: a binary value is an image', await view.locator('#values img').evaluate(async i => (await i.decode(), i.naturalWidth > 0)))
        await raise.locator('summary').click()
        await raise.locator('input').nth(0).fill('E21')
        await raise.locator('input').nth(1).fill(text)
        await raise.locator('[type=submit]').click()
        await raise.getByRole('button', { name: 'Yes' }).click()
        await first.getByText(text).waitFor()
        check('alarms: one is shown', (await first.locator('tr').last().innerText()).includes('E21'), await first.innerText())
        await close()
        await end()
    },

    // Tools with rules: the person is told why nothing was done. This host has no way to ask for a confirmation.
    async rules() {
        const image = join(scratch(), 'dispenser.rom')
        execFileSync('build/skillrom', ['pack', 'examples/dispenser', '-o', image], { stdio: 'ignore' })
        const { url, end } = serve('build/asan/dispenser', image, ...HTTP)
        const { page, view, close } = await open(await url + 'mcp', { can: 'all' })
        const press = async (name, values, expected) => {
            const tool = part(view, name)
            for (const [i, value] of Object.entries(values)) {
                const field = tool.locator('label').nth(i).locator('input, select')
                await tool.locator('details').evaluate(e => { e.open = true })
                await (typeof value == 'number' ? field.fill(String(value)) : field.selectOption(value))
            }
            await tool.locator('[type=submit]').click()
            if (await tool.getByRole('button', { name: 'Yes' }).isVisible()) await tool.getByRole('button', { name: 'Yes' }).click()
            const out = tool.locator('> [role=status]')
            await out.getByText(expected).waitFor()
            return out.getAttribute('class')
        }
        await view.waitForSelector('#tools form')
        check('rules: a dose that nobody has confirmed', await press('dispense', [1, 1000], /^not confirmed: .*; nothing was done$/) == 'bad')
        await press('turn_key', [{ label: 'read' }], /^done$/)
        check('rules: a locked device, and what to do', await press('rinse', [{ label: 'left' }], /^locked: the key is at "read"; ask a person .*; nothing was done$/) == 'bad')
        await press('turn_key', [{ label: 'run' }], /^done$/)
        check('rules: and when it is unlocked', await press('rinse', [{ label: 'left' }], /^rinsed/) != 'bad')
        check('rules: nothing else has moved', await press('status', [], /^dispensed 0 ul, moved 1 times/) != 'bad')
        check('rules: quiet', page.trouble.length == 0, page.trouble.join('; '))
        await close()
        await end()
    },

    async hostile() {
        const device = await attacker()
        const { page, view, close } = await open(device.url, { era: 'legacy', width: 320 })
        const taken = () => page.evaluate(() => window.log.some(m => m.method == 'taken'))
        const shape = () => view.evaluate(() => [document.scripts.length, document.querySelectorAll('script script, main script, iframe, [onerror], [onclick]').length].join())
        check('hostile: titles are text', (await view.innerText('h1')).startsWith('</script><!--<script>'), await view.innerText('h1'))
        check('hostile: a long word does not stick out', await view.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
        check('hostile: so are choices', (await view.locator('option').allTextContents()).some(text => text.includes('onerror')))
        check('hostile: a choice between schemas is JSON', await view.locator('label', { hasText: 'either' }).locator('textarea').count() == 1)
        for (; device.value < device.values; device.value++) {
            await readsAgain(page, 1)
            check(`hostile: value ${device.value} runs nothing`, await shape() == '2,0' && !await taken(), await view.innerText('#values'))
        }
        for (; device.result < device.results; device.result++) {
            await part(view, 'attack').locator('[type=submit]').first().click()
            await part(view, 'attack').getByRole('button', { name: 'Cancel' }).waitFor({ state: 'hidden' })
            check(`hostile: result ${device.result} runs nothing`, await shape() == '2,0' && !await taken(), await view.innerText('#tools'))
        }
        await page.evaluate(bad => window.restyle({ styles: { variables: { '--color-background-primary': 'red; } body { display: none', '--font-sans': bad } } }), EVIL)
        await readsAgain(page, 1)
        check('hostile: nor do styles', await view.evaluate(() => getComputedStyle(document.body).display) == 'block' && !await taken())
        device.value = 0
        await readsAgain(page, 2)
        check('hostile: and the panel lives', await view.locator('#values td').count() >= 2, await view.innerText('#values'))
        await close()
        device.close()
    },

    async inspector_cli() {
        const { url, end } = serve(...PUMP)
        for (const era of ['modern', 'legacy']) {
            const exchange = async tool => inspect(['--protocol-era', era, '--transport', 'http', await url + 'mcp', '--method', 'tools/call', '--tool-name', tool, '--app-info'])
            const { code, out } = await exchange('show_panel')
            check(`inspector_cli: app info, ${era}`, code == 0 && /"hasApp": ?true/.test(out) && out.includes('ui://tidewater-dp4/panel') && out.includes('text/html;profile=mcp-app'), out)
            const without = await exchange('line_status')
            check(`inspector_cli: a tool without, ${era}`, without.code == 2 && /"hasApp": ?false/.test(without.out), `${without.code} ${without.out}`)
        }
        await end()
    },

    // For docs: a tool has run, another is about to.
    async picture() {
        const { url, end } = serve('build/pump', 'build/example.rom', ...HTTP)
        for (const theme of ['light', 'dark']) {
            const { page, view, close } = await open(await url + 'mcp', { theme, width: 560, height: 1400 })
            await status(view)
            await part(view, 'run_dose').locator('[type=submit]').first().click()
            await part(view, 'run_dose').locator('input').nth(0).fill('1')
            await part(view, 'run_dose').locator('input').nth(1).fill('1000')
            await part(view, 'run_dose').locator('[type=submit]').first().click()
            await view.evaluate(() => document.activeElement.blur())
            const found = await barriers(view)
            check(`picture: no barriers, ${theme}`, found.length == 0, found.join('; '))
            await page.waitForFunction(() => document.querySelector('iframe').offsetHeight == window.state.heights.at(-1))
            await page.locator('iframe').screenshot({ path: `build/panel/${theme}.png` })
            // Machines differ in their fonts, but not by a tool or a line of the table.
            const made = size(`build/panel/${theme}.png`), shown = size(`docs/guides/panel-${theme}.png`)
            check(`picture: docs show this panel, ${theme}`, made.width == shown.width && Math.abs(made.height - shown.height) < 20, JSON.stringify([made, shown]))
            await close()
        }
        await end()
    },
}
