// walk.mjs -- compares everything a server serves as skills with the folder it was packed from. Suites and
// clients check what they are told; only this notices a file that is served but not listed, listed but not
// on the disk, on the disk but not listed, or served with a byte changed.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { allPages, commandLine, connectV2 } from './connect.mjs';

const { own, server } = commandLine('walk.mjs auto|legacy|VERSION DEVICE_FOLDER', 2);
const link = await connectV2(server, own[0]);
const root = join(own[1], 'skills');
const modern = link.version >= '2026-07-28';

const uriOf = (path) => `skill://${path.split('/').map(encodeURIComponent).join('/')}`;
const digestOf = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
// Early drafts of the extension have an index of all skills; it is made, not packed, and always there.
const INDEX = 'skill://index.json';
const byUri = (a, b) => (a.uri < b.uri ? -1 : 1);

// The disk: each directory's children, and each file's bytes, by path below skills/.
const directories = new Map();
const files = new Map();
function scan(path) {
    const children = readdirSync(join(root, path), { withFileTypes: true });
    directories.set(path, children);
    for (const child of children) {
        const below = path === '' ? child.name : `${path}/${child.name}`;
        if (child.isDirectory()) {
            scan(below);
        } else {
            files.set(below, readFileSync(join(root, below)));
        }
    }
}
scan('');
const skills = [...files.keys()]
    .filter((path) => path.endsWith('/SKILL.md'))
    .map((path) => path.slice(0, -'/SKILL.md'.length));
assert.ok(skills.length > 0, `no skills in ${root}`);

/** Modern results say how long they keep, legacy ones must not. */
async function exchange(method, params) {
    const result = await link.exchange(method, params);
    assert.equal(Number.isInteger(result.ttlMs), modern, `${method}: ttlMs ${result.ttlMs}`);
    assert.equal(
        /^(public|private)$/.test(result.cacheScope),
        modern,
        `${method}: cacheScope ${result.cacheScope}`,
    );
    return result;
}

async function checkEntries() {
    const entries = await allPages((page) => exchange('skills/list', page), 'skills');
    assert.deepEqual(
        entries.map((entry) => entry.uri).sort(),
        skills.map((path) => uriOf(`${path}/SKILL.md`)).sort(),
    );
    for (const entry of entries) {
        const { skill } = await exchange('skills/get', { uri: entry.uri });
        assert.deepEqual(skill, entry);
        const folder = skills.find((path) => uriOf(`${path}/SKILL.md`) === entry.uri);
        const expected = [...files]
            .filter(([path]) => path.startsWith(`${folder}/`))
            .map(([path, bytes]) => ({
                uri: uriOf(path),
                digest: digestOf(bytes),
                size: bytes.length,
            }));
        assert.deepEqual([...entry.resources].sort(byUri), expected.sort(byUri));
    }
}

async function checkFiles() {
    for (const [path, bytes] of files) {
        const { contents } = await exchange('resources/read', { uri: uriOf(path) });
        assert.equal(contents.length, 1);
        const [{ uri, mimeType, text, blob }] = contents;
        assert.equal(uri, uriOf(path));
        assert.ok(mimeType, `${path} has no media type`);
        assert.notEqual(text === undefined, blob === undefined, `${path}: text or blob`);
        const served = text === undefined ? Buffer.from(blob, 'base64') : Buffer.from(text, 'utf8');
        assert.ok(
            served.equals(bytes),
            `${path}: ${served.length} bytes served differ from ${bytes.length} on the disk`,
        );
        if (blob !== undefined) {
            assert.equal(blob, bytes.toString('base64'), `${path}: base64 is not canonical`);
        }
    }
}

async function checkDirectories() {
    for (const [path, children] of directories) {
        const expected = children.map((child) => {
            const below = path === '' ? child.name : `${path}/${child.name}`;
            return {
                uri: uriOf(below),
                name: child.name,
                size: files.get(below)?.length,
                directory: child.isDirectory(),
            };
        });
        const uri = path === '' ? 'skill://' : uriOf(path);
        if (path === '') {
            expected.push({ uri: INDEX, name: 'index.json', size: undefined, directory: false });
        }
        const served = await allPages(
            (page) => exchange('resources/directory/read', { uri, ...page }),
            'resources',
        );
        const seen = served.map((child) => ({
            uri: child.uri,
            name: child.name,
            size: child.size,
            directory: child.mimeType === 'inode/directory',
        }));
        assert.deepEqual(seen.sort(byUri), expected.sort(byUri), `children of ${uri}`);
        await assert.rejects(
            link.exchange('resources/read', { uri }),
            { code: link.notFound },
            `${uri} was read as a file`,
        );
    }
}

/** What is listed as a resource is what there is: each skill once, and the index. */
async function checkList() {
    const resources = await allPages((page) => exchange('resources/list', page), 'resources');
    const served = resources.map((resource) => resource.uri).filter((uri) => uri.startsWith('skill:'));
    const expected = [INDEX, ...skills.map((path) => uriOf(`${path}/SKILL.md`))];
    assert.deepEqual(served.sort(), expected.sort());
}

/** The index says the same of every skill as its entry and its files do. */
async function checkIndex() {
    const { contents } = await exchange('resources/read', { uri: INDEX });
    const index = JSON.parse(contents[0].text);
    const entries = await allPages((page) => exchange('skills/list', page), 'skills');
    assert.deepEqual(
        index.skills.map(({ uri, frontmatter, resources }) => ({ uri, frontmatter, resources })),
        entries.map(({ uri, frontmatter, resources }) => ({ uri, frontmatter, resources })),
    );
    for (const { url, digest, archives } of index.skills) {
        const skillMd = [...files].find(([path]) => uriOf(path) === url)[1];
        assert.equal(digest, digestOf(skillMd), `digest of ${url}`);
        for (const archive of archives) {
            const { contents: packed } = await exchange('resources/read', { uri: archive.url });
            assert.equal(packed[0].mimeType, archive.mimeType);
            assert.equal(archive.digest, digestOf(Buffer.from(packed[0].blob, 'base64')), archive.url);
        }
    }
}

/** Names beside the real ones lead nowhere. */
async function checkNeighbours() {
    const [path] = files.keys();
    for (const uri of [
        `${uriOf(path)}x`,
        uriOf(path).slice(0, -1),
        `${uriOf(path)}/`,
        `${uriOf(path)}#top`,
        `skill://../${path}`,
    ]) {
        await assert.rejects(
            link.exchange('resources/read', { uri }),
            { code: link.notFound },
            `${uri} was found`,
        );
        await assert.rejects(link.exchange('skills/get', { uri }), { code: -32602 }, `${uri} is a skill`);
    }
    await assert.rejects(link.exchange('resources/directory/read', { uri: uriOf(path) }), { code: -32602 });
}

await checkEntries();
await checkFiles();
await checkDirectories();
await checkList();
await checkIndex();
await checkNeighbours();
await link.close();
console.log(`${skills.length} skills, ${files.size} files, ${directories.size} directories as on the disk`);
