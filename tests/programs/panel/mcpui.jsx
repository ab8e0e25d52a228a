// mcpui.jsx - a host of panels: AppRenderer of @mcp-ui/client, on the first generation of the official SDKs.
//
// ?sandbox=URL&theme=light|dark
import { createRoot } from 'react-dom/client'
import { AppRenderer } from '@mcp-ui/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const query = new URLSearchParams(location.search)
const state = window.state = { errors: [] }
const client = new Client({ name: 'mcp-ui-host', version: '1.0.0' }, { capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } } })
await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', location)))
const toolResult = await client.callTool({ name: 'show_panel', arguments: {} })
createRoot(document.body.appendChild(document.createElement('div'))).render(
    <AppRenderer client={client} toolName='show_panel' sandbox={{ url: new URL(query.get('sandbox')) }} toolInput={{}} toolResult={toolResult}
        hostContext={{ theme: query.get('theme') }} onSizeChanged={() => { state.shown = true }} onError={e => state.errors.push(e.message)} />)
