// The panel in a chat: a view of MCP Apps 2026-01-26, in a frame of a host that passes requests on to the device. {{device}}
// holds what the panel shows, because hosts do not pass tools/list on.

const device = JSON.parse($('device').textContent)

// ---- JSON-RPC with the host ----

const waiting = {}
let lastId = 0
let can = 0 // hostCapabilities

const send = message => parent.postMessage({jsonrpc: '2.0', ...message}, '*')

function request(method, params, note, signal) {
    const id = ++lastId
    send({id, method, params})
    return new Promise((done, fail) => {
        waiting[id] = ({result, error}) => result ? done(result) : fail(error)
        signal?.addEventListener('abort', () => {
            send({method: 'notifications/cancelled', params: {requestId: id}})
            fail()
        })
    })
}

addEventListener('message', ({source, data}) => {
    if (source != parent || !data?.jsonrpc) return
    const {id, method, params} = data
    if (!method) {
        waiting[id]?.(data)
        delete waiting[id]
    }
    if (/context-changed$/.test(method)) dress(params)
    if (/result$/.test(method) && !can.serverResources) $('values').replaceChildren(...params.content.map(c => block(c, '')))
    if (/teardown$/.test(method)) values.clear()
    if (method && id != null) send(/ping|teardown$/.test(method) ? {id, result: {}} : {id, error: {code: -32601, message: method}})
})

// ---- The host's appearance ----

const root = document.documentElement

function dress({theme, styles}) {
    if (theme) root.style.colorScheme = theme
    for (const [name, value] of Object.entries(styles?.variables ?? 0)) if (value) root.style.setProperty(name, value)
}

// ---- Tools ----

// Tells the model what the person did, where the host has a place for it.
async function call({name}, args, place, signal) {
    const result = await request('tools/call', {name, arguments: args}, null, signal)
    if (can.updateModelContext) request('ui/update-model-context', {content: [{type: 'text', text: `The user ran ${name} ${JSON.stringify(args)}: ${result.content.map(c => c.text ?? c.type).join('\n')}`}]}).catch(() => {})
    return result
}

// ---- Start ----

$('name').textContent = document.title = device.title
const {hostCapabilities, hostContext} = await request('ui/initialize', {protocolVersion: '2026-01-26', appInfo: {name: device.name, version: device.version}, appCapabilities: {}})
can = hostCapabilities ?? 0
dress(hostContext ?? 0)
$('tools').append(...can.serverTools ? device.tools.map(tool) : ['This host runs no tools.'])
send({method: 'ui/notifications/initialized'})
new ResizeObserver(() => send({method: 'ui/notifications/size-changed', params: {height: root.offsetHeight + 1}})).observe(root)
// A frame that is scrolled out of sight is not hidden.
new IntersectionObserver(seen => visible = seen.pop().isIntersecting).observe(document.body)
if (can.serverResources) for (const r of device.resources) await addValue(r)
poll()
