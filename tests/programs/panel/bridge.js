// bridge.js - a host of panels: the AppBridge of the official SDK over a client of the official SDK, as a chat without a model.
//
// ?sandbox=URL&era=modern|legacy&theme=light|dark&can=all|none. Calls show_panel as a model would, and shows its panel.
import { AppBridge, PostMessageTransport, getToolUiResourceUri, isToolVisibilityAppOnly } from '@modelcontextprotocol/ext-apps/app-bridge'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const query = new URLSearchParams(location.search)
const theme = query.get('theme')
const log = window.log = []          // what the panel sent, for the test to look at
const state = window.state = { heights: [], contexts: [] }

// A host's style, as one sends it; the light theme leaves all of it to the panel.
const STYLE = {
    '--color-background-primary': 'light-dark(#ffffff, #262624)', '--color-text-primary': 'light-dark(#141413, #faf9f5)',
    '--color-text-secondary': 'light-dark(#3d3d3a, #c2c0b6)', '--font-sans': 'Georgia, serif',
}
const CAPABILITIES = { serverTools: {}, serverResources: {}, logging: {}, openLinks: {}, updateModelContext: { text: {} } }

const client = new Client({ name: 'test-host', version: '1.0.0' }, {
    capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } },
    versionNegotiation: { mode: query.get('era') == 'modern' ? { pin: '2026-07-28' } : 'legacy' },
})
await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', location)))
state.server = client.getServerCapabilities()
const { tools } = await client.listTools()
state.modelTools = tools.filter(t => !isToolVisibilityAppOnly(t)).map(t => t.name)

const tool = tools.find(t => t.name == 'show_panel')
const uri = state.uri = getToolUiResourceUri(tool)
const { contents: [content] } = await client.readResource({ uri })
Object.assign(state, { mimeType: content.mimeType, meta: content._meta?.ui, bytes: content.text.length })

const frame = document.createElement('iframe')
frame.title = 'Panel'
frame.setAttribute('sandbox', 'allow-scripts allow-same-origin')
document.body.append(frame)

const hostContext = { theme, locale: 'en', displayMode: 'inline', containerDimensions: { maxHeight: 3000 }, toolInfo: { id: 1, tool }, styles: { variables: theme == 'dark' ? STYLE : {} } }
const bridge = window.bridge = new AppBridge(client, { name: 'test-host', version: '1.0.0' }, query.get('can') == 'none' ? {} : CAPABILITIES, { hostContext })
window.restyle = change => bridge.setHostContext({ ...hostContext, ...change })
addEventListener('message', e => e.data?.method && log.push(e.data))
bridge.addEventListener('sizechange', ({ height }) => {
    state.heights.push(height)
    frame.style.height = height + 'px'
})
bridge.onupdatemodelcontext = async p => (state.contexts.push(p), {})
bridge.addEventListener('initialized', async () => {
    await bridge.sendToolInput({ arguments: {} })
    state.result = await client.callTool({ name: tool.name, arguments: {} })
    await bridge.sendToolResult(state.result)
    state.shown = true
})
bridge.addEventListener('sandboxready', () => bridge.sendSandboxResourceReady({ html: content.text }))
await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
frame.src = query.get('sandbox')
