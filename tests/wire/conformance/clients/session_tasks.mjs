// session_tasks.mjs -- a step of session.mjs, with tasks of 2025-11-25: one ends, one asks, one is cancelled.
import assert from 'node:assert/strict';

import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';

import { accept, replyWith, textOf } from './session_link.mjs';

/** With the v1 client, which has an API for them. */
export async function tasksByApi(link) {
    const { tasks } = link.client.experimental;
    const run = async (name, args, onCreated = () => {}) => {
        const seen = [];
        const stream = tasks.callToolStream({ name, arguments: args }, CallToolResultSchema, {
            task: { ttl: 60000 },
        });
        for await (const message of stream) {
            seen.push(message);
            if (message.type === 'taskCreated') {
                assert.equal(message.task.status, 'working');
                await onCreated(message.task.taskId);
            }
        }
        assert.equal(seen[0].type, 'taskCreated', JSON.stringify(seen));
        return { id: seen[0].task.taskId, last: seen.at(-1) };
    };
    const done = await run('slow_compute', { seconds: 0, label: 'a task' });
    assert.equal(textOf(done.last.result), 'computed a task');
    assert.equal((await tasks.getTask(done.id)).status, 'completed');

    const asked = replyWith(link, 'elicitation/create', accept({ confirm: true }));
    const confirmed = await run('confirm_delete', { filename: 'a' });
    assert.equal(confirmed.last.type, 'result', JSON.stringify(confirmed.last));
    assert.equal(textOf(confirmed.last.result), 'deleted');
    assert.equal(asked.length, 1);

    const stopped = await run('slow_compute', { seconds: 600 }, async (id) => {
        assert.equal((await tasks.cancelTask(id)).status, 'cancelled');
    });
    assert.equal(stopped.last.type, 'error', JSON.stringify(stopped.last));
    const listed = (await tasks.listTasks()).tasks.map(({ taskId, status }) => [taskId, status]);
    for (const [id, status] of [
        [done.id, 'completed'],
        [confirmed.id, 'completed'],
        [stopped.id, 'cancelled'],
    ]) {
        assert.ok(
            listed.some(([taskId, is]) => taskId === id && is === status),
            `no ${status} ${id} in ${JSON.stringify(listed)}`,
        );
    }
}

/** The same with the v2 client, which knows only the methods. */
export async function tasksByMethod(link) {
    const create = async (name, args) =>
        (await link.exchange('tools/call', { name, arguments: args, task: { ttl: 60000 } })).task;
    const done = await create('slow_compute', { seconds: 0, label: 'a task' });
    assert.equal(done.status, 'working');
    assert.equal(textOf(await link.exchange('tasks/result', { taskId: done.taskId })), 'computed a task');
    assert.equal((await link.exchange('tasks/get', { taskId: done.taskId })).status, 'completed');

    const asked = replyWith(link, 'elicitation/create', accept({ confirm: true }));
    const confirmed = await create('confirm_delete', { filename: 'a' });
    assert.equal(textOf(await link.exchange('tasks/result', { taskId: confirmed.taskId })), 'deleted');
    assert.equal(asked.length, 1);

    const stopped = await create('slow_compute', { seconds: 600 });
    assert.equal((await link.exchange('tasks/cancel', { taskId: stopped.taskId })).status, 'cancelled');
    await assert.rejects(link.exchange('tasks/cancel', { taskId: stopped.taskId }), { code: -32602 });
    const { tasks } = await link.exchange('tasks/list');
    assert.deepEqual(
        [done, confirmed, stopped].map(({ taskId }) => tasks.find((task) => task.taskId === taskId)?.status),
        ['completed', 'completed', 'cancelled'],
    );
}
