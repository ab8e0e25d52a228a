// hosts.mjs - the three hosts of panels, each as open(device, {theme, width, era, token}): a page with the panel rendered in it.
//
// A visit is {page, view, trouble, close}: the host's page, the panel's frame, what the consoles complained about.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newPage, scratch } from '../page/browser.mjs'
import { site } from './site.mjs'

const INSTALLED = resolve('build/conformance')
const require = createRequire(join(INSTALLED, 'package.json'))
export const INSPECTOR = join(INSTALLED, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js')

// A script and all that it imports, for a browser.
async function bundle(name) {
    const { rolldown } = await import(require.resolve('rolldown'))
    const built = await rolldown({
        input: fileURLToPath(new URL(name, import.meta.url)),
        resolve: { modules: [join(INSTALLED, 'node_modules')] },
        transform: { define: { 'process.env.NODE_ENV': '"production"' } },
        platform: 'browser',
    })
    const { output: [{ code }] } = await built.generate({ format: 'esm', codeSplitting: false })
    await built.close()
    return code
}

const OF_PANEL = /about:srcdoc/ // not what a host complains about in itself

// The frame of the panel: the innermost one.
async function panelIn(page) {
    const view = page.frames().at(-1)
    await view.waitForSelector('#tools form')
    await view.waitForSelector('#values details > div > *')
    return view
}

function ourOwn(script) {
    let code
    return async (device, { theme, width, height = 900, era, token, ...more }) => {
        const pages = await site(device, token, await (code ??= bundle(script)))
        const page = await newPage({ viewport: { width, height } }, OF_PANEL)
        await page.goto(pages.page({ theme, era, ...more }))
        await page.waitForFunction(() => window.state?.shown)
        return { page, view: more.can ? page.frames().at(-1) : await panelIn(page), async close() { await page.close(); pages.close() } }
    }
}

// The Inspector wants to be given ports. These are free now; where another program is faster, it is started again.
const freePort = () => new Promise(done => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
        const { port } = probe.address()
        probe.close(() => done(port))
    })
})

const STARTS = 3
const UP = /up and running at:\s+(http:\/\/[^\s?/]+)/

async function startInspector(starts = STARTS) {
    const key = randomBytes(16).toString('hex')
    const child = spawn(process.execPath, [INSPECTOR, '--web'], {
        stdio: ['ignore', 'pipe', 'ignore'],
        env: {
            ...process.env, HOME: scratch(), HOST: '127.0.0.1', CLIENT_PORT: await freePort(), MCP_SANDBOX_PORT: await freePort(),
            MCP_AUTO_OPEN_ENABLED: 'false', MCP_INSPECTOR_API_TOKEN: key, MCP_INSPECTOR_SECRET_STORE: 'memory',
        },
    })
    process.on('exit', () => child.kill('SIGKILL'))
    const output = []
    const url = await new Promise(done => {
        child.stdout.on('data', data => {
            output.push(data)
            const found = UP.exec(output.join(''))
            if (found) done(found[1])
        })
        child.on('exit', () => done())
    })
    if (url) return { url, key }
    if (starts == 1) throw new Error(`the Inspector ended with ${child.exitCode}: ${output.join('')}`)
    return startInspector(starts - 1)
}

// All deep links of an Inspector share one entry of its list of servers, and two pages would overwrite each other's. So a
// visit has an Inspector of its own; those that are not in use wait here for the next one.
const idle = []

// Its deep link connects and opens the panel; the token is added by our proxy, as a person would in its settings.
async function inInspector(device, { theme, width, token }) {
    const inspector = idle.pop() ?? await startInspector()
    const { url, key } = inspector
    const pages = await site(device, token, '')
    const page = await newPage({ viewport: { width, height: 900 }, colorScheme: theme }, OF_PANEL)
    const link = { serverUrl: pages.mcp, transport: 'http', autoConnect: key, openApp: 'show_panel', appArgs: 'e30', autoOpen: key }
    await page.goto(`${url}/?${new URLSearchParams(link)}`)
    await page.waitForSelector('[data-app-status="ready"]')
    return { page, view: await panelIn(page), async close() { await page.close(); pages.close(); idle.push(inspector) } }
}

// Each host with the eras that it can connect in.
export const HOSTS = {
    bridge: { open: ourOwn('bridge.js'), eras: ['modern', 'legacy'] },
    mcpui: { open: ourOwn('mcpui.jsx'), eras: ['legacy'] },
    inspector: { open: inInspector, eras: ['legacy'] },
}
