import { describe, expect, it } from 'vitest';
import type { IndexEntry, SearchScope } from '#spec/ports';
import { sampleEntry, sampleSession } from './samples.ts';
import type { OnStorage, SessionStorage } from './session-store-contract.ts';

const WEIGHTS = { text: 1, speaker: 0.5, previous: 0.3, next: 0.3, date: 0.2 };
const FILLER = 20;

/** Two sessions of different people, with enough other messages for a word to be rare. */
async function filled(storage: SessionStorage): Promise<SessionStorage> {
  const { sessions, transcript, index } = storage;
  for (const [id, user] of [
    ['s1', 'ann'],
    ['s2', 'bob'],
  ] as const) {
    await sessions.create(sampleSession(id, { user }), { system: [], tools: [] });
    const ids = Array.from({ length: FILLER }, (_, at) => `${id} m${at}`);
    await transcript.append(
      id,
      ids.map((m) => sampleEntry(m, m)),
      [],
    );
    await index.put(
      ids.map((m, at) => entry(m, at === 3 ? 'rare pool 回滚 payment-service' : `filler${at} words`)),
    );
  }
  return storage;
}

function entry(id: string, text: string, more: Partial<IndexEntry['fields']> = {}): IndexEntry {
  const fields = { text, speaker: '', previous: '', next: '', date: '', ...more };
  return { id, session: id.split(' ')[0] as string, fields };
}

const found = async (
  { index }: SessionStorage,
  terms: readonly string[],
  scope: SearchScope = {},
  limit = 10,
) => (await index.query(terms, WEIGHTS, scope, limit)).map(({ id }) => id);

export function describeSearchIndex(name: string, on: OnStorage): void {
  describe(`${name}: search index`, () => {
    it(
      'finds entries by any of the terms, best first, with their messages',
      on(async (storage) => {
        await filled(storage);
        expect((await found(storage, ['rare'])).toSorted()).toEqual(['s1 m3', 's2 m3']);
        expect((await found(storage, ['回滚'])).toSorted()).toEqual(['s1 m3', 's2 m3']);
        expect(await found(storage, ['payment-service'], {}, 1)).toHaveLength(1);
        expect(await found(storage, ['unheard'])).toEqual([]);
        const [best, ...rest] = await storage.index.query(['rare', 'pool', 'filler7'], WEIGHTS, {}, 10);
        expect(best).toMatchObject({
          session: 's1',
          message: { id: best?.id, session: best?.session, seq: 4 },
        });
        expect(rest.every(({ score }) => score <= (best?.score ?? 0))).toBe(true);
      }),
    );

    it(
      'finds words as they stand, newest first, within the scope, whatever is in them',
      on(async (storage) => {
        const { transcript, index } = await filled(storage);
        const said = ['To be or not to be', 'to BE or not', '100 % "sure"\n_x_', '要不要回滚', 'to xbe'];
        for (const [at, text] of said.entries())
          await transcript.append(at % 2 ? 's2' : 's1', [sampleEntry(`p${at}`, text)], []);
        const ids = async (words: string, scope: SearchScope = {}, limit = 10) =>
          (await index.phrase(words, scope, limit)).map(({ id }) => id);
        expect(await ids('to be or not')).toEqual(['p1', 'p0']);
        expect(await ids('to be or not', {}, 1)).toEqual(['p1']);
        expect(await ids('to be or not', { audience: { user: 'ann' } })).toEqual(['p0']);
        expect(await ids('100 % "sure"\n_x')).toEqual(['p2']);
        expect(await ids('to _be')).toEqual([]);
        expect(await ids('不要')).toEqual(['p3']);
        await transcript.rewrite('s2', { ids: ['p1'], state: 'undone', entries: [] }, []);
        expect(await ids('to be or not')).toEqual(['p0']);
      }),
    );

    it.each([
      '"',
      '""',
      '(',
      ')',
      '*',
      'a"b',
      'AND',
      'OR',
      'NOT',
      'NEAR',
      'text:x',
      '-x',
      '^x',
      '\0',
      "'",
      ';--',
      '',
      ' ',
      '\ud800',
    ])('takes %j for a word and never for a command', (term) =>
      on(async (storage) => {
        await filled(storage);
        expect((await found(storage, [term, 'rare'])).toSorted()).toEqual(['s1 m3', 's2 m3']);
        expect(await found(storage, [term])).toEqual([]);
        expect(await storage.index.frequencies([term])).toEqual({ counts: [0], total: 2 * FILLER });
      })(),
    );

    it(
      'finds nothing without terms',
      on(async (storage) => {
        expect(await found(await filled(storage), [])).toEqual([]);
      }),
    );

    it(
      'stays within its scope',
      on(async (storage) => {
        await filled(storage);
        const cases: readonly (readonly [SearchScope, readonly string[]])[] = [
          [{ audience: { user: 'ann' } }, ['s1 m3']],
          [{ audience: { user: 'ann', source: 'api' } }, []],
          [{ sessions: ['s2'] }, ['s2 m3']],
          [{ sessions: ['s1', 's2'] }, ['s1 m3', 's2 m3']],
          [{ sessions: [] }, []],
          [{ excludeSessions: ['s1'] }, ['s2 m3']],
          [{ excludeSessions: [] }, ['s1 m3', 's2 m3']],
          [{ sessions: ['s1'], audience: { user: 'bob' } }, []],
          [{ sessions: ['s1', 's2'], excludeSessions: ['s2'] }, ['s1 m3']],
        ];
        for (const [scope, ids] of cases)
          expect((await found(storage, ['rare'], scope)).toSorted()).toEqual(ids);
      }),
    );

    it(
      'weighs the fields',
      on(async (storage) => {
        await filled(storage);
        await storage.index.put([
          entry('s1 m0', 'x', { previous: 'needle' }),
          entry('s2 m0', 'needle'),
          entry('s2 m1', 'x', { next: 'needle' }),
        ]);
        expect((await found(storage, ['needle']))[0]).toBe('s2 m0');
        const context = await storage.index.query(['needle'], { ...WEIGHTS, text: 0.1, previous: 9 }, {}, 10);
        expect(context[0]?.id).toBe('s1 m0');
      }),
    );

    it(
      'replaces an entry that is put again',
      on(async (storage) => {
        await filled(storage);
        await storage.index.put([entry('s1 m3', 'changed')]);
        expect(await found(storage, ['rare'])).toEqual(['s2 m3']);
        expect(await found(storage, ['changed'])).toEqual(['s1 m3']);
        expect(await storage.index.frequencies(['rare', 'changed', 'none'])).toEqual({
          counts: [1, 1, 0],
          total: 2 * FILLER,
        });
      }),
    );

    it(
      'leaves out what was undone and keeps what was archived',
      on(async (storage) => {
        const { transcript } = await filled(storage);
        await transcript.rewrite('s1', { ids: ['s1 m3'], state: 'undone', entries: [] }, []);
        await transcript.rewrite('s2', { ids: ['s2 m3'], state: 'archived', entries: [] }, []);
        expect(await found(storage, ['rare'])).toEqual(['s2 m3']);
      }),
    );

    it(
      'tells which messages wait for an entry, with their neighbours',
      on(async (storage) => {
        const { transcript, index } = await filled(storage);
        expect(await index.missing(10)).toEqual([]);
        await transcript.append('s1', [sampleEntry('s1 x', 'x'), sampleEntry('s1 y', 'y')], []);
        const waiting = async () =>
          (await index.missing(10)).map(({ message, previous, next }) => [
            previous?.id,
            message.id,
            next?.id,
          ]);
        expect(await waiting()).toEqual([
          ['s1 m18', 's1 m19', 's1 x'],
          ['s1 m19', 's1 x', 's1 y'],
          ['s1 x', 's1 y', undefined],
        ]);
        await index.put([entry('s1 y', 'y')]);
        expect((await waiting()).map(([, id]) => id)).toContain('s1 x');
        await index.put([entry('s1 m19', 'filler'), entry('s1 x', 'x'), entry('s1 y', 'y')]);
        expect(await waiting()).toEqual([]);
        expect(await index.frequencies([])).toEqual({ counts: [], total: 2 * FILLER + 2 });
      }),
    );

    it(
      'tells of messages that wait after a session was removed',
      on(async (storage) => {
        const { sessions, transcript, index } = await filled(storage);
        await sessions.remove(['s2']);
        await transcript.append('s1', [sampleEntry('s1 x', 'x')], []);
        expect((await index.missing(10)).map(({ message }) => message.id)).toContain('s1 x');
      }),
    );
  });
}
