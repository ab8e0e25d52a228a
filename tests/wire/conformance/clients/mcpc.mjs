// mcpc.mjs -- mcpc, a client for the command line: tools, prompts and resources, and by them the skills, which it does
// not know. It keeps the connection in a process of its own, from one call to the next.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { commandLine } from './connect.mjs';

const { own, server } = commandLine('mcpc.mjs DEVICE_FOLDER', 1);
const PROGRAM = fileURLToPath(new URL('../../node_modules/@apify/mcpc/bin/mcpc', import.meta.url));
const SESSION = `@test-${process.pid}`;
const run = promisify(execFile);

/** It would wait for arguments on stdin as long as that is open. */
async function mcpc(...words) {
    const running = run(process.execPath, [PROGRAM, '--json', ...words], {
        maxBuffer: 1 << 24,
        timeout: 60000,
    });
    running.child.stdin.end();
    return JSON.parse((await running).stdout);
}

/** Fails with the exit status of mcpc, which must say why. */
async function refused(pattern, ...words) {
    const error = await mcpc(...words).then(
        () => assert.fail(`mcpc took ${words.join(' ')}`),
        (failure) => failure,
    );
    assert.match(`${error.stdout}${error.stderr}`, pattern);
}

/** mcpc gives its own process a few seconds to start; a busy machine may need longer, and that says nothing of us. */
async function connect(tries = 5) {
    try {
        return await mcpc('connect', target(), SESSION);
    } catch (failure) {
        if (tries === 1 || !String(failure.stderr).includes('socket file not created within timeout')) {
            throw failure;
        }
        return connect(tries - 1);
    }
}

/** A command is handed over in a file, as hosts have them. */
function target() {
    if (server[0].startsWith('http')) {
        return server[0];
    }
    const file = join(mkdtempSync(join(homedir(), 'mcpc-')), 'servers.json');
    const [command, ...args] = server;
    writeFileSync(file, JSON.stringify({ mcpServers: { pump: { command, args } } }));
    return `${file}:pump`;
}

const onDisk = (uri) => readFileSync(join(own[0], 'skills', uri.slice('skill://'.length)));
const contentOf = ({ text, blob }) => (text === undefined ? Buffer.from(blob, 'base64') : Buffer.from(text));

async function seeServer() {
    const device = JSON.parse(readFileSync(join(own[0], 'device.json'), 'utf8'));
    const { serverInfo, capabilities, instructions, toolNames } = await mcpc(SESSION);
    assert.equal(serverInfo.name, device.name);
    assert.equal(instructions, device.instructions);
    assert.ok(capabilities.extensions['io.modelcontextprotocol/skills'].directoryRead);
    assert.deepEqual(toolNames.slice(-3), ['list_skills', 'read_skill', 'show_panel']);
}

const digestOf = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** The index names every skill, and all files with their digests. One skill is enough: each call is a process. */
async function readSkill() {
    const index = await mcpc(SESSION, 'resources-read', 'skill://index.json');
    const { skills } = JSON.parse(index.contents[0].text);
    const skill = skills.find((entry) => entry.name === 'change-consumables');
    for (const { uri, digest } of skill.resources) {
        const bytes = contentOf((await mcpc(SESSION, 'resources-read', uri)).contents[0]);
        assert.equal(digestOf(bytes), digest, uri);
        assert.ok(bytes.equals(onDisk(uri)), uri);
    }
    await refused(/-32002/, SESSION, 'resources-read', 'skill://no/such/SKILL.md');
    return { skills, skill };
}

/** The same by tools, and as prompts. */
async function useSkills(skills, { name, url }) {
    const list = await mcpc(SESSION, 'tools-call', 'list_skills');
    const prompts = await mcpc(SESSION, 'prompts-list');
    for (const entry of skills) {
        assert.ok(list.content[0].text.includes(entry.name), `list_skills lacks ${entry.name}`);
        assert.ok(prompts.some((prompt) => prompt.name === entry.name), `no prompt ${entry.name}`);
    }
    const { content } = await mcpc(SESSION, 'tools-call', 'read_skill', JSON.stringify({ name }));
    assert.equal(content[0].text, onDisk(url).toString());
    const { messages } = await mcpc(SESSION, 'prompts-get', 'check-accuracy', 'line:="3"');
    assert.match(messages[0].content.text, /Line under test: 3\./);
}

await connect();
try {
    await seeServer();
    const { skills, skill } = await readSkill();
    await useSkills(skills, skill);
    console.log(`${skills.length} skills, ${skill.resources.length} files verified`);
} finally {
    await mcpc('close', SESSION);
}
