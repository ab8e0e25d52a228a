// own_server.mjs -- a server that a script starts, kills and starts again, at the same address.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Starts the command on HTTP with more words; port 0 picks one. Resolves to {url, port, kill}. */
export async function start(command, port, words) {
    const child = spawn(command[0], [...command.slice(1), '--http', `127.0.0.1:${port}`, ...words], {
        stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'close');
    let said = '';
    const url = await new Promise((found, fail) => {
        child.stderr.setEncoding('utf8').on('data', (text) => {
            said += text;
            const at = / at (http:\S+)\s/.exec(said)?.[1];
            if (at) {
                found(at);
            }
        });
        ended.then(() => fail(new Error(`the server did not start: ${said}`)));
    });
    return {
        url,
        port: new URL(url).port,
        kill: async () => {
            child.kill('SIGKILL');
            await ended;
        },
    };
}
