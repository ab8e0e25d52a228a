// ext_skills.mjs -- the client half of @olaservo/ext-skills over a v2 SDK client: verified reads of every file,
// limits, directory walks, and the catalogue that a host puts into its prompt.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ext from '@olaservo/ext-skills/client';

import { commandLine, connectV2 } from './connect.mjs';
import { speakOlderDialects } from './older.mjs';

const { own, server } = commandLine('ext_skills.mjs auto|legacy|VERSION DEVICE_FOLDER', 2);
const link = await connectV2(server, own[0]);
const { client } = link;
assert.equal(ext.serverSupportsSkills(client), true);
assert.equal(ext.serverSupportsDirectoryRead(client), true);

const onDisk = (uri) => readFileSync(join(own[1], 'skills', uri.slice('skill://'.length)));

async function readFiles(entry) {
    for (const { uri } of ext.manifestOf(entry)) {
        const { text, blob } = await ext.readSkillResource(client, entry, uri);
        const bytes = text === undefined ? Buffer.from(blob, 'base64') : Buffer.from(text, 'utf8');
        assert.ok(bytes.equals(onDisk(uri)), uri);
    }
    return ext.manifestOf(entry).length;
}

const { skills, catalog } = await ext.discoverAndBuildCatalog(client, { serverName: 'pump' });
assert.ok(skills.length > 0);
assert.deepEqual(skills, await ext.listSkills(client));
let files = 0;
for (const entry of skills) {
    assert.ok(catalog.includes(entry.uri), `${entry.uri} is not in the catalogue`);
    assert.deepEqual(await ext.getSkill(client, entry.uri), entry);
    assert.ok(ext.checkSkillLimits(entry).withinLimits);
    await speakOlderDialects(link, entry);
    assert.equal(await ext.readSkill(client, entry), onDisk(entry.uri).toString());
    files += await readFiles(entry);
    const walked = await ext.walkDirectory(client, entry.uri.replace(/\/SKILL\.md$/, ''));
    const listed = ext.manifestOf(entry).map((resource) => resource.uri);
    assert.deepEqual(walked.map((child) => child.uri).sort(), listed.sort());
}
await assert.rejects(ext.getSkill(client, 'skill://no/such/SKILL.md'), { code: -32602 });
await link.close();
console.log(`${link.version}: ${skills.length} skills, ${files} files verified`);
