// visits.mjs [WORD] - what a person does with the page of each kind of device. browser.mjs starts devices and looks for trouble.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { barriers, check, close, finish, open, scratch, serve } from './browser.mjs'

const IMAGE = 'build/example.rom'
const HTTP = ['--http', '127.0.0.1:0']
const LINES = { line: '2' }

// What every tool of the example is given, and what its answer has in it.
const CALLS = {
    'line_status': [{}, /line 4 fault E21/],
    'prime_line': [{ line: '3', new_bottle_ml: '500', new_tube: 'yes' }, /line 3/],
    'run_dose': [{ line: '1', volume_ul: '1000' }, /1000|1\.0/],
    'stop_all': [{ reason: 'a <b>test</b>' }, /stop/i],
    'list_skills': [{ query: 'fault' }, /clear-fault/],
    'read_skill': [{ name: 'daily-check' }, /line_status/],
}

const details = (page, section, name) => page.locator(`#${section} > details`).filter({ has: page.locator('summary', { hasText: name }) }).first()

async function openTool(page, name) {
    const e = details(page, 'tools', name)
    await e.locator('summary').click()
    return e
}

async function fill(e, values) {
    for (const [name, value] of Object.entries(values)) {
        const input = e.getByLabel(name).first()
        await (await input.evaluate(i => i.tagName) == 'SELECT' ? input.selectOption(value) : input.fill(value))
    }
}

const result = async e => (await e.locator('[role=status] > :not(progress, small)').first().waitFor(), e.locator('[role=status]').innerText())

async function readsEverySkill(page, what) {
    const skills = page.locator('#skills > details')
    const names = readFileSync('examples/pump/device.json', 'utf8')
    check(`${what}: its name and what it says of itself`, (await page.title()) == 'tidewater-dp4' && names.includes((await page.innerText('#about')).slice(0, 200)), await page.title())
    check(`${what}: four skills`, await skills.count() == 4, await skills.count())
    for (let i = 0; i < await skills.count(); i++) {
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
    const listed = (await page.locator('#tools > details > summary > small').allInnerTexts()).map(text => text.split(':')[0])
    check(`${what}: tools, each of which this test knows`, listed.length >= 4 && listed.every(name => CALLS[name]), listed)
    for (const [name, [values, expected]] of Object.entries(CALLS).filter(([name]) => listed.includes(name))) {
        const e = await openTool(page, name)
        await fill(e, values)
        await e.getByRole('button', { name: 'Run' }).click()
        const text = await result(e)
        check(`${what}: ${name}`, expected.test(text), text)
    }
    check(`${what}: asked before what cannot be undone, and only then`, page.dialogs.length == 2 && page.dialogs.every(d => /Prime|Dose/.test(d)), page.dialogs)
    const dose = details(page, 'tools', 'run_dose')
    await fill(dose, { line: '9' })
    await dose.getByRole('button', { name: 'Run' }).click()
    check(`${what}: a wrong value is not sent`, page.dialogs.length == 2 && !await dose.locator('form').evaluate(f => f.checkValidity()))
    await fill(dose, { line: '4' })
    await dose.getByRole('button', { name: 'Run' }).click()
    await dose.locator('.bad').waitFor()
    check(`${what}: what the device refuses is shown as refused`, /fault|E21|4/.test(await result(dose)))
}

async function seesValues(page, what) {
    const values = page.locator('#values > details')
    await values.first().locator('summary').click()
    await values.first().locator('pre').waitFor()
    const state = () => values.first().locator('pre').innerText()
    check(`${what}: a value of the firmware`, /bottle_ul/.test(await state()), await state())
    const before = await state()
    const stop = details(page, 'tools', 'prime_line')
    await fill(stop, { line: '2' })
    await stop.getByRole('button', { name: 'Run' }).click()
    await page.waitForFunction(old => document.querySelector('#values pre').innerText != old, before)
    check(`${what}: it follows the device`, await state() != before)
    await values.last().locator('summary').click()
    await fill(values.last(), { n: '1' })
    await values.last().getByRole('button', { name: 'Read' }).click()
    check(`${what}: one made of a template`, /bottle|ready/.test(await result(values.last())))
}

async function isQuiet(page, what, allowed = /^$/) {
    const trouble = page.trouble.filter(t => !allowed.test(t))
    check(`${what}: nothing in the console, nothing against the policy`, trouble.length == 0, trouble.join('; '))
    const found = await barriers(page)
    check(`${what}: no barriers`, found.length == 0, found.join('; '))
}

// `paste` is what a page in one file says, of a device that has no address.
async function example(what, server, paste) {
    const url = await server.url
    const page = await open(url)
    await readsEverySkill(page, what)
    await runsEveryTool(page, what)
    await seesValues(page, what)
    check(`${what}: what to paste`, (await page.innerText('#connect')).includes(paste ?? `claude mcp add --transport http tidewater-dp4 ${url}mcp`))
    await isQuiet(page, what)
    if (paste) {
        check(`${what}: the file asks nobody`, page.requests.length == 1, page.requests.join(' '))
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
    'bridge': () => example('bridge', serve('tests/host/serial/bridged', 'build/asan/skillrom', 'build/stm32vldiscovery/program.elf', IMAGE, ...HTTP)),
    'board': () => example('board', serve('tests/boards/net/boot', 'lm3s6965evb-net', 'build/lm3s6965evb-net/program.elf', IMAGE)),

    'twin': () => example('twin', { url: 'file://' + resolve('build/wasm/twin.html'), end() {} }, 'npx skillrom serve --twin twin.html'),

    // In what tests/host/wasm/plugged has made: a serial port with a device behind it, and a browser that may use it.
    ...(process.env.PLUGGED_PORT && { plugged: () => example('plugged', servePage('build/wasm/serial.html', process.env.PLUGGED_PORT), 'npx skillrom bridge PORT') }),

    async talking() {
        const server = serve('build/asan/conformance-device', 'build/conformance.rom', ...HTTP)
        const page = await open(await server.url)
        const run = async (name, values = {}) => {
            const e = await openTool(page, name)
            await fill(e, values)
            await e.getByRole('button', { name: 'Run' }).click()
            return e
        }
        await page.evaluate(() => {
            window.seen = []
            new MutationObserver(() => document.querySelectorAll('progress').forEach(p => window.seen.push(p.value))).observe(document.body, { subtree: true, attributes: true })
        })
        check('talking: a result after progress', /success/.test(await result(await run('test_tool_with_progress'))))
        check('talking: progress was shown', (await page.evaluate(() => window.seen)).some(v => v > 0), await page.evaluate(() => window.seen))
        const asked = await run('test_input_required_result_multi_round')
        await asked.getByLabel('name').fill('Ada')
        await asked.getByRole('button', { name: 'Answer' }).click()
        await asked.getByLabel('color').fill('red')
        await asked.getByRole('button', { name: 'Answer' }).click()
        await asked.locator('pre').waitFor()
        check('talking: two questions are answered', /Ada likes red/.test(await result(asked)), await result(asked))
        const declined = await run('test_input_required_result_elicitation')
        await declined.getByRole('button', { name: 'Decline' }).click()
        await declined.locator('pre').waitFor()
        check('talking: one is declined', /nobody greeted/.test(await result(declined)), await result(declined))
        const slow = await run('slow_compute', { seconds: '600' })
        await slow.getByRole('button', { name: 'Cancel' }).click()
        check('talking: a run is cancelled', /Cancelled/.test(await result(slow)))
        const html = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
        const echo = await run('echo', { text: html })
        check('talking: a result that is HTML is text', await result(echo) == html && await echo.locator('img').count() == 0, await result(echo))
        const image = await run('test_image_content')
        await image.locator('img').waitFor()
        check('talking: an image', await image.locator('img').evaluate(async i => (await i.decode(), i.naturalWidth > 0)))
        const sound = await run('test_audio_content')
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
        const greeting = await run('greet', { name: 'Ada' })
        await greeting.locator('pre').waitFor()
        check('talking: an image beside structured content', await greeting.locator('img').count() == 1 && await greeting.locator('pre').count() == 1 && /"level": 7/.test(await result(greeting)), await result(greeting))
        await isQuiet(page, 'talking')
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
        await page.locator('#skills summary').click()
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
        await page.waitForSelector('#values details')
        check('token: asked for until it is right', await page.title() == 'tidewater-dp4')
        check('token: what to paste names no secret', !(await page.innerText('body')).includes(token) && (await page.innerText('#connect')).includes('Bearer TOKEN'))
        await page.reload()
        await page.waitForSelector('#values details')
        check('token: kept for this tab, and nowhere else', await page.evaluate(() => !document.cookie && !localStorage.length))
        await isQuiet(page, 'token', /401/)
        await page.close()
        await server.end()
    },

    async picture() {
        const server = serve('build/pump', IMAGE, ...HTTP)
        const page = await open(await server.url)
        for (const [name, width] of [['desktop', 860], ['phone', 390]]) {
            for (const scheme of ['light', 'dark']) {
                await page.setViewportSize({ width, height: 844 })
                await page.emulateMedia({ colorScheme: scheme })
                await page.reload()
                await page.waitForSelector('#values details')
                const tool = await openTool(page, 'line_status')
                await fill(tool, LINES)
                await tool.getByRole('button', { name: 'Run' }).click()
                await result(tool)
                check(`picture: no sideways scrolling, ${name}`, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
                const found = await barriers(page)
                check(`picture: no barriers, ${name}, ${scheme}`, found.length == 0, found.join('; '))
                // On a desktop a skill, from the top; on a phone the tool.
                if (name == 'desktop') {
                    await page.locator('#skills summary').first().click()
                    await page.locator('#skills h3').first().waitFor()
                }
                await page.evaluate(top => (document.activeElement.blur(), scrollTo(0, top ? 0 : document.getElementById('tools').offsetTop - 16)), name == 'desktop')
                await page.screenshot({ path: `build/page/${name}-${scheme}.png` })
            }
        }
        await page.close()
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
