// tour.mjs -- what a program with an MCP client does with the example device: look at everything it offers,
// use some of it, and make two mistakes. The same for both SDKs, whose clients have the same methods.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { allPages } from './connect.mjs';

/** Names of the files below folder, without their ending, in byte order. */
function stems(folder, ending) {
    return readdirSync(folder)
        .filter((name) => name.endsWith(ending))
        .map((name) => name.slice(0, -ending.length))
        .sort();
}

const names = (items) => items.map((item) => item.name).sort();

async function seeServer({ client, version }, folder) {
    const device = JSON.parse(readFileSync(join(folder, 'device.json'), 'utf8'));
    const info = client.getServerVersion();
    assert.equal(info.name, device.name);
    assert.equal(info.version, device.version);
    assert.equal(client.getInstructions(), device.instructions);
    const capabilities = client.getServerCapabilities();
    for (const name of ['tools', 'prompts', 'resources', 'completions']) {
        assert.ok(capabilities[name], `no capability ${name}`);
    }
    assert.deepEqual(capabilities.extensions?.['io.modelcontextprotocol/skills'], { directoryRead: true });
    if (version < '2026-07-28') {
        await client.ping();
        await client.setLoggingLevel('warning');
    } else {
        const subscription = await client.listen({ toolsListChanged: true });
        assert.deepEqual(subscription.honoredFilter, {});
        assert.equal(await subscription.closed, 'graceful'); // immediately: there will never be a change to notify of
    }
}

/** What only shows when a skill is activated: scoped tools and prompts. */
async function seeScoped({ exchange }) {
    const scoped = { tools: [], prompts: [] };
    for (const { name } of (await exchange('skills/list')).skills) {
        const { contents } = await exchange('skills/activate', { name });
        scoped.tools.push(...names(contents?.tools ?? []));
        scoped.prompts.push(...names(contents?.prompts ?? []));
    }
    return scoped;
}

async function seeTools({ client }, folder, scoped) {
    const { tools } = await client.listTools();
    const described = stems(join(folder, 'tools'), '.json').map((stem) =>
        JSON.parse(readFileSync(join(folder, 'tools', `${stem}.json`), 'utf8')),
    );
    const listed = described.filter((tool) => !scoped.includes(tool.name));
    assert.deepEqual(tools.slice(0, listed.length), listed);
    const own = tools.slice(listed.length);
    assert.deepEqual(names(own), ['list_skills', 'read_skill', 'show_panel']);
    assert.ok(own.every(({ annotations }) => annotations.readOnlyHint));
    assert.ok(own.slice(0, 2).every(({ annotations }) => annotations.idempotentHint));

    const status = await client.callTool({ name: 'line_status', arguments: { line: 2 } });
    assert.ok(!status.isError, JSON.stringify(status));
    assert.match(status.content[0].text, /^line 2 /);
    const all = await client.callTool({ name: 'line_status' });
    assert.equal(all.content[0].text.split('\n').length, 4);
    const refused = await client.callTool({ name: 'line_status', arguments: { line: 9 } });
    assert.equal(refused.isError, true);
    await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), { code: -32602 });
    return tools.length;
}

async function seePrompts({ client, exchange }, folder, scoped) {
    const { prompts } = await client.listPrompts();
    const listed = stems(join(folder, 'prompts'), '.md').filter((name) => !scoped.includes(name));
    const { skills } = await exchange('skills/list');
    assert.deepEqual(
        prompts.map((prompt) => prompt.name),
        [...listed, ...skills.map((skill) => skill.name)],
    );
    const operator = 'Zoë "Zo" \\ 🙂';
    const { messages } = await client.getPrompt({ name: 'shift-report', arguments: { operator } });
    assert.equal(messages[0].role, 'user');
    assert.ok(messages[0].content.text.includes(`for ${operator}.`), messages[0].content.text);
    await assert.rejects(client.getPrompt({ name: 'shift-report' }), { code: -32602 });
    return prompts.length;
}

async function seeResources({ client, notFound }) {
    const resources = await allPages((page) => client.listResources(page), 'resources');
    for (const { uri, name, mimeType } of resources) {
        assert.ok(name, `${uri} has no name`);
        const { contents } = await client.readResource({ uri });
        assert.equal(contents.length, 1);
        assert.equal(contents[0].uri, uri);
        assert.equal(contents[0].mimeType, mimeType);
        assert.ok(contents[0].text.length > 0, `${uri} is empty`);
    }
    const templates = await allPages((page) => client.listResourceTemplates(page), 'resourceTemplates');
    assert.ok(templates.some((template) => template.uriTemplate === 'pump://line/{n}/status'));
    const { contents } = await client.readResource({ uri: 'pump://line/3/status' });
    assert.equal(JSON.parse(contents[0].text).line, 3);

    for (const uri of ['pump://line/5/status', 'skill://no/such/SKILL.md']) {
        await assert.rejects(client.readResource({ uri }), (error) => {
            assert.equal(error.code, notFound);
            assert.equal(error.data?.uri, uri);
            return true;
        });
    }
    return { resources: resources.length, templates: templates.length };
}

async function seeCompletion({ client }) {
    const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri: 'skill://pump/{name}/SKILL.md' },
        argument: { name: 'name', value: 'ch' },
    });
    assert.deepEqual(completion.values, ['change-consumables', 'check-accuracy']);
}

async function seeSkills({ exchange }) {
    const skills = await allPages((page) => exchange('skills/list', page), 'skills');
    for (const entry of skills) {
        const { skill } = await exchange('skills/get', { uri: entry.uri });
        assert.deepEqual(skill, entry);
    }
    return skills.length;
}

/** Throws at the first thing that is not as it should be; returns a line that says what was seen. */
export async function tour(link, folder) {
    await seeServer(link, folder);
    const scoped = await seeScoped(link);
    const tools = await seeTools(link, folder, scoped.tools);
    const prompts = await seePrompts(link, folder, scoped.prompts);
    const { resources, templates } = await seeResources(link);
    await seeCompletion(link);
    const skills = await seeSkills(link);
    return (
        `${link.version}: ${tools} tools, ${prompts} prompts, ` +
        `${resources} resources, ${templates} templates, ${skills} skills`
    );
}
