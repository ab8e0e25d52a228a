// server.mjs -- a device under test: how to start it on either wire, and what it said on stderr.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

import { SANITIZER_OPTIONS } from './sanitizer.mjs';

const PATIENCE_MS = 60000;

export class Device {
    constructor(name, program, image, folder) {
        this.name = name;
        this.folder = resolve(folder);
        // Through env, because some clients do not hand their environment on.
        this.command = ['/usr/bin/env', ...SANITIZER_OPTIONS, resolve(program), resolve(image)];
    }

    /** False for a board: it serves HTTP only. */
    get hasStdio() {
        return true;
    }

    /** Words that start it on HTTP, on a free port. */
    get httpCommand() {
        return [...this.command, '--http', '127.0.0.1:0'];
    }

    /** Serves HTTP on a free port; this.url is where. */
    async serve() {
        this.child = spawn(this.httpCommand[0], this.httpCommand.slice(1), {
            stdio: ['ignore', 'ignore', 'pipe'],
        });
        this.said = '';
        this.ended = once(this.child, 'close');
        const ready = new Promise((found) => {
            this.child.stderr.setEncoding('utf8').on('data', (text) => {
                this.said += text;
                this.url ??= /serving .* at (https?:\S+)\s/.exec(this.said)?.[1];
                if (this.url) {
                    found();
                }
            });
        });
        await within(Promise.race([ready, this.ended]), `${this.name} says where it serves`);
        if (!this.url) {
            throw new Error(`the ${this.name} device did not start: ${this.said.trim()}`);
        }
    }

    /** Asks the server to end; throws unless it does so with exit code 0. */
    async end() {
        if (this.child.exitCode !== null || this.child.signalCode !== null) {
            throw new Error(
                `ended unasked with ${this.child.signalCode ?? this.child.exitCode}: ${this.said.trim()}`,
            );
        }
        this.child.kill('SIGTERM');
        const [code, signal] = await within(this.ended, `${this.name} ends`);
        if (code !== 0) {
            throw new Error(`ended with ${signal ?? `exit code ${code}`}: ${this.said.trim()}`);
        }
    }

    kill() {
        if (this.child && this.child.exitCode === null && this.child.signalCode === null) {
            this.child.kill('SIGKILL');
        }
    }
}

/** A firmware with Ethernet in its emulator; build is its folder below build/. */
export class Board extends Device {
    constructor(name, build, elf, image, folder) {
        super(name, `build/${build}/${elf}`, image, folder);
        this.words = [resolve('tests/boards/net/boot'), build, resolve(`build/${build}/${elf}`), resolve(image)];
    }

    get hasStdio() {
        return false;
    }

    get httpCommand() {
        return this.words;
    }
}

function within(promise, what) {
    let timer;
    const late = new Promise((_, fail) => {
        timer = setTimeout(
            () => fail(new Error(`waited ${PATIENCE_MS / 1000} s until ${what}`)),
            PATIENCE_MS,
        );
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
