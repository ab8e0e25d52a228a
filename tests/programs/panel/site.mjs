// site.mjs - the pages of a host of panels on one port, with /mcp passed on to a device, and its sandbox on another origin.
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'

const here = name => readFileSync(new URL(name, import.meta.url))
const HTML = { 'Content-Type': 'text/html; charset=utf-8' }

// The policy of MCP Apps for a view that asks for nothing.
const POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "media-src 'self' data:; object-src 'none'; connect-src 'none'; base-uri 'self'; frame-src 'self'"

const listen = handler => new Promise(done => {
    const server = createServer(handler).listen(0, '127.0.0.1', () => done({ origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }))
})

// Passes a request on; a host adds its own token, which the panel never sees.
function pass(device, token, req, res) {
    const { origin, referer, host, ...headers } = req.headers
    if (token) headers.authorization = 'Bearer ' + token
    const to = request(device, { method: req.method, headers }, from => {
        res.writeHead(from.statusCode, { ...from.headers, 'Access-Control-Allow-Origin': '*' })
        from.pipe(res)
    })
    to.on('error', () => res.destroy())
    res.on('close', () => to.destroy())
    req.pipe(to)
}

// device: the URL of its endpoint. page(params) is the URL of a host made from the bundle.
export async function site(device, token, bundle) {
    const host = await listen((req, res) => {
        const path = new URL(req.url, 'http://host').pathname
        if (path == '/mcp') return pass(device, token, req, res)
        if (path == '/bundle.js') return res.writeHead(200, { 'Content-Type': 'text/javascript' }).end(bundle)
        res.writeHead(path == '/' ? 200 : 404, HTML).end(path == '/' ? here('host.html') : '')
    })
    const sandbox = await listen((req, res) => res.writeHead(200, { ...HTML, 'Content-Security-Policy': POLICY }).end(here('sandbox.html')))
    return {
        mcp: host.origin + '/mcp',
        page: params => `${host.origin}/?${new URLSearchParams({ sandbox: `${sandbox.origin}/?host=${encodeURIComponent(host.origin)}`, ...params })}`,
        close: () => (host.close(), sandbox.close()),
    }
}
