// skills.mjs -- the v2 SDK's own client of the skills extension. It verifies every entry and every file it
// reads; here it reads all of them, and every directory of every skill.
import assert from 'node:assert/strict';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';

import { commandLine, connectV2 } from './connect.mjs';
import { speakOlderDialects } from './older.mjs';

const { own, server } = commandLine('skills.mjs auto|legacy|VERSION DEVICE_FOLDER', 2);
const link = await connectV2(server, own[0]);
const client = new SkillsClient(link.client);
assert.ok(client.supported && client.directoryRead);

async function readDirectories(uri, found) {
    const { resources } = await client.readDirectory(uri);
    for (const child of resources) {
        if (child.mimeType === 'inode/directory') {
            await readDirectories(child.uri, found);
        } else {
            found.push(child.uri);
        }
    }
    return found;
}

const { skills, invalid } = await client.list();
assert.deepEqual(invalid, []);
assert.ok(skills.length > 0);
let files = 0;
for (const entry of skills) {
    const { skill } = await client.get(entry.uri);
    assert.deepEqual(skill, entry);
    await speakOlderDialects(link, entry);
    for (const { uri } of entry.resources) {
        const file = await client.read(skill, uri);
        assert.equal(file.verified, true, uri);
        files++;
    }
    const listed = entry.resources.map((resource) => resource.uri).sort();
    assert.deepEqual((await readDirectories(entry.uri.replace(/\/SKILL\.md$/, ''), [])).sort(), listed);
}
await link.close();
console.log(`${link.version}: ${skills.length} skills, ${files} files verified`);
