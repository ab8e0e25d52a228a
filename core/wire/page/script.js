// The page for people: a client of MCP 2026-07-28 for the server that it came from.
//
// Whatever a device says becomes text of an element, never HTML; the page's policy would not allow that either.

const VERSION = '2026-07-28'
const PREFIX = 'io.modelcontextprotocol/'
const $ = id => document.getElementById(id)

// An element with these children; what is undefined is left out.
function make(tag, props, ...children) {
    const e = Object.assign(document.createElement(tag), props)
    e.append(...children.filter(c => c != null))
    return e
}
const json = value => JSON.stringify(value, null, 2)
const complaint = error => make('p', {className: 'bad'}, error.message ?? error)

// ---- MCP ----

let lastId = 0
let token = sessionStorage.token
let asking

// Asks for the token once, however many requests wait for it.
const askToken = () => asking ??= new Promise(done => {
    const f = form({properties: {token: {type: 'string', title: 'Access token'}}, required: ['token']}, 'Use it', value => {
        token = sessionStorage.token = value.token
        asking = f.remove()
        done()
    })
    f.elements[0].type = 'password'
    $('name').after(f)
    f.elements[0].focus()
})

// One request. note() gets what comes before its answer; an aborted signal cancels it.
async function rpc(method, params, note, signal) {
    const id = ++lastId
    const headers = {'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': VERSION, 'Mcp-Method': method, 'Mcp-Name': params.name ?? params.uri ?? ''}
    if (token) headers.Authorization = 'Bearer ' + token
    const answer = await fetch('mcp', {method: 'POST', headers, signal, body: JSON.stringify({jsonrpc: '2.0', id, method, params: {...params, _meta: {
        progressToken: id,
        [PREFIX + 'protocolVersion']: VERSION,
        [PREFIX + 'clientCapabilities']: {elicitation: {form: {}, url: {}}},
    }}})})
    if (answer.status == 401) return await askToken(), rpc(method, params, note, signal)
    // JSON is one line; so is every message in a stream of events.
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = '', part, message = {error: 'HTTP ' + answer.status}
    do {
        part = await reader.read()
        const lines = (rest + (part.value ?? '\n')).split('\n')
        rest = lines.pop()
        for (const line of lines) {
            if (!/^(data: )?{/.test(line)) continue
            message = JSON.parse(line.replace(/^data: /, ''))
            if (message.method) note?.(message.params)
        }
    } while (!part.done)
    if (message.result) return message.result
    throw message.error
}

// Every item of a list, page by page.
async function all(method, key) {
    const items = []
    let cursor
    do {
        const page = await rpc(method, {cursor})
        items.push(...page[key])
        cursor = page.nextCursor
    } while (cursor)
    return items
}

// ---- Markdown, as much of it as manuals use ----

const files = new Map()

function link(text, target, base) {
    if (/^https?:/.test(target)) return make('a', {href: target, target: '_blank', rel: 'noreferrer'}, text)
    const file = URL.canParse(target, base) && files.get(new URL(target, base).href.split('#')[0])
    return file ? make('a', {href: '#', onclick(event) {
        event.preventDefault()
        file.open = true
        file.firstChild.focus()
    }}, text) : text
}

function inline(text, base) {
    const out = []
    let from = 0
    for (const m of text.matchAll(/`+(.+?)`+|\*\*(.+?)\*\*|\*(\S[^*]*)\*|!?\[([^\]]*)\]\(([^)\s]+)\)/g)) {
        out.push(text.slice(from, m.index), m[1] ? make('code', {}, m[1]) : m[5] ? link(m[4], m[5], base) : make(m[2] ? 'b' : 'i', {}, ...inline(m[2] ?? m[3], base)))
        from = m.index + m[0].length
    }
    return [...out, text.slice(from)]
}

function markdown(lines, base) {
    const out = []
    let words = []
    const add = (tag, props, children) => {
        if (words.length) out.push(make('p', {}, ...inline(words.join('\n'), base)))
        words = []
        if (tag) out.push(make(tag, props, ...children))
    }
    for (let i = 0, m; i < lines.length; i++) {
        const line = lines[i]
        const more = test => {
            const got = []
            while (i + 1 < lines.length && test(lines[i + 1])) got.push(lines[++i])
            return got
        }
        if (m = /^ *```/.exec(line)) {
            add('pre', {}, [more(l => !/^ *```/.test(l)).join('\n')])
            i++
        } else if (m = /^(#+) (.*)/.exec(line)) {
            add('h' + Math.min(6, m[1].length + 2), {}, inline(m[2], base))
        } else if (m = /^( *)([-*+]|(\d+)[.)]) +/.exec(line)) {
            const item = [line.slice(m[0].length), ...more(l => !l.trim() || l.search(/\S/) > m[1].length).map(l => l.slice(Math.min(m[0].length, Math.max(0, l.search(/\S/)))))]
            const kind = m[3] ? 'OL' : 'UL'
            add()
            if (out.at(-1)?.tagName != kind) add(kind, {}, [])
            out.at(-1).append(make('li', {}, ...markdown(item, base)))
        } else if (/^[ |:]*--[ |:-]*$/.test(lines[i + 1])) {
            const rows = [line, ...more(l => /\|/.test(l))].filter((row, n) => n != 1)
            add('div', {className: 'wide', tabIndex: 0}, [make('table', {}, ...rows.map((row, n) => make('tr', {}, ...row.trim().replace(/^\||\|$/g, '').split('|').map(cell => make(n ? 'td' : 'th', {}, ...inline(cell.trim(), base))))))])
        } else if (/^>/.test(line)) {
            add('blockquote', {}, markdown([line, ...more(l => /^>/.test(l))].map(l => l.replace(/^> ?/, '')), base))
        } else if (line.trim()) {
            words.push(line)
        } else {
            add()
        }
    }
    add()
    return out
}

// ---- Content ----

// One block of a result, or one content of a resource.
function block(c, name) {
    const src = `data:${c.mimeType};base64,${c.data ?? c.blob}`
    return c.resource ? block(c.resource, c.resource.uri)
        : c.text != null ? make('pre', {}, /json/.test(c.mimeType) ? json(JSON.parse(c.text)) : c.text)
        : /^image/.test(c.mimeType) ? make('img', {src, alt: name})
        : /^audio/.test(c.mimeType) ? make('audio', {src, controls: true})
        : c.blob ? make('a', {href: src, download: name}, 'Save ' + name)
        : make('pre', {}, json(c))
}

async function read(uri) {
    const {contents} = await rpc('resources/read', {uri})
    return contents.flatMap(c => /markdown/.test(c.mimeType) ? markdown(c.text.replace(/^---\n[^]*?\n---\n/, '').split(/\r?\n/), uri) : block(c, uri.split('/').pop()))
}

// A line that shows more when it is opened; load() makes it then, and again when it is told to.
function closed(title, detail, load) {
    const body = make('div')
    const e = make('details', {async ontoggle() {
        if (e.open) body.replaceChildren(...await load().catch(error => [complaint(error)]))
    }}, make('summary', {}, title, make('small', {}, detail)), body)
    return e
}

// ---- Forms ----

// A field for one property; value() is undefined where nothing was given.
function field(name, s, required) {
    const choices = s.enum?.map(v => ({const: v})) ?? s.oneOf ?? (s.type == 'boolean' && [{const: true, title: 'yes'}, {const: false, title: 'no'}])
    const number = /r$/.test(s.type) // integer, number
    const plain = number || s.type == 'string'
    const e = make(choices ? 'select' : plain ? 'input' : 'textarea', {required})
    if (choices) {
        e.append(make('option', {value: ''}), ...choices.map((c, i) => make('option', {value: i, selected: c.const === s.default}, c.title ?? c.const)))
    } else {
        if (number) Object.assign(e, {type: 'number', min: s.minimum, max: s.maximum, step: s.type == 'number' ? 'any' : 1})
        if (s.maxLength) e.maxLength = s.maxLength
        if (!plain) e.placeholder = 'JSON'
        if (s.default != null) e.value = plain ? s.default : json(s.default)
    }
    return {
        label: make('label', {}, (s.title ?? name) + (required ? ' *' : ''), e, make('small', {}, s.description)),
        value: () => e.value == '' ? undefined : choices ? choices[e.value].const : s.type == 'string' ? e.value : JSON.parse(e.value),
    }
}

// A form for an object; submit() gets its value.
function form(schema, label, submit) {
    const fields = Object.entries(schema.properties ?? 0).map(([name, s]) => [name, field(name, s, !!schema.required?.includes(name))])
    const e = make('form', {async onsubmit(event) {
        event.preventDefault()
        try {
            await submit(Object.fromEntries(fields.map(([name, f]) => [name, f.value()])))
        } catch (error) {
            e.append(complaint(error))
        }
    }}, ...fields.map(([, f]) => f.label), make('button', {className: 'do'}, label))
    return e
}

// A form that runs something and shows what comes of it: run(value, place, signal) returns elements.
function runner(title, detail, about, schema, label, run) {
    const out = make('div', {role: 'status'})
    const cancel = make('button', {type: 'button', hidden: true}, 'Cancel')
    const f = form(schema, label, async value => {
        if (!cancel.hidden) return
        const stop = new AbortController()
        cancel.onclick = () => stop.abort()
        cancel.hidden = false
        try {
            out.replaceChildren(...await run(value, out, stop.signal))
        } catch (error) {
            out.replaceChildren(complaint(stop.signal.aborted ? 'Cancelled.' : error))
        }
        cancel.hidden = true
    })
    f.append(cancel)
    return make('details', {}, make('summary', {}, title, make('small', {}, detail)), make('p', {}, about), f, out)
}

// ---- Tools ----

// Shows the questions of a tool one by one; resolves with the replies.
async function ask(place, questions) {
    const replies = {}
    for (const [key, {params}] of Object.entries(questions)) {
        replies[key] = await new Promise(done => {
            const f = form(params.requestedSchema ?? 0, 'Answer', content => done({action: 'accept', content: params.url ? undefined : content}))
            f.prepend(make('p', {}, params.message, ' ', link(params.url, params.url)))
            f.append(make('button', {type: 'button', onclick: () => done({action: 'decline'})}, 'Decline'))
            place.replaceChildren(f)
            f.elements[0].focus()
        })
    }
    return replies
}

function tool(t) {
    const hints = t.annotations ?? 0
    const title = t.title ?? t.name
    const harmless = hints.readOnlyHint || hints.destructiveHint == false
    return runner(title, t.name + (hints.readOnlyHint ? ': only reads' : harmless ? '' : ': asks before it runs'), t.description, t.inputSchema, 'Run', async (args, place, signal) => {
        if (!harmless && !confirm(`${title}?\n${json(args)}`)) return []
        for (let r, more = {}; ; more = {requestState: r.requestState, inputResponses: await ask(place, r.inputRequests)}) {
            const bar = make('progress', {ariaLabel: title})
            const state = make('small')
            place.replaceChildren(bar, state)
            r = await rpc('tools/call', {name: t.name, arguments: args, ...more}, p => {
                Object.assign(bar, {max: p.total ?? 1, value: p.progress})
                state.textContent = p.message ?? ''
            }, signal)
            if (r.inputRequests) continue
            place.className = r.isError ? 'bad' : ''
            const data = r.structuredContent // its text is the same again; images and links are not
            return [data ? make('pre', {}, json(data)) : '', ...r.content.map(c => data && c.text ? '' : block(c, title))]
        }
    })
}

// ---- Values of the firmware ----

const values = new Map()

function value(r) {
    const e = closed(r.title ?? r.name, r.description, () => read(r.uri))
    values.set(r.uri, e)
    return e
}

const template = t => runner(t.title ?? t.name, t.description, null, {
    properties: Object.fromEntries([...t.uriTemplate.matchAll(/{(\w+)}/g)].map(m => [m[1], {type: 'string'}])),
}, 'Read', args => read(t.uriTemplate.replace(/{(\w+)}/g, (m, name) => encodeURIComponent(args[name]))))

// Open values are read again when the device says that they have changed, and every three seconds if it cannot say so.
async function follow(tells) {
    if (tells) await rpc('subscriptions/listen', {notifications: {resourceSubscriptions: [...values.keys()]}}, p => values.get(p.uri)?.ontoggle()).catch(() => {})
    setInterval(() => values.forEach(e => document.hidden || e.ontoggle()), 3000)
}

// ---- The page ----

function skill(s) {
    const list = (s.resources ?? []).filter(r => r.uri != s.uri).map(r => {
        const e = closed(r.uri.replace(s.uri.replace('SKILL.md', ''), ''), r.size + ' bytes', () => read(r.uri))
        files.set(r.uri, e)
        return e
    })
    return closed(s.frontmatter.name, s.frontmatter.description, async () => [...await read(s.uri), ...list])
}

function connect(name) {
    const url = new URL('mcp', location).href
    const headers = token && {Authorization: 'Bearer TOKEN'}
    return [
        ['Claude Code', `claude mcp add --transport http ${name} ${url}` + (token ? ' --header "Authorization: Bearer TOKEN"' : '')],
        ['VS Code: .vscode/mcp.json', json({servers: {[name]: {type: 'http', url, headers}}})],
        ['Cursor: .cursor/mcp.json', json({mcpServers: {[name]: {url, headers}}})],
    ].flatMap(([title, text]) => [make('h3', {}, title), make('pre', {}, text)])
}

async function fill(id, method, key, show) {
    const items = (await all(method, key)).filter(r => id != 'values' || !/^skill:/.test(r.uri ?? r.uriTemplate))
    $(id).append(...items.map(show))
}

try {
    const {instructions, capabilities, _meta} = await rpc('server/discover', {})
    const {name} = _meta[PREFIX + 'serverInfo']
    document.title = $('name').textContent = name
    $('about').textContent = instructions ?? ''
    $('connect').append(...connect(name.replace(/[^\w-]+/g, '-')))
    await fill('skills', 'skills/list', 'skills', skill)
    await fill('tools', 'tools/list', 'tools', tool)
    await fill('values', 'resources/list', 'resources', value)
    await fill('values', 'resources/templates/list', 'resourceTemplates', template)
    follow(capabilities.resources?.subscribe)
} catch (error) {
    $('about').append(complaint(error))
}
