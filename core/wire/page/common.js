// What the page and the panel share: elements, content, values, forms and tools. The build puts script.js or panel.js after
// it, which define request(method, params, note, signal) and call(tool, args, place, signal).
//
// Texts of a device become text nodes, never HTML.

const $ = id => document.getElementById(id)

// An element with these children; undefined ones are left out.
function make(tag, props, ...children) {
    const e = Object.assign(document.createElement(tag), props)
    e.append(...children.filter(c => c != null))
    return e
}
const json = value => JSON.stringify(value, null, 2)
const complaint = error => make('p', {className: 'bad'}, error?.message ?? error)

// ---- Content ----

const isData = value => Object(value) === value // an object or an array
const words = name => name.replaceAll('_', ' ')
const row = cells => make('tr', {}, ...cells)
const head = name => make('th', {}, words(name))
const cell = value => make('td', {}, show(value))

// An array of objects is a table with a row for each, an object one with a row for each member, anything else text.
function show(value) {
    if (!isData(value)) return value
    if (!Array.isArray(value)) return make('table', {}, ...Object.entries(value).map(([name, v]) => row([head(name), cell(v)])))
    if (!value.every(isData)) return json(value)
    const names = [...new Set(value.flatMap(Object.keys))]
    return value.length ? make('table', {}, row(names.map(head)), ...value.map(o => row(names.map(name => cell(o[name]))))) : 'none'
}
const wide = table => make('div', {className: 'wide', tabIndex: 0}, table)

function text(text) {
    let value
    try { value = JSON.parse(text) } catch { /* not JSON, shown as it is */ }
    return isData(value) ? wide(show(value)) : make('pre', {}, text)
}

// One block of a result, or one content of a resource.
function block(c, name) {
    const src = `data:${c.mimeType};base64,${c.data ?? c.blob}`
    return c.resource ? block(c.resource, c.resource.uri)
        : c.text != null ? text(c.text)
        : /^image/.test(c.mimeType) ? make('img', {src, alt: name})
        : /^audio/.test(c.mimeType) ? make('audio', {src, controls: true})
        : c.blob ? make('a', {href: src, download: name}, 'Save ' + name)
        : make('pre', {}, json(c))
}

// A resource as elements.
const read = async (uri, show = block) => (await request('resources/read', {uri})).contents.flatMap(c => show(c, uri.split('/').pop(), uri))

// A line that shows more while it is open. ontoggle() loads that, also again; only what differs is drawn.
function closed(title, detail, load) {
    let body = make('div'), busy
    const draw = async () => {
        const old = body
        body = make('div', {}, ...await load().catch(error => [complaint(error)]))
        body.isEqualNode(old) ? body = old : old.replaceWith(body)
        busy = 0
    }
    const e = make('details', {ontoggle: () => e.open && (busy ||= draw())}, make('summary', {}, title, make('small', {}, detail)), body)
    return e
}

// ---- Values of the firmware ----

const values = new Map()
let visible = true

async function addValue(r) {
    const e = closed(r.title ?? r.name, r.description, () => read(r.uri))
    values.set(r.uri, e)
    $('values').append(e)
    if (r.name == 'alarms') {
        e.role = 'alert'
        $('values').prepend(e)
    }
    e.open = true
    await e.ontoggle()
}

async function refresh() {
    for (const e of values.values()) await e.ontoggle()
}

// Reads the open values while they can be seen, every three seconds, less often if the device is slow.
async function poll() {
    const begun = Date.now()
    if (visible && !document.hidden) await refresh()
    setTimeout(poll, 3000 + 4 * (Date.now() - begun))
}

// ---- Forms ----

// A field for one property; value() is undefined where nothing was given, and throws where it is not JSON.
function field(name, s, required) {
    const choices = s.oneOf?.[0]?.const != null ? s.oneOf : (s.enum ?? (s.type == 'boolean' ? [true, false] : null))?.map(v => ({const: v, title: v === !!v ? v ? 'yes' : 'no' : v}))
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
        label: make('label', {}, s.title ?? words(name), required ? ' *' : '', e, make('small', {}, s.description)),
        value: () => e.value == '' ? undefined : choices ? choices[e.value].const : number ? +e.value : plain ? e.value : JSON.parse(e.value),
    }
}

const button = (label, onclick, props) => make('button', {type: 'button', onclick, ...props}, label)

// A form for an object; submit() gets a function that returns it. What may do harm is confirmed by a second button, elsewhere
// than the first, so that a double click does not. Frames of a host may forbid forms: then there is no submit event.
function form(schema, label, submit, harm) {
    const fields = Object.entries(schema.properties ?? 0).map(([name, s]) => [name, field(name, s, !!schema.required?.includes(name))])
    const ask = asked => {
        yes.hidden = !asked
        go.textContent = (asked ? 'No: ' : '') + label
        go.className = asked ? '' : 'do'
    }
    const act = () => {
        ask()
        submit(() => Object.fromEntries(fields.map(([name, f]) => [name, f.value()])))
    }
    const go = button('', () => {
        if (e.reportValidity()) harm ? ask(yes.hidden) : act()
        return false
    }, {type: 'submit'})
    const yes = button('Yes: ' + label, act, {className: 'do'})
    const e = make('form', {oninput: () => ask()}, ...fields.map(([, f]) => f.label), go, make('span', {role: 'status'}, yes))
    ask()
    return e
}

// A button, with its fields in a line that opens, also where one of them is missing; shows the elements that
// run(value, place, signal) returns.
function runner(title, name, about, schema, run, harm) {
    const out = make('div', {role: 'status'})
    let stop
    const cancel = button('Cancel', () => stop.abort(), {hidden: true})
    const f = form(schema, title, async value => {
        if (!cancel.hidden) return
        stop = new AbortController()
        cancel.hidden = false
        try {
            out.replaceChildren(...await run(value(), out, stop.signal))
        } catch (error) {
            out.replaceChildren(complaint(stop.signal.aborted ? 'Cancelled.' : error))
        }
        cancel.hidden = true
    }, harm)
    const labels = f.querySelectorAll('label')
    const fields = make('details', {}, make('summary', {}, 'Inputs'), ...labels)
    f.addEventListener('invalid', () => fields.open = true, true)
    f.append(cancel, make('small', {}, about), labels.length ? fields : '')
    return make('div', {className: 'tool', title: name}, f, out)
}

// ---- Tools ----

function tool(t) {
    const hints = t.annotations ?? 0
    const title = t.title ?? t.name
    return runner(title, t.name, t.description, t.inputSchema, async (args, place, signal) => {
        const {content, structuredContent, isError} = await call(t, args, place, signal)
        refresh()
        place.className = isError ? 'bad' : ''
        // The text beside structured content is the same again; images and links are not.
        return [structuredContent && wide(show(structuredContent)), ...content.map(c => structuredContent && c.text ? null : block(c, title))].filter(isData)
    }, !hints.readOnlyHint && hints.destructiveHint != false)
}
