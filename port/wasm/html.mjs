// html.mjs twin OUT.html PAGE MODULE IMAGE | serial OUT.html PAGE MODULE -- one HTML file with a module and the page for people, which opens from
// the disk: a simulated device, or a client for a device on a serial port, for browsers with Web Serial. PAGE is the folder page/.
//
// Its policy allows no connection to anybody: what the page fetches, the module answers.
import {readFileSync, writeFileSync} from 'node:fs'
import {gzipSync} from 'node:zlib'

const [kind, out, page, module, image] = process.argv.slice(2)
const read = name => readFileSync(`${page}/${name}`, 'utf8').replace(/^ *(\/\/.*)?\n|^ +/gm, '')
const packed = path => `await unpack('${gzipSync(readFileSync(path), {level: 9, memLevel: 6}).toString('base64')}')`
const ours = name => readFileSync(new URL(name, import.meta.url), 'utf8').replace(/^(import .*| *\/\/.*)\n|^ +|^export /gm, '')
const POLICY = `default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:`
const UNPACK = `const unpack = async text => new Uint8Array(await new Response(new Blob([Uint8Array.from(atob(text), c => c.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer())`

// A browser that downloads a file twice calls it "twin (1).html".
const TWIN = () => `const name = decodeURIComponent(location.pathname.split('/').at(-1))
const hint = 'npx skillrom serve --twin ' + (/^[\\w.-]+$/.test(name) ? name : '"' + name + '"')
const links = Links.twin(${packed(module)}, ${packed(image)})`

// A port that was allowed before is taken; a browser shows its dialogue only after a click. The page begins when the device responds.
const SERIAL = () => `${ours('serial.mjs')}
const hint = 'npx skillrom bridge PORT'
const wasm = ${packed(module)}
const $ = id => document.getElementById(id)
const add = (textContent, onclick) => $('about').append(Object.assign(document.createElement('button'), {textContent, onclick}))
const chosen = await new Promise(async done => {
    if (!navigator.serial) return $('about').append('This browser has no Web Serial: open this file in Chrome, Edge, Opera or Firefox.')
    const known = await navigator.serial.getPorts()
    if (known.length == 1) return done(known[0])
    add('Choose a serial port', () => navigator.serial.requestPort().then(done, () => {}))
    known.forEach((port, i) => add('Port ' + (i + 1), () => done(port)))
})
$('about').replaceChildren('Looking for the device ...')
const links = Links.bridge(wasm, new WebPort(chosen), {log: text => console.debug(text.trim())})
for (let turns = 0; !links.w.bridge_state(); turns++) {
    if (turns == 20) {
        $('about').append(' None responds yet: check its power and its wiring, and that no other program or tab uses the port. ')
        add('Choose another port', () => chosen.forget().finally(() => location.reload()))
    }
    await new Promise(done => setTimeout(done, 200))
}
$('about').replaceChildren('Looking for the device ...')`

const script = `<script type=module>
${ours('links.mjs')}${UNPACK}
${(kind == 'twin' ? TWIN : SERIAL)()}
globalThis.links = links
const fetch = (url, init) => links.fetch('/' + url, init)
{
${read('common.js') + read('script.js')}
}
const heading = document.querySelector('#connect h2')
heading.parentElement.replaceChildren(heading, Object.assign(document.createElement('pre'), {textContent: hint}))
document.getElementById('about').childNodes.forEach(node => node.nodeName == '#text' && node.remove()) // it was looking for the device
document.documentElement.dataset.ready = ''
</script>`
writeFileSync(out, read('index.html')
    .replace('<meta charset=utf-8>', () => `<meta charset=utf-8>\n<meta http-equiv=Content-Security-Policy content="${POLICY}">`)
    .replace('</h1>', '</h1>\n<p id=about></p>')
    .replace('<link rel=stylesheet href=style.css>', () => `<style>${read('common.css') + read('style.css')}</style>`)
    .replace('<script type=module src=script.js></script>', () => script))
