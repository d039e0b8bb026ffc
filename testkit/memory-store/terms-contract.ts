import { describe, expect, it } from 'vitest';
import type { MemoryEntry } from '#spec/data';
import type { MemoryStorage, OnMemory } from './memory-store-contract.ts';
import { ANN, BOB, sampleMemory, sampleTerms, TEAM } from './samples.ts';

const WEIGHTS = { text: 1, speaker: 0.5, previous: 0.3, next: 0.3, date: 0.2 };
const FILLER = 20;

const found = async (
  { index }: MemoryStorage,
  terms: readonly string[],
  scopes: readonly string[] = [ANN, BOB],
  limit = 10,
) => (await index.byTerms(terms, WEIGHTS, scopes, limit)).map(({ entry }) => entry.text).toSorted();

/** Entries of two people, with enough others for a word to be rare. */
async function filled({ store, index }: MemoryStorage): Promise<readonly MemoryEntry[]> {
  const memories = [ANN, BOB].flatMap((scope) =>
    Array.from({ length: FILLER }, (_, at) => sampleMemory(`${scope} ${at}`, { scope })),
  );
  const entries = await store.put(memories);
  await index.putTerms(
    entries.map(({ id, text }) =>
      sampleTerms(id, text.endsWith(' 3') ? 'rare pool 回滚 payment-service' : 'filler words'),
    ),
  );
  return entries;
}

export function describeTerms(name: string, on: OnMemory): void {
  describe(`${name}: search by terms`, () => {
    it(
      'finds entries of the scopes by any of the terms, best first',
      on(async (storage) => {
        await filled(storage);
        expect(await found(storage, ['rare'])).toEqual([`${ANN} 3`, `${BOB} 3`]);
        expect(await found(storage, ['回滚', 'unheard'], [ANN])).toEqual([`${ANN} 3`]);
        expect(await found(storage, ['payment-service'], [BOB, TEAM])).toEqual([`${BOB} 3`]);
        expect(await found(storage, ['rare'], [TEAM])).toEqual([]);
        expect(await found(storage, ['rare'], [])).toEqual([]);
        expect(await found(storage, [])).toEqual([]);
        expect(await found(storage, ['filler'], [ANN], 5)).toHaveLength(5);
        const hits = await storage.index.byTerms(['rare', 'pool', 'filler'], WEIGHTS, [ANN], 5);
        expect(hits[0]?.entry).toMatchObject({ text: `${ANN} 3`, provenance: { by: 'user' }, scope: ANN });
        expect(hits.map(({ score }) => score)).toEqual(
          hits.map(({ score }) => score).toSorted((a, b) => b - a),
        );
        expect(hits[0]?.score).toBeGreaterThan(hits[1]?.score ?? 0);
      }),
    );

    it(
      'weighs the fields',
      on(async (storage) => {
        const [a, b] = await filled(storage);
        await storage.index.putTerms([
          sampleTerms(a?.id ?? '', 'x', { previous: 'needle' }),
          sampleTerms(b?.id ?? '', 'needle'),
        ]);
        const best = async (weights: typeof WEIGHTS) =>
          (await storage.index.byTerms(['needle'], weights, [ANN], 5))[0]?.entry.id;
        expect(await best(WEIGHTS)).toBe(b?.id);
        expect(await best({ ...WEIGHTS, text: 0.1, previous: 9 })).toBe(a?.id);
      }),
    );

    it.each(['"', '(', '*', 'a"b', 'AND', 'NEAR', 'text:x', '-x', '^x', '\0', "'", ';--', '', ' ', '\ud800'])(
      'takes %j for a word and never for a command',
      (term) =>
        on(async (storage) => {
          await filled(storage);
          expect(await found(storage, [term, 'rare'], [ANN])).toEqual([`${ANN} 3`]);
          expect(await found(storage, [term])).toEqual([]);
          expect(await storage.index.frequencies([term])).toEqual({ counts: [0], total: 2 * FILLER });
        })(),
    );

    it(
      'tells which entries wait for their terms, oldest first',
      on(async (storage) => {
        const { store, index } = storage;
        const [a, b, c] = await store.put(['a', 'b', 'c'].map((text) => sampleMemory(text)));
        expect(await index.withoutTerms(2)).toEqual([a, b]);
        await index.putTerms([sampleTerms(a?.id ?? '', 'alpha'), sampleTerms('none', 'x')]);
        expect(await index.withoutTerms(9)).toEqual([b, c]);
        await store.change(b?.id ?? '', { state: 'forgotten' });
        const next = await store.change(a?.id ?? '', { text: 'a2' });
        expect((await index.withoutTerms(9)).map(({ id }) => id)).toEqual([c?.id, next?.id]);
        expect(await index.frequencies(['alpha'])).toEqual({ counts: [0], total: 0 });
      }),
    );

    it(
      'finds active entries only, and has those that come back indexed again',
      on(async (storage, time) => {
        const { store, index } = storage;
        const put = await filled(storage);
        const rare = put.filter(({ text }) => text.endsWith(' 3')).map(({ id }) => id);
        await store.change(rare[0] ?? '', { state: 'forgotten' });
        expect(await found(storage, ['rare'])).toEqual([`${BOB} 3`]);
        expect(await index.frequencies(['rare'])).toEqual({ counts: [1], total: 2 * FILLER - 1 });
        await store.change(rare[0] ?? '', { state: 'active' });
        expect((await index.withoutTerms(9)).map(({ id }) => id)).toEqual([rare[0]]);
        await index.putTerms([sampleTerms(rare[0] ?? '', 'rare')]);
        expect(await found(storage, ['rare'])).toEqual([`${ANN} 3`, `${BOB} 3`]);
        await store.change(rare[1] ?? '', { expiresAt: time.now + 1 });
        time.now += 1;
        expect(await found(storage, ['rare'])).toEqual([`${ANN} 3`]);
      }),
    );

    it(
      'replaces the terms of an entry, and drops those of an erased one',
      on(async (storage) => {
        const put = await filled(storage);
        const id = put.find(({ text }) => text === `${ANN} 3`)?.id ?? '';
        await storage.index.putTerms([sampleTerms(id, 'changed')]);
        expect(await found(storage, ['rare'])).toEqual([`${BOB} 3`]);
        expect(await storage.index.frequencies(['rare', 'changed'])).toEqual({
          counts: [1, 1],
          total: 2 * FILLER,
        });
        await storage.store.erase([id]);
        expect(await found(storage, ['changed'])).toEqual([]);
        expect(await storage.index.frequencies(['rare', 'changed'])).toEqual({
          counts: [1, 0],
          total: 2 * FILLER - 1,
        });
      }),
    );
  });
}
