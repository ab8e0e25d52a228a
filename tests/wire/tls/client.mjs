// client.mjs -- requests over HTTPS, one after the other on a connection that is kept: node client.mjs PORT '[request, ...]'
import https from 'node:https';

const [port, requests] = [process.argv[2], JSON.parse(process.argv[3])];
const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
const sockets = new Set();

function exchange(message) {
    return new Promise((resolve, reject) => {
        const headers = {
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
            'MCP-Protocol-Version': '2026-07-28',
            'Mcp-Method': message.method,
        };
        if (message.params.uri) {
            headers['Mcp-Name'] = message.params.uri;
        }
        const request = https.request({ host: 'localhost', family: 4, port, path: '/mcp', method: 'POST', headers, agent }, (response) => {
            let text = '';
            response.setEncoding('utf8').on('data', (piece) => (text += piece)).on('end', () => resolve(JSON.parse(text)));
        });
        request.on('socket', (socket) => sockets.add(socket)).on('error', reject);
        request.end(JSON.stringify(message));
    });
}

try {
    const bodies = [];
    for (const message of requests) {
        bodies.push(await exchange(message));
    }
    agent.destroy();
    console.log(JSON.stringify({ connections: sockets.size, bodies }));
} catch (error) {
    console.error(error.code ?? error);
    process.exitCode = 1;
}
