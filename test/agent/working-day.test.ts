import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROTOCOL_IDS, type ProtocolId } from '#spec/data';
import { type ModelServer, type Script, startModelServer } from '#testkit/model-server';
import { ended, makeWorkplace, textOf, turn } from './workplace.ts';

/** The server refuses a request whose calls and results do not match, so every answer proves a valid transcript. */
const script: Script = {
  rules: [
    { when: { afterTool: 'todo' }, reply: { text: 'Both looked at.' } },
    { when: { afterTool: 'clarify' }, reply: { text: 'Understood.' } },
    { when: { afterTool: 'write_file' }, reply: { text: 'Written.' } },
    {
      when: { contains: 'ask me' },
      reply: {
        toolCalls: [{ name: 'clarify', arguments: { question: 'Which service?', choices: ['a', 'b'] } }],
      },
    },
    {
      when: { contains: 'write it down' },
      reply: {
        text: 'Writing.',
        toolCalls: [{ name: 'write_file', arguments: { path: 'out.txt', content: 'done\n' } }],
      },
    },
    {
      when: { contains: 'step' },
      reply: {
        thinking: 'Look at the notes and keep the plan.',
        text: 'Looking.',
        toolCalls: [
          { name: 'read_file', arguments: { path: 'notes.txt' } },
          { name: 'todo', arguments: { items: [{ text: 'look', state: 'active' }] } },
        ],
      },
    },
    { when: { contains: 'long answer' }, reply: { text: 'word '.repeat(80), chunk: 10, delayMs: 2 } },
  ],
  fallback: { text: 'Yes.' },
};

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ script });
});
afterAll(() => server.close());

describe.each(PROTOCOL_IDS)('a working day over %s', (protocol: ProtocolId) => {
  it('survives fifty turns with an interrupt, a steer, a compaction, a fork and a resume', async () => {
    server.reset();
    const place = await makeWorkplace(server, protocol, '  thinking: low\n  context_window: 16000\n');
    const host = await place.open();
    let conversation = await place.talk(host);
    conversation.onAsk(async () => 'a');
    await writeFile(join(place.cwd, 'notes.txt'), `${'pool size 20, queue depth 7. '.repeat(60)}\n`);
    const seen = { compacted: 0, turns: 0 };
    const go = async (text: string, signal?: AbortSignal, onEvent?: Parameters<typeof turn>[3]) => {
      const events = await turn(conversation, text, signal, onEvent);
      seen.turns++;
      seen.compacted += events.filter(({ type }) => type === 'context.compacted').length;
      return events;
    };

    for (let i = 0; i < 20; i++) {
      const events = await go(`step ${i}: check again`);
      expect([ended(events), textOf(events)]).toEqual(['done', expect.stringContaining('Both looked at.')]);
    }

    // An interrupt in the middle of an answer, and one while a tool waits for the user.
    const stop = new AbortController();
    const cut = await go(
      'a long answer please',
      stop.signal,
      ({ type }) => type === 'text.delta' && stop.abort(),
    );
    expect(ended(cut)).toBe('aborted');
    conversation.onAsk(() => new Promise(() => undefined));
    const waiting = new AbortController();
    const asked = await go(
      'ask me',
      waiting.signal,
      ({ type }) => type === 'tool.started' && setTimeout(() => waiting.abort(), 20),
    );
    expect(ended(asked)).toBe('aborted');
    conversation.onAsk(async () => 'a');
    expect(textOf(await go('ask me again'))).toContain('Understood.');

    // Steering reaches the model with the results of the running batch.
    const steered = await go(
      'step with a hint',
      undefined,
      ({ type }) => type === 'tool.started' && conversation.steer('look at the queue too'),
    );
    expect(steered.some(({ type }) => type === 'steering.applied')).toBe(true);
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('look at the queue too');

    // A fork goes its own way; the original can be resumed by a new process.
    const original = conversation.session.id;
    const reply = await conversation.command('/fork', new AbortController().signal);
    expect(reply.text).toContain(original);
    expect(conversation.session.parent?.id).toBe(original);
    for (let i = 0; i < 5; i++) expect(ended(await go(`step in the fork ${i}`))).toBe('done');

    const second = await place.open();
    conversation = await place.talk(second, { resume: original });
    conversation.onAsk(async () => 'a');
    expect(conversation.session.id).toBe(original);
    while (seen.turns < 50) expect(ended(await go(`step after the resume ${seen.turns}`))).toBe('done');
    expect(textOf(await go('write it down'))).toContain('Written.');

    expect(seen.turns).toBeGreaterThanOrEqual(50);
    expect(seen.compacted).toBeGreaterThan(0);
    const report = await (await second.database()).check();
    expect(report.problems).toEqual([]);
    await Promise.all([host.close(), second.close()]);
    await place.remove();
  }, 120_000);
});
