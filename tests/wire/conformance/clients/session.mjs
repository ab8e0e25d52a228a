// session.mjs -- a whole session with the fixture, by the client of either SDK, in either era, on either wire: it uses
// everything a server can do with a client, most of all what goes the other way: questions, progress, logs and notifications.
// A client of 2026-07-28 gets questions in results and answers them with the next request; its SDK does that.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';

import { allPages, commandLine } from './connect.mjs';
import { accept, replyWith, openSession, startDevice, textOf, until, within } from './session_link.mjs';
import { tasksByApi, tasksByMethod } from './session_tasks.mjs';

const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const INDEX = 'skill://index.json';
const SUBSCRIBED = 'test://watched-resource';
const CANCELLED = 20; // more than SKR_JOBS: each must have made room

const { own, server: command } = commandLine(
    'session.mjs v1|v2 legacy|VERSION http|stdio DEVICE_FOLDER OTHER_IMAGE',
    5,
);
const [sdk, mode, wire, folder, otherImage] = own;

const model = (text) => ({ role: 'assistant', model: 'none', content: { type: 'text', text } });

/** Resolves when the call has ended because its caller had enough. */
function givenUp(call, what) {
    const ended = assert.rejects(call, /enough/, `${what} was answered; are places taken by cancelled calls?`);
    ended.catch(() => {}); // its awaiter gets the error
    return ended;
}

const steps = {
    async 'what there is'({ client, modern }) {
        const { name, version } = JSON.parse(readFileSync(`${folder}/device.json`, 'utf8'));
        assert.equal(client.getServerVersion().name, name);
        assert.equal(client.getServerVersion().version, version);
        const capabilities = client.getServerCapabilities();
        assert.equal(capabilities.tools?.listChanged, true);
        assert.equal(capabilities.prompts?.listChanged, true);
        assert.equal(capabilities.resources?.subscribe, true);
        assert.ok(capabilities.completions, 'completions are not offered');
        assert.ok(capabilities.logging, 'logging is not offered');
        if (!modern) {
            assert.ok(capabilities.tasks?.requests?.tools?.call, 'tasks are not offered');
            await client.ping();
        }
    },

    async 'tools'({ client, call }) {
        const { tools } = await client.listTools();
        const described = readdirSync(`${folder}/tools`).map((file) => file.replace(/\.json$/, ''));
        assert.deepEqual(
            tools.map((tool) => tool.name).filter((name) => !/_skill(s)?$/.test(name)),
            described.sort(),
        );
        const text = 'Zoë "Zo" \\ 🙂';
        assert.equal(textOf(await call('echo', { text })), text);
        assert.equal(textOf(await call('echo')), 'nothing to repeat');
        // Over HTTP the v2 client repeats these in headers, which the server compares.
        await call('test_x_mcp_header', { region: 'Zoë', limits: { count: 3 } }).then(textOf);

        const failed = await call('test_error_handling');
        assert.equal(failed.isError, true, JSON.stringify(failed));
        await assert.rejects(call('no_such_tool'), { code: -32602 });
    },

    async 'prompts'({ client }) {
        const { prompts } = await client.listPrompts();
        const prompt = prompts.find(({ name }) => name === 'test_prompt_with_arguments');
        assert.deepEqual(
            prompt.arguments.map(({ name, required }) => [name, required]),
            [
                ['arg1', true],
                ['arg2', true],
            ],
        );
        const { messages } = await client.getPrompt({
            name: prompt.name,
            arguments: { arg1: 'one "1"', arg2: '{{arg1}}' },
        });
        assert.deepEqual(messages, [
            {
                role: 'user',
                content: { type: 'text', text: `Prompt with arguments: arg1='one "1"', arg2='{{arg1}}'` },
            },
        ]);
        await assert.rejects(client.getPrompt({ name: prompt.name, arguments: { arg1: '' } }), { code: -32602 });
    },

    async 'completion'({ client }) {
        const complete = async (ref, name, value) =>
            (await client.complete({ ref, argument: { name, value } })).completion;
        const files = await complete({ type: 'ref/resource', uri: 'skill://{+path}' }, 'path', 'conformance-demo/r');
        assert.deepEqual(files, {
            values: ['conformance-demo/references/guide.md'],
            total: 1,
            hasMore: false,
        });
        const prompt = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
        assert.deepEqual((await complete(prompt, 'arg1', 'a')).values, []);
        await assert.rejects(complete(prompt, 'arg3', 'a'), { code: -32602 });
    },

    async 'resources'({ client }) {
        const resources = await allPages((page) => client.listResources(page), 'resources');
        assert.ok(resources.some(({ uri }) => uri === 'test://watched-resource'), JSON.stringify(resources));
        const { contents } = await client.readResource({ uri: 'test://template/42/data' });
        assert.equal(JSON.parse(contents[0].text).id, '42');
        const image = await client.readResource({ uri: 'test://static-binary' });
        assert.equal(Buffer.from(image.contents[0].blob, 'base64').toString('latin1', 1, 4), 'PNG');
    },

    async 'elicitation'(link) {
        const { call } = link;
        const message = 'Who are "you"?';
        const who = { username: 'zoë', email: 'z@example.com' };
        const asked = replyWith(link, 'elicitation/create', accept(who));
        assert.equal(
            textOf(await call('test_elicitation', { message })),
            `User response: action=accept, content=${JSON.stringify(who)}`,
        );
        assert.equal(asked.length, 1);
        assert.equal(asked[0].message, message);
        assert.deepEqual(asked[0].requestedSchema.required, ['username', 'email']);

        for (const action of ['decline', 'cancel']) {
            replyWith(link, 'elicitation/create', { action });
            assert.match(
                textOf(await call('test_elicitation', { message })),
                new RegExp(`action=${action}, content=`),
            );
            const unnamed = await call('test_input_required_result_elicitation');
            assert.equal(unnamed.isError, true, JSON.stringify(unnamed));
        }
    },

    async 'elicitation: defaults'(link) {
        const asked = replyWith(link, 'elicitation/create', () => accept({ name: 'Ada' }));
        const text = textOf(await link.call('test_elicitation_sep1034_defaults'));
        // The client adds the defaults that it finds in the question.
        assert.deepEqual(JSON.parse(text.replace(/^.*content=/, '')), {
            name: 'Ada',
            age: 30,
            score: 95.5,
            status: 'active',
            verified: true,
        });
        assert.equal(asked.length, 1);
    },

    async 'elicitation: enums'(link) {
        const choice = ({ requestedSchema: { properties } }) =>
            accept({
                untitledSingle: properties.untitledSingle.enum[1],
                titledSingle: properties.titledSingle.oneOf[2].const,
                legacyEnum: properties.legacyEnum.enum[0],
                untitledMulti: properties.untitledMulti.items.enum.slice(1),
                titledMulti: properties.titledMulti.items.anyOf.slice(0, 2).map((one) => one.const),
            });
        const asked = replyWith(link, 'elicitation/create', choice);
        const text = textOf(await link.call('test_elicitation_sep1330_enums'));
        assert.deepEqual(JSON.parse(text.replace(/^.*content=/, '')), {
            untitledSingle: 'option2',
            titledSingle: 'value3',
            legacyEnum: 'opt1',
            untitledMulti: ['option2', 'option3'],
            titledMulti: ['value1', 'value2'],
        });
        const { properties } = asked[0].requestedSchema;
        assert.equal(properties.titledSingle.oneOf[2].title, 'Third Option');
        assert.deepEqual(properties.legacyEnum.enumNames, ['Option One', 'Option Two', 'Option Three']);
    },

    async 'elicitation: by URL'(link) {
        const asked = replyWith(link, 'elicitation/create', { action: 'accept' });
        assert.equal(textOf(await link.call('test_elicit_url')), 'on the way');
        assert.equal(asked[0].mode, 'url');
        assert.equal(asked[0].url, 'https://example.com/sign-in?a=1&b=2');
        replyWith(link, 'elicitation/create', { action: 'decline' });
        assert.equal(textOf(await link.call('test_elicit_url')), 'not now');
    },

    async 'sampling'(link) {
        const prompt = 'Say "hi"\n';
        const asked = replyWith(link, 'sampling/createMessage', model('“hi”\t🙂'));
        assert.equal(textOf(await link.call('test_sampling', { prompt })), 'LLM response: “hi”\t🙂');
        assert.equal(asked.length, 1);
        assert.deepEqual(asked[0].messages, [{ role: 'user', content: { type: 'text', text: prompt } }]);
        assert.equal(asked[0].maxTokens, 100);

        // A client that fails to answer: an older one tells the server, a newer one only its caller.
        replyWith(link, 'sampling/createMessage', () => {
            throw Object.assign(new Error('nobody may sample'), { code: -1 });
        });
        if (link.modern) {
            await assert.rejects(link.call('test_sampling', { prompt }), /nobody may sample/);
        } else {
            const refused = await link.call('test_sampling', { prompt });
            assert.equal(refused.isError, true, JSON.stringify(refused));
        }
    },

    async 'roots'(link) {
        const roots = [{ uri: 'file:///home/zo%C3%AB', name: 'home' }, { uri: 'file:///srv' }];
        const asked = replyWith(link, 'roots/list', { roots });
        assert.equal(
            textOf(await link.call('test_input_required_result_list_roots')),
            'Roots: file:///home/zo%C3%AB (home) file:///srv ()',
        );
        assert.equal(asked.length, 1);
    },

    async 'several questions'(link) {
        const forms = replyWith(link, 'elicitation/create', ({ requestedSchema: { properties } }) =>
            accept(properties.name ? { name: 'Zoë' } : properties.color ? { color: 'red' } : { ok: true }),
        );
        const prompts = replyWith(link, 'sampling/createMessage', model('hello'));
        const lists = replyWith(link, 'roots/list', { roots: [] });
        assert.equal(
            textOf(await link.call('test_input_required_result_multiple_inputs')),
            'All three answered, Zoë',
        );
        assert.deepEqual([forms.length, prompts.length, lists.length], [1, 1, 1]);
        assert.equal(textOf(await link.call('test_input_required_result_multi_round')), 'Zoë likes red');
        assert.equal(forms.length, 3);
        // What the handler keeps between questions comes back whole, through the client in the newer era.
        assert.equal(textOf(await link.call('test_input_required_result_request_state')), 'state-ok');
    },

    async 'a prompt that asks'(link) {
        const asked = replyWith(link, 'elicitation/create', accept({ context: 'a rainy day' }));
        const { messages } = await link.client.getPrompt({ name: 'test_input_required_result_prompt' });
        assert.equal(messages[0].content.text, 'Prompt with context: a rainy day');
        assert.equal(asked.length, 1);
    },

    async 'progress'({ call }) {
        const seen = [];
        const onprogress = (progress) => seen.push(progress);
        const result = call('test_tool_with_progress', {}, { onprogress });
        await result.then(() => seen.push('result'));
        assert.deepEqual(seen, [
            { progress: 0, total: 100 },
            { progress: 50, total: 100 },
            { progress: 100, total: 100, message: 'almost there' },
            'result',
        ]);
        assert.equal(textOf(await result), 'Tool with progress executed successfully');
    },

    async 'no progress unless wanted'({ call, received }) {
        const before = received.length;
        await call('test_tool_with_progress').then(textOf);
        assert.deepEqual(
            received.slice(before).filter((message) => message.method === 'notifications/progress'),
            [],
        );
    },

    async 'logging'({ client, call, modern, inbox }) {
        const at = async (level, tool) => {
            if (!modern) {
                await client.setLoggingLevel(level);
            }
            await call(tool, {}, {}, modern ? { _meta: { [LOG_LEVEL]: level } } : {}).then(textOf);
            return inbox.take('notifications/message').map(({ level: of, data }) => [of, data]);
        };
        const [detail, warning] = [
            ['debug', 'a "detail"'],
            ['warning', 'a warning'],
        ];
        assert.deepEqual(await at('debug', 'test_logging_tool'), [detail, warning]);
        assert.deepEqual(await at('warning', 'test_logging_tool'), [warning]);
        assert.deepEqual(await at('error', 'test_logging_tool'), []);
        assert.deepEqual(await at('info', 'test_tool_with_logging'), [
            ['info', 'Tool execution started'],
            ['info', 'Tool processing data'],
            ['info', 'Tool execution completed'],
        ]);
        if (modern) {
            await call('test_logging_tool').then(textOf);
            assert.deepEqual(inbox.take('notifications/message'), [], 'logs that nobody wanted');
        }
    },

    async 'cancel a slow call'({ call, sent, received }) {
        const stop = new AbortController();
        const slow = call('slow_compute', { seconds: 600 }, { signal: stop.signal });
        const ended = givenUp(slow, 'the slow call');
        assert.equal(textOf(await call('echo', { text: 'meanwhile' })), 'meanwhile');
        const { id } = sent.find(({ message }) => message.params?.arguments?.seconds === 600).message;
        stop.abort('enough');
        await ended;
        assert.equal(textOf(await call('echo', { text: 'afterwards' })), 'afterwards');
        assert.equal(
            received.find((message) => message.id === id && !message.method),
            undefined,
            'a cancelled call was answered',
        );
    },

    async 'cancel again and again'(link) {
        for (let i = 0; i < CANCELLED; i++) {
            const stop = new AbortController();
            const options = { signal: stop.signal };
            if (link.modern) {
                const ended = givenUp(link.call('slow_compute', { seconds: 600 }, options), `slow call ${i}`);
                await link.call('echo').then(textOf);
                stop.abort('enough');
                await ended;
                continue;
            }
            // An older client knows that the call runs when it is asked, and must not answer then.
            let hear;
            const heard = new Promise((resolve) => (hear = resolve));
            replyWith(link, 'elicitation/create', () => {
                hear();
                return new Promise(() => {});
            });
            const ended = givenUp(link.call('test_elicitation', { message: `${i}` }, options), `call ${i}`);
            await within(Promise.race([heard, ended]), `question ${i}`);
            stop.abort('enough');
            await ended;
            await link.sent.findLast(({ message }) => message.method === 'notifications/cancelled').done;
        }
        assert.equal(textOf(await link.call('slow_compute', { seconds: 0, label: 'all' })), 'computed all');
        if (link.overHttp && !link.modern) {
            // The client comes back for the streams of these calls, and must not get that of the notifications instead.
            const comebacks = () => link.gets.filter(({ after }) => after !== null);
            await within(until(() => comebacks().length >= CANCELLED), 'the client to come back');
            assert.deepEqual(
                link.gets.map(({ status }) => status),
                [200, ...comebacks().map(() => 405)],
            );
        }
    },

    async 'calls side by side'(link) {
        const seen = Array.from({ length: 8 }, () => []);
        const calls = seen.map((mine) =>
            link.call('test_tool_with_progress', {}, { onprogress: ({ progress }) => mine.push(progress) }),
        );
        for (const result of await Promise.all(calls)) {
            textOf(result);
        }
        assert.deepEqual(
            seen,
            seen.map(() => [0, 50, 100]),
        );
    },

    /** Over HTTP the server closes the stream of the call; the client picks it up where it was. */
    async 'a stream that is picked up again'({ call }) {
        assert.equal(textOf(await call('test_reconnection')), 'Reconnection test completed successfully');
    },

    async 'tasks'(link) {
        if (!link.modern) {
            await (link.sdk === 'v1' ? tasksByApi(link) : tasksByMethod(link));
        } else {
            // its SDK takes no task for a result, and says nothing of tasks: so it gets none
            assert.equal(textOf(await link.call('slow_compute', { seconds: 0, label: 'it' })), 'computed it');
        }
    },

    async 'subscribe'(link) {
        const { client, modern, inbox } = link;
        const read = async () => (await client.readResource({ uri: INDEX })).contents[0].text;
        let subscription;
        if (modern) {
            const filter = {
                toolsListChanged: true,
                promptsListChanged: true,
                resourcesListChanged: true,
                resourceSubscriptions: [INDEX, SUBSCRIBED],
            };
            subscription = await client.listen(filter);
            assert.deepEqual(subscription.honoredFilter, filter);
        } else {
            await client.subscribeResource({ uri: INDEX });
            await client.subscribeResource({ uri: SUBSCRIBED });
            await assert.rejects(client.subscribeResource({ uri: 'test://nothing' }), { code: link.notFound });
        }
        for (const list of ['tools', 'prompts']) {
            await link.call(`test_trigger_${list.slice(0, -1)}_change`).then(textOf);
            await inbox.next(`notifications/${list}/list_changed`);
        }
        await link.call('test_trigger_resource_change').then(textOf);
        assert.equal((await inbox.next('notifications/resources/updated')).uri, SUBSCRIBED);
        assert.deepEqual(inbox.received, [], 'notified of more than there was');

        const before = await read();
        device.replaceImage(otherImage, device.pid ?? link.wire.pid);
        assert.equal((await inbox.next('notifications/resources/updated')).uri, INDEX);
        for (const list of ['tools', 'prompts', 'resources']) {
            await inbox.next(`notifications/${list}/list_changed`);
        }
        assert.notEqual(await read(), before);

        if (modern) {
            await subscription.close();
        } else {
            await client.unsubscribeResource({ uri: INDEX });
        }
        assert.deepEqual(inbox.received, [], 'notified of more than there was');
        device.replaceImage(device.first, device.pid ?? link.wire.pid);
        if (!modern) {
            await inbox.next('notifications/resources/list_changed');
        }
        await within(until(async () => (await read()) === before), 'the first image to be back');
        assert.deepEqual(inbox.take('notifications/resources/updated'), [], 'notified of what is not subscribed');
        assert.ok(!modern || inbox.received.length === 0, `notified after the end: ${JSON.stringify(inbox.received)}`);
    },
};

const device = await startDevice(command, wire);
const link = await openSession(sdk, mode, device.server);
const count = Object.keys(steps).length;
for (const [name, step] of Object.entries(steps)) {
    try {
        link.expectNothing();
        await within(step(link), 'the end of this step');
    } catch (error) {
        console.error(`session of SDK ${sdk} at ${link.version} over ${wire}: step "${name}" failed`);
        throw error;
    }
}
await link.close();
await device.end();
console.log(`${link.version}: ${count} steps`);
