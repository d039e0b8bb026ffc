import { describe, expect, it } from 'vitest';
import { AppError } from '#kit/app-error';
import type { Message } from '#spec/data';
import { sampleEntry, sampleSession } from './samples.ts';
import type { OnStorage, SessionStorage } from './session-store-contract.ts';

const EMPTY = { system: [], tools: [] };
const USAGE = { input: 10, output: 5, cacheRead: 3, cacheWrite: 2, reasoning: 1 };

async function started(storage: SessionStorage, id = 's1'): Promise<SessionStorage> {
  await storage.sessions.create(sampleSession(id), EMPTY);
  return storage;
}

export function describeTranscript(name: string, on: OnStorage): void {
  describe(`${name}: transcript`, () => {
    it(
      'numbers messages and facts from one without gaps, each session apart',
      on(async (storage) => {
        const { transcript } = await started(await started(storage, 's2'));
        const fact = (turn: number) => ({
          type: 'turn.started',
          at: 1_700_000_000_000,
          data: { turn, text: 'x' },
        });
        const first = await transcript.append(
          's1',
          [sampleEntry('a', 'one'), sampleEntry('b', 'two')],
          [fact(1)],
        );
        await transcript.append('s2', [sampleEntry('x', 'other')], [fact(1)]);
        const second = await transcript.append('s1', [sampleEntry('c', 'three')], [fact(2), fact(3)]);
        expect(
          [...first, ...second].map(({ id, session, seq, position }) => [id, session, seq, position]),
        ).toEqual([
          ['a', 's1', 1, 1],
          ['b', 's1', 2, 2],
          ['c', 's1', 3, 3],
        ]);
        const facts = await transcript.facts('s1', 1, 10);
        expect(facts.map(({ seq, data }) => [seq, data])).toEqual([
          [2, { turn: 2, text: 'x' }],
          [3, { turn: 3, text: 'x' }],
        ]);
        expect(facts[0]).toMatchObject({
          stream: 's1',
          type: 'turn.started',
          at: '2023-11-14T22:13:20.000Z',
        });
        expect((await transcript.facts('s1', 0, 1)).map(({ seq }) => seq)).toEqual([1]);
      }),
    );

    it(
      'gives back every kind of message as it was',
      on(async (storage) => {
        const { transcript } = await started(storage);
        const image = {
          type: 'image' as const,
          mediaType: 'image/png' as const,
          data: Buffer.alloc(9_000, 5).toString('base64'),
        };
        const odd = { ...image, data: `${'A'.repeat(2_001)}B==` };
        const messages: Message[] = [
          {
            role: 'user',
            content: [{ type: 'text', text: 'lone \ud800 surrogate, \0, 你好' }, image, odd, image],
          },
          {
            role: 'assistant',
            origin: { provider: 'p', model: 'm', protocol: 'local' },
            content: [
              { type: 'thinking', text: 'hm', replay: { signature: 'x' } },
              { type: 'tool_call', id: 'call', name: 'read', arguments: '{ "a" : 1 }' },
            ],
          },
          {
            role: 'tool',
            callId: 'call',
            name: 'read',
            isError: false,
            content: [{ type: 'text', text: 'y'.repeat(5_000_000) }, image],
          },
        ];
        const entries = messages.map((message, at) =>
          sampleEntry(`m${at}`, message, { usage: USAGE, cost: 0.25 }),
        );
        const stored = await transcript.append('s1', entries, []);
        const read = await transcript.read('s1');
        expect(read).toEqual(stored);
        expect(read.map(({ message }) => message)).toEqual(messages);
      }),
    );

    it(
      'adds usage, cost, count and time to the session',
      on(async (storage) => {
        const { transcript, sessions } = await started(storage);
        const spent = { usage: USAGE, cost: 0.25, at: 5_000 };
        await transcript.append('s1', [sampleEntry('a', 'one', spent), sampleEntry('b', 'two', spent)], []);
        expect((await sessions.get('s1'))?.session).toMatchObject({
          messages: 2,
          updatedAt: 5_000,
          cost: 0.5,
          usage: { input: 20, output: 10, cacheRead: 6, cacheWrite: 4, reasoning: 2 },
        });
      }),
    );

    it(
      'writes all or nothing',
      on(async (storage) => {
        const { transcript, sessions } = await started(storage);
        await transcript.append('s1', [sampleEntry('a', 'one')], []);
        const twice = [sampleEntry('b', 'two'), sampleEntry('a', 'again')];
        await expect(transcript.append('s1', twice, [{ type: 'x', at: 1, data: 1 }])).rejects.toBeInstanceOf(
          AppError,
        );
        await expect(transcript.append('unknown', [sampleEntry('c', 'x')], [])).rejects.toMatchObject({
          record: { code: 'input.invalid' },
        });
        expect((await transcript.read('s1')).map(({ id }) => id)).toEqual(['a']);
        expect(await transcript.facts('s1', 0, 10)).toEqual([]);
        expect((await sessions.get('s1'))?.session.messages).toBe(1);
        const [next] = await transcript.append('s1', [sampleEntry('b', 'two')], []);
        expect(next?.seq).toBe(2);
      }),
    );

    it(
      'keeps the order of writes that were not waited for',
      on(async (storage) => {
        const { transcript } = await started(storage);
        const ids = Array.from({ length: 50 }, (_, at) => `m${at}`);
        await Promise.all(ids.map((id) => transcript.append('s1', [sampleEntry(id, id)], [])));
        expect((await transcript.read('s1')).map(({ id }) => id)).toEqual(ids);
      }),
    );

    it(
      'puts a digest in the place of what it replaces, and keeps the originals',
      on(async (storage) => {
        const { transcript } = await started(storage);
        const ids = ['a', 'b', 'c', 'd', 'e'];
        await transcript.append(
          's1',
          ids.map((id) => sampleEntry(id, id)),
          [],
        );
        const change = {
          ids: ['b', 'c', 'd'],
          state: 'archived' as const,
          entries: [
            sampleEntry('x', 'digest', { kind: 'digest' }),
            sampleEntry('y', 'more', { kind: 'digest' }),
          ],
        };
        const added = await transcript.rewrite('s1', change, [
          { type: 'context.compacted', at: 1, data: {} },
        ]);
        expect(added.map(({ seq }) => seq)).toEqual([6, 7]);
        const order = async (...states: Parameters<typeof transcript.read>[1] & object) =>
          (await transcript.read('s1', states)).map(({ id }) => id);
        expect((await transcript.read('s1')).map(({ id }) => id)).toEqual(['a', 'x', 'y', 'e']);
        expect(await order('archived')).toEqual(['b', 'c', 'd']);
        expect(await order('undone')).toEqual([]);
        await transcript.append('s1', [sampleEntry('f', 'f')], []);
        expect(await order('active')).toEqual(['a', 'x', 'y', 'e', 'f']);
      }),
    );

    it(
      'no longer counts what was undone, and leaves other sessions alone',
      on(async (storage) => {
        const { transcript, sessions } = await started(await started(storage, 's2'));
        await transcript.append('s1', [sampleEntry('a', 'a'), sampleEntry('b', 'b')], []);
        await transcript.append('s2', [sampleEntry('c', 'c')], []);
        await transcript.rewrite('s1', { ids: ['b', 'c'], state: 'undone', entries: [] }, []);
        expect((await sessions.get('s1'))?.session.messages).toBe(1);
        expect((await transcript.read('s2')).map(({ id }) => id)).toEqual(['c']);
      }),
    );
  });
}
