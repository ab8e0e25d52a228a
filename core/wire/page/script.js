// The page for people: a client of MCP 2026-07-28 for the server that it came from. Its policy does not allow HTML from strings.

const VERSION = '2026-07-28'
const PREFIX = 'io.modelcontextprotocol/'

// ---- MCP ----

let lastId = 0
let token = sessionStorage.token
let asking

// Asks for the token once, however many requests wait for it.
const askToken = () => asking ??= new Promise(done => {
    const f = form({properties: {token: {type: 'string', title: 'Access token'}}, required: ['token']}, 'Use it', value => {
        token = sessionStorage.token = value().token
        asking = f.remove()
        done()
    })
    f[0].type = 'password'
    $('name').after(f)
    f[0].focus()
})

// One request. note() gets what comes before its response; an aborted signal cancels it.
async function request(method, params, note, signal) {
    const id = ++lastId
    const headers = {'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': VERSION, 'Mcp-Method': method, 'Mcp-Name': params.name ?? params.uri ?? ''}
    if (token) headers.Authorization = 'Bearer ' + token
    const answer = await fetch('mcp', {method: 'POST', headers, signal, body: JSON.stringify({jsonrpc: '2.0', id, method, params: {...params, _meta: {
        progressToken: id,
        [PREFIX + 'protocolVersion']: VERSION,
        [PREFIX + 'clientCapabilities']: {elicitation: {form: {}, url: {}}},
    }}})})
    if (answer.status == 401) return await askToken(), request(method, params, note, signal)
    // JSON is one line; so is every message in a stream of events.
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = '', part, message = {error: 'HTTP ' + answer.status}
    do {
        part = await reader.read()
        const lines = (rest + (part.value ?? '\n')).split('\n')
        rest = lines.pop()
        for (const line of lines) {
            const found = /^(data: )?({.*)/.exec(line)
            if (!found) continue
            message = JSON.parse(found[2])
            if (message.method) note?.(message.params)
        }
    } while (!part.done)
    if (message.result) return message.result
    throw message.error
}

// Shows every item of a list, page by page.
async function each(method, key, show) {
    let list
    do {
        list = await request(method, {cursor: list?.nextCursor})
        for (const item of list[key]) await show(item)
    } while (list.nextCursor)
}

// ---- Markdown, as much of it as manuals use ----

const files = new Map()

function link(text, target, base) {
    if (/^https?:/.test(target)) return make('a', {href: target, target: '_blank', rel: 'noreferrer'}, text)
    const file = URL.canParse(target, base) && files.get(new URL(target, base).href.split('#')[0])
    return file ? make('a', {href: '#', onclick() {
        file.open = true
        file.firstChild.focus()
        return false
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
            add()
            out.push(wide(make('table', {}, ...rows.map((line, n) => row(line.trim().replace(/^\||\|$/g, '').split('|').map(text => make(n ? 'td' : 'th', {}, ...inline(text.trim(), base))))))))
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

// The content of a manual, without its front matter.
const page = (c, name, uri) => /markdown/.test(c.mimeType) ? markdown(c.text.replace(/^---\n[^]*?\n---\n/, '').split(/\r?\n/), uri) : block(c, name)

// ---- Tools ----

// Shows the questions of a tool one by one; resolves with the replies.
async function ask(place, questions) {
    const replies = {}
    for (const [key, {params}] of Object.entries(questions)) {
        replies[key] = await new Promise(done => {
            const f = form(params.requestedSchema ?? 0, 'Answer', content => done({action: 'accept', content: params.url ? undefined : content()}))
            f.prepend(make('p', {}, params.message, ' ', link(params.url, params.url)))
            f.append(button('Decline', () => done({action: 'decline'})))
            place.replaceChildren(f)
            f[0].focus()
        })
    }
    return replies
}

async function call({name, title}, args, place, signal) {
    for (let r, more; ; more = {requestState: r.requestState, inputResponses: await ask(place, r.inputRequests)}) {
        const bar = make('progress', {ariaLabel: title ?? name})
        const state = make('small')
        place.replaceChildren(bar, state)
        r = await request('tools/call', {name, arguments: args, ...more}, p => {
            Object.assign(bar, {max: p.total ?? 1, value: p.progress})
            state.textContent = p.message ?? ''
        }, signal)
        if (!r.inputRequests) return r
    }
}

// ---- Values ----

function template({uriTemplate, title, name, description}) {
    const required = [...uriTemplate.matchAll(/{(\w+)}/g)].map(m => m[1])
    return runner(title ?? name, uriTemplate, description, {required, properties: Object.fromEntries(required.map(n => [n, {type: 'string'}]))},
        args => read(uriTemplate.replace(/{(\w+)}/g, (m, n) => encodeURIComponent(args[n]))))
}

// Open values are read again when the device says that they have changed, or are polled if it cannot.
async function follow(notified) {
    if (notified) await request('subscriptions/listen', {notifications: {resourceSubscriptions: [...values.keys()]}}, p => values.get(p.uri)?.ontoggle()).catch(() => {})
    poll()
}

// ---- The page ----

function skill(s) {
    const list = (s.resources ?? []).filter(r => r.uri != s.uri).map(r => {
        const e = closed(r.uri.replace(s.uri.replace('SKILL.md', ''), ''), r.size + ' bytes', () => read(r.uri, page))
        files.set(r.uri, e)
        return e
    })
    return closed(s.frontmatter.name, s.frontmatter.description, async () => [...await read(s.uri, page), ...list])
}

function connect(name) {
    const url = new URL('mcp', location)
    const headers = token && {Authorization: 'Bearer TOKEN'}
    return [
        ['Claude Code', `claude mcp add --transport http ${name} ${url}` + (token ? ' --header "Authorization: Bearer TOKEN"' : '')],
        ['VS Code: .vscode/mcp.json', json({servers: {[name]: {type: 'http', url, headers}}})],
        ['Cursor: .cursor/mcp.json', json({mcpServers: {[name]: {url, headers}}})],
    ].flatMap(([title, text]) => [make('h3', {}, title), make('pre', {}, text)])
}

try {
    const {instructions, capabilities, _meta} = await request('server/discover', {})
    const {name, title = name} = _meta[PREFIX + 'serverInfo']
    document.title = $('name').textContent = title
    await each('resources/list', 'resources', r => /^(skill|ui):/.test(r.uri) || addValue(r))
    await each('tools/list', 'tools', t => /^(show_panel|list_skills|read_skill)$/.test(t.name) || $('tools').append(tool(t)))
    await each('resources/templates/list', 'resourceTemplates', t => /^skill:/.test(t.uriTemplate) || $('tools').append(template(t)))
    await each('skills/list', 'skills', s => $('skills').append(skill(s)))
    $('skills').append(make('details', {}, make('summary', {}, 'For agents'), instructions))
    $('connect').append(...connect(name.replace(/[^\w-]+/g, '-')))
    follow(capabilities.resources?.subscribe)
} catch (error) {
    $('name').after(complaint(error))
}
