// older.mjs -- a word in each of the older dialects, on a connection that another client uses for the released
// extension. Neither may notice the other.
import assert from 'node:assert/strict';

/** Asks for one skill by its name in every dialect that has names, and for the index. */
export async function speakOlderDialects({ exchange }, { frontmatter: { name, description }, uri }) {
    const { skills } = JSON.parse((await exchange('resources/read', { uri: 'skill://index.json' })).contents[0].text);
    assert.equal(skills.find((entry) => entry.url === uri).name, name);
    const root = uri.replace(/SKILL\.md$/, '');
    const { resources } = await exchange('resources/list', { uri: root });
    assert.ok(resources.every((resource) => resource.uri.startsWith(root)));
    const { skill } = await exchange('skills/read', { name });
    assert.equal(skill.description, description);
    const { instructions } = await exchange('skills/activate', { name });
    assert.equal(instructions, skill.instructions);
    const declared = (await exchange('skills/list')).skills.find((entry) => entry.name === name).arguments ?? [];
    const got = await exchange('skills/get', {
        name,
        arguments: Object.fromEntries(declared.map((argument) => [argument.name, `{{${argument.name}}}`])),
    });
    assert.equal(got.instructions, instructions);
}
