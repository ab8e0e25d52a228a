// command.mjs -- run a node script to its end and keep what it wrote.
import { spawn } from 'node:child_process';

import { scratchFolder } from './places.mjs';

const PATIENCE_MS = 180000;

// The Inspector keeps a catalogue in the home directory; it shall not be the user's.
const HOME = scratchFolder('home');

/** Runs a script with this node; resolves to {code, output, stderr}, code -1 when it did not end in time. */
export function node(script, words) {
    return new Promise((done, fail) => {
        const child = spawn(process.execPath, [script, ...words], {
            stdio: ['ignore', 'pipe', 'pipe'],
            env: { ...process.env, HOME, NO_COLOR: '1' },
        });
        const heard = { stdout: '', stderr: '' };
        for (const stream of ['stdout', 'stderr']) {
            child[stream].setEncoding('utf8').on('data', (text) => (heard[stream] += text));
        }
        const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
        child.on('error', fail);
        child.on('close', (code) => {
            clearTimeout(timer);
            done({ code: code ?? -1, ...heard });
        });
    });
}
