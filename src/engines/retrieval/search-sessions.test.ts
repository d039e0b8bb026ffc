import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { StoredMessage } from '#spec/data';
import type { IndexEntry, SearchIndex } from '#spec/ports';
import { indexEntries } from './index-entries.ts';
import { searchSessions } from './search-sessions.ts';

/** An index in memory that keeps the port's promises: any of the terms, more and rarer ones first. */
function memoryIndex(texts: readonly string[]): SearchIndex & { readonly asked: string[][] } {
  const messages = texts.map((text, at): StoredMessage => {
    const message = { role: 'user' as const, content: [{ type: 'text' as const, text }] };
    const place = { id: `m${at}`, session: `s${at}`, seq: 1, position: 1, turn: 1, at };
    return { ...place, state: 'active', kind: 'plain', message };
  });
  const entries = new Map<string, IndexEntry>();
  const asked: string[][] = [];
  const words = new Map<string, ReadonlySet<string>>();
  const has = (entry: IndexEntry, term: string) => words.get(entry.id)?.has(term) ?? false;
  const count = (term: string) => [...entries.values()].filter((entry) => has(entry, term)).length;
  return {
    asked,
    put: async (given) => {
      for (const entry of given) {
        entries.set(entry.id, entry);
        words.set(entry.id, new Set(entry.fields.text.split(' ')));
      }
    },
    missing: async (limit) =>
      messages
        .filter(({ id }) => !entries.has(id))
        .slice(0, limit)
        .map((message) => ({ message })),
    frequencies: async (terms) => ({ counts: terms.map(count), total: entries.size }),
    phrase: async (said, _scope, limit) =>
      messages
        .filter(({ message }) => JSON.stringify(message.content).toLowerCase().includes(said.toLowerCase()))
        .toReversed()
        .slice(0, limit)
        .map((message) => ({ id: message.id, session: message.session, message, score: 1 })),
    query: async (terms, _weights, _scope, limit) => {
      asked.push([...terms]);
      return messages
        .map((message) => {
          const entry = entries.get(message.id) as IndexEntry;
          const score = terms.reduce((sum, term) => sum + (has(entry, term) ? 1 / count(term) : 0), 0);
          return { id: message.id, session: message.session, message, score };
        })
        .filter(({ score }) => score > 0)
        .toSorted((a, b) => b.score - a.score)
        .slice(0, limit);
    },
  };
}

const TALK = [
  'The pool of payment-service v2.3.1 is exhausted',
  'We rolled back the deploy at noon',
  '支付服务回滚完成',
  'who are you and what is this',
  'lunch?',
  'nothing to see here today',
];

const ids = async (query: string, index = memoryIndex(TALK)) =>
  (await searchSessions(query, { index })).map(({ id }) => id);

describe('searchSessions', () => {
  it.each([
    ['What happened to payment-service v2.3.1?', 'm0'],
    ['when did we roll back "deploys" (noon)?', 'm1'],
    ['支付回滚了吗?', 'm2'],
    ['NOT pool AND NEAR( exhausted*', 'm0'],
    ['who are you', 'm3'],
    ['Who are you?!', 'm3'],
  ])('finds what %j asks for', async (query, id) => {
    expect((await ids(query))[0]).toBe(id);
  });

  it.each(['', '   ', '?!', '🙂', 'unheardof', 'is this what you are'])(
    'finds nothing for %j',
    async (query) => {
      expect(await ids(query)).toEqual([]);
    },
  );

  it('leaves stop words out where there are others', async () => {
    const index = memoryIndex(TALK);
    await searchSessions('what is the pool of this?', { index });
    expect(index.asked).toEqual([['pool']]);
  });

  it('asks for a bounded number of terms, however long the text is', async () => {
    const words = Array.from({ length: 3_000 }, (_, at) => `w${at}x`);
    const index = memoryIndex([words.join(' '), ...TALK]);
    expect((await searchSessions(words.join(' '), { index }))[0]?.id).toBe('m0');
    expect(index.asked[0]?.length).toBeLessThanOrEqual(32);
  });

  it('takes up what waits before it looks', async () => {
    const index = memoryIndex(TALK);
    expect((await index.missing(10)).length).toBe(TALK.length);
    expect(await ids('lunch', index)).toEqual(['m4']);
    expect(await index.missing(10)).toEqual([]);
  });

  it('accepts any text', async () => {
    const index = memoryIndex(TALK);
    await index.put(indexEntries(await index.missing(100)));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (query) => {
        const hits = await searchSessions(query, { index }, { limit: 3 });
        expect(hits.length).toBeLessThanOrEqual(3);
      }),
    );
  });
});
