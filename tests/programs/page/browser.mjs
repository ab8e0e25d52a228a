// browser.mjs - Chromium, servers and the count of what was checked, for visits.mjs.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const installed = createRequire(join(process.cwd(), 'build/page/package.json'))
const { chromium } = installed('playwright-core')
const AXE = readFileSync(installed.resolve('axe-core/axe.min.js'), 'utf8')
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync']

export const PATIENCE = 120000 // milliseconds; only bounds a failure
let passed = 0, failed = 0

export function check(name, good, why = '') {
    console.log(good ? `ok ${name}` : `not ok ${name}: ${why}`)
    good ? passed++ : failed++
}

export function finish() {
    console.log(`${passed} passed, ${failed} failed`)
    process.exit(failed ? 1 : 0)
}

const started = []
process.on('exit', () => started.forEach(child => child.kill('SIGKILL')))

// Starts a server; the URL that it says it serves at, without /mcp.
export function serve(...words) {
    const child = spawn(words[0], words.slice(1), { stdio: ['ignore', 'ignore', 'pipe'], env: { ASAN_OPTIONS: 'detect_leaks=0', ...process.env } })
    started.push(child)
    let said = ''
    const url = new Promise((resolve, reject) => {
        child.stderr.on('data', data => {
            said += data
            const found = /serving .* at (http:\/\/[^/\s]+)\/mcp/.exec(said)
            if (found) resolve(found[1] + '/')
        })
        child.on('exit', () => reject(new Error(`${words.join(' ')} ended: ${said}`)))
    })
    // SIGTERM, so that tests that have started something else also end that.
    const end = () => new Promise(done => child.exitCode === null ? child.on('exit', done).kill() : done())
    return { url, end }
}

const folders = []
process.on('exit', () => folders.forEach(folder => rmSync(folder, { recursive: true, force: true })))

export function scratch() {
    folders.push(mkdtempSync(join(tmpdir(), 'skillrom-page-')))
    return folders.at(-1)
}

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS, headless: true })

// A page in a profile of its own; `trouble` collects what a console or a policy complains about, of scripts that `observed`
// matches. Closing the page closes the connections of its profile: a board need not wait until they are idle for too long.
export async function newPage(options, observed = /^/) {
    const page = await browser.newPage(options)
    page.setDefaultTimeout(PATIENCE)
    page.trouble = []
    page.dialogs = []
    page.requests = []
    page.on('request', request => page.requests.push(request.url().slice(0, 80)))
    page.on('console', m => ['error', 'warning'].includes(m.type()) && observed.test(m.location().url) && page.trouble.push(m.text()))
    page.on('pageerror', error => observed.test(error.stack) && page.trouble.push(String(error)))
    page.on('dialog', dialog => { page.dialogs.push(dialog.message()); dialog.accept() })
    await page.exposeFunction('violated', what => page.trouble.push('policy: ' + what))
    await page.addInitScript(() => addEventListener('securitypolicyviolation', e => window.violated?.(e.violatedDirective + ' ' + e.blockedURI)))
    return page
}

// The page of a device, once it has everything.
export async function open(url, ready = true) {
    const page = await newPage({ viewport: { width: 1000, height: 800 } })
    await page.goto(url)
    if (ready) await page.waitForSelector('html[data-ready], #connect pre', { state: 'attached' })
    return page
}

// Nothing may hinder people who use a keyboard, a screen reader, or who see little. `page` may be a frame.
export async function barriers(page, impacts = ['serious', 'critical']) {
    await page.evaluate(AXE)
    const { violations } = await page.evaluate(() => window.axe.run(document))
    return violations.filter(v => impacts.includes(v.impact)).map(v => `${v.id}: ${v.nodes.map(n => n.target).join(' ')}`)
}

export const close = () => browser.close()
