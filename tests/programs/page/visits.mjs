// visits.mjs [WORD] - what a person does with the page of each kind of device. browser.mjs starts devices and looks for trouble.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { barriers, check, close, finish, newPage, open, scratch, serve } from './browser.mjs'
import { draw, said } from './dialogue.mjs'

const IMAGE = 'build/example.rom'
const HTTP = ['--http', '127.0.0.1:0']
const LINES = { line: '2' }

// What every tool of the example is given, and what its response has in it.
const CALLS = {
    'line_status': [{}, /line 4 fault E21/],
    'prime_line': [{ line: '3', new_bottle_ml: '500', new_tube: 'yes' }, /line 3/],
    'run_dose': [{ line: '1', volume_ul: '1000' }, /1000|1\.0/],
    'stop_all': [{ reason: 'a <b>test</b>' }, /stop/i],
}

const tool = (page, name) => page.locator(`#tools > .tool[title="${name}"]`)
const run = e => e.locator('[type=submit]').first().click()
const confirmation = e => e.getByRole('button', { name: /^Yes: / })

async function openTool(page, name) {
    const e = tool(page, name)
    if (await e.locator('details').count()) await e.locator('summary').click()
    return e
}

async function fill(e, values) {
    for (const [name, value] of Object.entries(values)) {
        const input = e.getByLabel(name.replaceAll('_', ' ')).first()
        await (await input.evaluate(i => i.tagName) == 'SELECT' ? input.selectOption(value) : input.fill(value))
    }
}

const result = async e => (await e.locator('> [role=status] > :not(progress, small)').first().waitFor(), e.locator('> [role=status]').innerText())

async function readsEverySkill(page, what, tiny) {
    const skills = page.locator('#skills > details')
    const { name, title, instructions } = JSON.parse(readFileSync('examples/pump/device.json', 'utf8'))
    const heading = tiny ? name : title
    check(`${what}: its title`, await page.title() == heading && await page.innerText('h1') == heading, await page.title())
    const order = await page.locator('section').evaluateAll(all => all.map(e => e.id))
    check(`${what}: values and tools come first`, order.join() == 'values,tools,skills,connect', order)
    check(`${what}: four skills`, await skills.count() == 5, await skills.count())
    const guide = skills.last()
    check(`${what}: instructions for agents are folded away`, !(await page.innerText('main')).includes(instructions.slice(0, 40)) && (await guide.textContent()).includes(instructions))
    for (let i = 0; i < 4; i++) {
        const skill = skills.nth(i)
        await skill.locator('summary').first().click()
        await skill.locator('h3').first().waitFor()
        check(`${what}: skill ${i + 1} is rendered`, !/^---|\*\*|\| *---|```/m.test(await skill.innerText()), await skill.innerText())
    }
    const file = skills.first().locator('details').last()
    await skills.first().getByRole('link', { name: 'acceptance' }).click()
    await file.locator('h3, p, table').first().waitFor()
    check(`${what}: a link leads to another file of the skill`, await file.evaluate(e => e.open))
    check(`${what}: tables are tables`, await skills.first().locator('th').count() > 2)
}

async function runsEveryTool(page, what) {
    const listed = await page.locator('#tools > .tool').evaluateAll(tools => tools.map(t => t.title).filter(name => !name.includes(':')))
    check(`${what}: the tools of the device, and none that only an agent needs`, listed.join() == Object.keys(CALLS).join(), listed)
    const asked = []
    for (const [name, [values, expected]] of Object.entries(CALLS).filter(([name]) => listed.includes(name))) {
        const e = await openTool(page, name)
        await fill(e, values)
        await run(e)
        if (await confirmation(e).isVisible()) {
            asked.push(name)
            await confirmation(e).click()
        }
        const text = await result(e)
        check(`${what}: ${name}`, expected.test(text), text)
    }
    check(`${what}: asked before what cannot be undone, and only then`, asked.join() == 'prime_line,run_dose', asked)
    const dose = tool(page, 'run_dose')
    await fill(dose, { line: '9' })
    await run(dose)
    check(`${what}: a wrong value is not sent`, !await confirmation(dose).isVisible() && !await dose.locator('form').evaluate(f => f.checkValidity()))
    await fill(dose, { line: '4' })
    await run(dose)
    await run(dose)
    check(`${what}: the second click of two on the same place does not confirm`, !await confirmation(dose).isVisible())
    await run(dose)
    await confirmation(dose).click()
    await dose.locator('.bad').waitFor()
    check(`${what}: what the device refuses is shown as refused`, /fault|E21|4/.test(await result(dose)))
}

async function seesValues(page, what) {
    const state = () => page.locator('#values table').first().innerText() // it is open from the start
    check(`${what}: a value of the firmware`, /bottle ul/.test(await state()), await state())
    const before = await state()
    const prime = tool(page, 'prime_line')
    await fill(prime, { line: '2' })
    await run(prime)
    await confirmation(prime).click()
    await page.waitForFunction(old => document.querySelector('#values table').innerText != old, before)
    check(`${what}: it follows the device`, await state() != before)
    const template = await openTool(page, 'pump://line/{n}/status')
    await fill(template, { n: '1' })
    await run(template)
    check(`${what}: one made of a template`, /bottle|ready/.test(await result(template)))
}

async function isQuiet(page, what, allowed = /^$/) {
    const trouble = page.trouble.filter(t => !allowed.test(t))
    check(`${what}: nothing in the console, nothing against the policy`, trouble.length == 0, trouble.join('; '))
    const found = await barriers(page)
    check(`${what}: no barriers`, found.length == 0, found.join('; '))
}

// `paste` is what a page in one file says, of a device that has no address. `tiny`: a device of that profile sends no title.
async function example(what, server, { paste, tiny } = {}) {
    const url = await server.url
    const page = await open(url)
    await readsEverySkill(page, what, tiny)
    await runsEveryTool(page, what)
    await seesValues(page, what)
    check(`${what}: what to paste`, (await page.innerText('#connect')).includes(paste ?? `claude mcp add --transport http tidewater-dp4 ${url}mcp`))
    await isQuiet(page, what)
    if (paste) {
        check(`${what}: the file sends no request`, page.requests.length == 1, page.requests.join(' '))
        await page.screenshot({ path: `build/page/${what}.png`, fullPage: true })
    }
    await page.close()
    await server.end()
}

function servePage(path, port) {
    const server = createServer((request, response) => response.setHeader('Content-Type', 'text/html').end(readFileSync(path)))
    return { url: new Promise(done => server.listen(+port, '127.0.0.1', () => done(`http://127.0.0.1:${port}/`))), end: () => server.close() }
}

const visits = {
    'pump': () => example('pump', serve('build/asan/pump', IMAGE, ...HTTP)),
    'bridge': () => example('bridge', serve('tests/host/serial/bridged', 'build/asan/skillrom', 'build/stm32vldiscovery/program.elf', IMAGE, ...HTTP), { tiny: true }),
    'board': () => example('board', serve('tests/boards/net/boot', 'lm3s6965evb-net', 'build/lm3s6965evb-net/program.elf', IMAGE)),

    async twin() {
        const file = join(scratch(), 'twin (1).html') // as a browser names a second download
        copyFileSync('build/wasm/twin.html', file)
        await example('twin', { url: pathToFileURL(file).href, end() {} }, { paste: 'npx skillrom serve --twin "twin (1).html"' })
    },

    // serial.html before its device: a serial port of this test, where the twin responds once it is asked to.
    async late() {
        const { LINE, Links } = await import(resolve('port/wasm/links.mjs'))
        const twin = Links.twin(readFileSync('build/wasm/twin.wasm'), readFileSync(IMAGE))
        const page = await newPage({ viewport: { width: 1000, height: 800 } })
        let device
        await page.exposeFunction('toDevice', bytes => device?.give(Uint8Array.from(bytes)))
        await page.addInitScript(() => {
            const port = {
                async open() {
                    port.readable = new ReadableStream({ start: to => { window.fromDevice = bytes => to.enqueue(Uint8Array.from(bytes)) } })
                    port.writable = new WritableStream({ write: bytes => window.toDevice([...bytes]) })
                },
                async close() { port.readable = port.writable = null },
                async forget() { sessionStorage.forgotten = 1 },
            }
            Object.defineProperty(navigator, 'serial', { value: { getPorts: async () => sessionStorage.forgotten == 1 ? [] : [port] } })
        })
        const plugIn = () => device = twin.open(LINE, bytes => page.evaluate(some => window.fromDevice(some), [...bytes]))
        const url = 'file://' + resolve('build/wasm/serial.html'), another = page.getByRole('button', { name: 'Choose another port' })
        await page.goto(url)
        await another.waitFor()
        check('late: what to check meanwhile', /power.*wiring.*program or tab/.test(await page.innerText('#about')), await page.innerText('#about'))
        plugIn()
        await page.waitForSelector('html[data-ready]', { state: 'attached' })
        check('late: the page begins when the device responds', await page.title() == 'Tidewater DP-4 dosing pump', await page.title())
        check('late: nothing is left of the waiting', await another.count() == 0 && !/Looking|respond/.test(await page.innerText('#about')), await page.innerText('#about'))
        await isQuiet(page, 'late')
        device.close()
        device = null
        await page.goto(url)
        await another.click()
        await page.getByRole('button', { name: 'Choose a serial port' }).waitFor()
        check('late: a port that was wrong is forgotten', await another.count() == 0)
        await page.close()
        twin.end()
    },

    // In what tests/host/wasm/plugged has made: a serial port with a device on it, and a browser that may use it.
    ...(process.env.PLUGGED_PORT && { plugged: () => example('plugged', servePage('build/wasm/serial.html', process.env.PLUGGED_PORT), { paste: 'npx skillrom bridge PORT', tiny: true }) }),

    async talking() {
        const server = serve('build/asan/conformance-device', 'build/conformance.rom', ...HTTP)
        const page = await open(await server.url)
        const call = async (name, values = {}) => {
            const e = await openTool(page, name)
            await fill(e, values)
            await run(e)
            if (await confirmation(e).isVisible()) await confirmation(e).click()
            return e
        }
        await page.evaluate(() => {
            window.seen = []
            new MutationObserver(() => document.querySelectorAll('progress').forEach(p => window.seen.push(p.value))).observe(document.body, { subtree: true, attributes: true })
        })
        check('talking: a result after progress', /success/.test(await result(await call('test_tool_with_progress'))))
        check('talking: progress was shown', (await page.evaluate(() => window.seen)).some(v => v > 0), await page.evaluate(() => window.seen))
        const asked = await call('test_input_required_result_multi_round')
        await asked.getByLabel('name').fill('Ada')
        await asked.getByRole('button', { name: 'Answer' }).click()
        await asked.getByLabel('color').fill('red')
        await asked.getByRole('button', { name: 'Answer' }).click()
        await asked.locator('pre').waitFor()
        check('talking: two questions are answered', /Ada likes red/.test(await result(asked)), await result(asked))
        const declined = await call('test_input_required_result_elicitation')
        await declined.getByRole('button', { name: 'Decline' }).click()
        await declined.locator('pre').waitFor()
        check('talking: one is declined', /nobody greeted/.test(await result(declined)), await result(declined))
        const slow = await call('slow_compute', { seconds: '600' })
        await slow.getByRole('button', { name: 'Cancel' }).click()
        check('talking: a run is cancelled', /Cancelled/.test(await result(slow)))
        const html = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
        const echo = await call('echo', { text: html })
        check('talking: a result that is HTML is text', await result(echo) == html && await echo.locator('img').count() == 0, await result(echo))
        const image = await call('test_image_content')
        await image.locator('img').waitFor()
        check('talking: an image', await image.locator('img').evaluate(async i => (await i.decode(), i.naturalWidth > 0)))
        const sound = await call('test_audio_content')
        await sound.locator('audio').waitFor()
        check('talking: a sound', /^data:audio/.test(await sound.locator('audio').getAttribute('src')))
        const both = { // defect 76: only the data was shown
            resultType: 'complete',
            content: [{ type: 'text', text: '{"level":7}' }, { type: 'image', mimeType: 'image/gif', data: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' }],
            structuredContent: { level: 7 },
        }
        await page.route('**/mcp', route => {
            const { id, method } = route.request().postDataJSON()
            return method == 'tools/call' ? route.fulfill({ json: { jsonrpc: '2.0', id, result: both } }) : route.fallback()
        })
        const greeting = await call('greet', { name: 'Ada' })
        await greeting.locator('table').waitFor()
        check('talking: an image beside structured content', await greeting.locator('img').count() == 1 && await greeting.locator('table').count() == 1 && /level\s+7/.test(await result(greeting)), await result(greeting))
        await isQuiet(page, 'talking')
        await page.close()
        await server.end()
    },

    // Tools with rules: the page asks what the device asks, and says why nothing was done.
    async rules() {
        const image = join(scratch(), 'dispenser.rom')
        execFileSync('build/skillrom', ['pack', 'examples/dispenser', '-o', image], { stdio: 'ignore' })
        const server = serve('build/asan/dispenser', image, ...HTTP)
        const page = await open(await server.url)
        const dose = await openTool(page, 'dispense')
        const press = async () => (await run(dose), await confirmation(dose).click(), dose.getByText('Dispense 1000 ul from line 1?').waitFor())
        await fill(dose, { line: '1', volume_ul: '1000' })
        await press()
        await dose.getByLabel('Confirm').selectOption('yes')
        await dose.getByRole('button', { name: 'Answer' }).click()
        await dose.getByText('dispensed 1000 ul from line 1').waitFor()
        check('rules: a dose that is confirmed', await dose.locator('.bad').count() == 0)
        await press()
        await dose.getByRole('button', { name: 'Decline' }).click()
        await dose.locator('.bad').getByText(/^not confirmed: .* nothing was done/).waitFor()
        const key = await openTool(page, 'turn_key')
        await fill(key, { to: 'read' })
        await run(key)
        await key.getByText('done').waitFor()
        await run(dose)
        await confirmation(dose).click()
        await dose.locator('.bad').getByText(/^locked: the key is at "read"; ask a person .*; nothing was done/).waitFor()
        check('rules: a refusal says why, and what to do', true)
        await isQuiet(page, 'rules')
        await page.close()
        await server.end()
    },

    async hostile() {
        const folder = scratch()
        const evil = '<script>document.title="taken"</script><img src=x onerror=alert(1)> [x](javascript:alert(1))'
        mkdirSync(join(folder, 'skills/evil'), { recursive: true })
        writeFileSync(join(folder, 'device.json'), JSON.stringify({ name: 'evil', version: '1', instructions: evil }))
        writeFileSync(join(folder, 'skills/evil/SKILL.md'), `---\nname: evil\ndescription: "Says ${evil.replaceAll('"', "'")}. Use when testing."\n---\n# ${evil}\n\n${evil}\n\n| ${evil} |\n|---|\n| ${evil} |\n`)
        execFileSync('build/skillrom', ['pack', folder, '-o', join(folder, 'evil.rom')])
        const server = serve('build/asan/skillromd', join(folder, 'evil.rom'), ...HTTP)
        const page = await open(await server.url, false)
        await page.locator('#skills summary').first().click()
        await page.locator('#skills h3').waitFor()
        check('hostile: text stays text', (await page.innerText('#skills h3')).includes('<script>') && await page.locator('main script, main img, main a').count() == 0, await page.innerText('#skills'))
        check('hostile: nothing was run', await page.title() == 'evil' && page.dialogs.length == 0, await page.title())
        await isQuiet(page, 'hostile')
        await page.close()
        await server.end()
    },

    async token() {
        const file = join(scratch(), 'tokens')
        const token = execFileSync('build/skillrom', ['token', 'alice', '-o', file], { encoding: 'utf8' }).trim()
        const server = serve('build/asan/pump', IMAGE, ...HTTP, '--token-file', file)
        const page = await open(await server.url, false)
        for (const words of ['wrong', token]) {
            await page.getByLabel('Access token').fill(words)
            await page.getByRole('button', { name: 'Use it' }).click()
            if (words == 'wrong') await page.waitForFunction(() => document.querySelector('input[type=password]')?.value === '')
        }
        await page.waitForSelector('#connect pre')
        check('token: asked for until it is right', await page.title() == 'Tidewater DP-4 dosing pump')
        check('token: what to paste names no secret', !(await page.innerText('body')).includes(token) && (await page.innerText('#connect')).includes('Bearer TOKEN'))
        await page.reload()
        await page.waitForSelector('#connect pre')
        check('token: kept for this tab, and nowhere else', await page.evaluate(() => !document.cookie && !localStorage.length))
        await isQuiet(page, 'token', /401/)
        await page.close()
        await server.end()
    },

    async picture() {
        const server = serve('build/pump', IMAGE, ...HTTP)
        const page = await open(await server.url)
        for (const [name, width, height] of [['desktop', 860, 1240], ['phone', 390, 844]]) {
            for (const scheme of ['light', 'dark']) {
                await page.setViewportSize({ width, height })
                await page.emulateMedia({ colorScheme: scheme })
                await page.reload()
                await page.waitForSelector('#connect pre')
                const tool = await openTool(page, 'line_status')
                await fill(tool, LINES)
                await run(tool)
                await result(tool)
                check(`picture: no sideways scrolling, ${name}`, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
                const found = await barriers(page)
                check(`picture: no barriers, ${name}, ${scheme}`, found.length == 0, found.join('; '))
                // On a desktop values, tools and skills; on a phone the tools.
                if (name == 'desktop') {
                    const one = await openTool(page, 'pump://line/{n}/status')
                    await fill(one, { n: '2' })
                    await run(one)
                    await result(one)
                }
                await page.evaluate(top => (document.activeElement.blur(), scrollTo(0, top ? 0 : document.getElementById('tools').offsetTop - 16)), name == 'desktop')
                await page.screenshot({ path: `build/page/${name}-${scheme}.png` })
            }
        }
        await page.close()
        await server.end()
    },

    // What the agent says is written here; what the device answers, and what its page shows meanwhile, is what happens.
    async dialogue() {
        const server = serve('build/pump', IMAGE, ...HTTP)
        const url = await server.url
        const page = await open(url)
        const size = { width: 470, height: 556 } // the whole table
        await page.setViewportSize(size)
        const skillrom = (...words) => execFileSync('build/skillrom', words, { encoding: 'utf8' }).trim()
        const value = () => page.innerText('#values')
        const photo = async at => {
            const shots = { at, text: await value() }
            for (const scheme of ['light', 'dark']) {
                await page.emulateMedia({ colorScheme: scheme })
                shots[scheme] = await page.screenshot()
            }
            return shots
        }
        const lines = [{ at: 0.5, who: 'you', text: 'Is line 2 good for 12 ml?' }]
        const pages = [await photo(0)]
        const read = skillrom('read', url + 'mcp', 'skill://daily-check/SKILL.md')
        check('dialogue: the agent reads a skill', /# Daily check/.test(read), read)
        lines.push({ at: 2, who: 'agent', text: 'reads skill://daily-check/SKILL.md' }, { at: 3.5, text: 'line_status {"line": 2}' })
        lines.push({ at: 4.5, text: '  ' + skillrom('call', url + 'mcp', 'line_status', 'line=2').replace(/, dosed.*/, ''), look: 'said' })
        lines.push({ at: 6, text: 'Yes: 38.5 ml are left. Shall I dispense 12 ml?' }, { at: 8, who: 'you', text: 'Go ahead.' })
        const before = await value()
        lines.push({ at: 9.5, who: 'agent', text: 'run_dose {"line": 2, "volume_ul": 12000}' })
        lines.push({ at: 10.5, text: '  ' + skillrom('call', url + 'mcp', 'run_dose', 'line=2', 'volume_ul=12000').replace(/, tube.*/, ''), look: 'said' })
        await page.waitForFunction(old => document.querySelector('#values').innerText != old, before)
        check('dialogue: the page has changed by itself', /\b26500\b/.test(await value()) && !before.includes('26500'), await value())
        pages.push(await photo(10.5))
        lines.push({ at: 12, text: 'Done: 26.5 ml are left in the bottle of line 2.' })
        const svg = draw('A person asks an agent for 12 ml; it reads the skill of the pump, asks its state, doses, and the page of the pump shows 26.5 ml left', lines, pages, size, 17)
        writeFileSync('build/page/dialogue.svg', svg)
        check('dialogue: under 1 MB', svg.length < 1e6, svg.length)
        check('dialogue: docs/dialogue.svg says what happens', said(svg) == said(readFileSync('docs/dialogue.svg', 'utf8')), 'run: make pictures')
        await page.close()
        for (const scheme of ['light', 'dark']) {
            const viewer = await open('file://' + resolve('build/page/dialogue.svg'), false)
            await viewer.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
            const shown = await viewer.locator('text, image').evaluateAll(all => all.filter(e => e.checkVisibility({ visibilityProperty: true })).length)
            check(`dialogue: at its end everything is there, ${scheme}`, shown == 2 * lines.length + 1, shown)
            await viewer.screenshot({ path: `build/page/dialogue-${scheme}.png` })
            await viewer.close()
        }
        await server.end()
    },
}

check('core/wire/page.c is what page/ makes', readFileSync('build/page/page.c', 'utf8') == readFileSync('core/wire/page.c', 'utf8'), 'run: make page')
for (const [name, visit] of Object.entries(visits)) {
    if (process.argv[2] && !name.includes(process.argv[2])) continue
    await visit().catch(error => check(name, false, error.stack))
}
await close()
finish()
