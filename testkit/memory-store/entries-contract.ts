import { describe, expect, it } from 'vitest';
import { AppError } from '#kit/app-error';
import type { MemoryEntry } from '#spec/data';
import type { MemoryFilter, MemoryStore } from '#spec/ports';
import type { OnMemory } from './memory-store-contract.ts';
import { ANN, BOB, sampleMemory, TEAM } from './samples.ts';

const texts = async (store: MemoryStore, filter: Partial<MemoryFilter> = {}) =>
  (await store.list({ limit: 100, ...filter })).map(({ text }) => text);

const put = async (store: MemoryStore, ...memories: Parameters<typeof sampleMemory>[]) =>
  store.put(memories.map((memory) => sampleMemory(...memory)));

export function describeEntries(name: string, on: OnMemory): void {
  describe(`${name}: entries`, () => {
    it(
      'gives back what was put, with what the store adds',
      on(async ({ store }) => {
        const memory = sampleMemory('上线窗口是 22:00\n"quoted"', {
          key: 'release/window',
          context: { speaker: 'ann', previous: 'when?' },
          trust: 0.8,
          expiresAt: 9_000,
        });
        const [entry] = await store.put([memory]);
        const times = { createdAt: 1_000, updatedAt: 1_000, accesses: 0, version: 1, state: 'active' };
        expect(entry).toEqual({ ...memory, ...times, id: entry?.id });
        expect(await store.list({ limit: 10 })).toEqual([entry]);
        expect(await store.count()).toBe(1);
        const [plain] = await put(store, ['plain']);
        expect(Object.keys(plain ?? {})).not.toContain('key');
        expect(plain?.trust).toBe(0.5);
      }),
    );

    it(
      'keeps an id that is given, and refuses it for anything else',
      on(async ({ store }) => {
        const given = sampleMemory('a', { id: 'mem_given' });
        expect((await store.put([given]))[0]?.id).toBe('mem_given');
        expect(await store.put([given])).toHaveLength(1);
        await expect(
          store.put([sampleMemory('b'), sampleMemory('c', { id: 'mem_given' })]),
        ).rejects.toMatchObject({ record: { code: 'input.invalid' } });
        expect(await texts(store)).toEqual(['a']);
      }),
    );

    it(
      'counts by scope, kind and state, and what has expired as forgotten',
      on(async ({ store }) => {
        await put(store, ['a'], ['b', { key: 'k' }], ['c', { key: 'k' }], ['gone', { expiresAt: 10 }]);
        await put(store, ['d', { scope: TEAM, kind: 'fault_pattern' }]);
        expect(await store.tally()).toEqual([
          { scope: ANN, kind: 'fact', state: 'active', count: 2 },
          { scope: ANN, kind: 'fact', state: 'forgotten', count: 1 },
          { scope: ANN, kind: 'fact', state: 'replaced', count: 1 },
          { scope: TEAM, kind: 'fault_pattern', state: 'active', count: 1 },
        ]);
      }),
    );

    it(
      'lists the newest first, by every part of a filter',
      on(async ({ store }, time) => {
        const first = await put(
          store,
          ['a', { key: 'pay/pool', kind: 'lesson' }],
          ['b', { scope: BOB }],
          ['c', { key: 'pay/owner' }],
          ['d', { key: 'payments' }],
        );
        time.now = 2_000;
        await put(store, ['e', { scope: TEAM }]);
        const cases: readonly (readonly [Partial<MemoryFilter>, readonly string[]])[] = [
          [{}, ['e', 'd', 'c', 'b', 'a']],
          [{ limit: 2 }, ['e', 'd']],
          [{ scopes: [ANN] }, ['d', 'c', 'a']],
          [{ scopes: [BOB, TEAM] }, ['e', 'b']],
          [{ scopes: [] }, []],
          [{ kinds: ['lesson'] }, ['a']],
          [{ key: 'pay/pool' }, ['a']],
          [{ key: 'pay/' }, ['c', 'a']],
          [{ key: 'pay' }, []],
          [{ ids: [first[1]?.id ?? '', 'none'] }, ['b']],
          [{ before: 2_000 }, ['d', 'c', 'b', 'a']],
          [{ states: [] }, []],
          [{ states: ['forgotten', 'replaced'] }, []],
          [{ unusedSince: 2_000 }, ['d', 'c', 'b', 'a']],
        ];
        for (const [filter, found] of cases)
          expect(await texts(store, filter), JSON.stringify(filter)).toEqual(found);
      }),
    );

    it(
      'counts accesses, and knows what nobody has used',
      on(async ({ store }) => {
        const [a, b] = await put(store, ['a'], ['b']);
        await store.touch([a?.id ?? '', 'none'], 5_000);
        await store.touch([a?.id ?? ''], 4_000);
        const seen = async (): Promise<Partial<MemoryEntry> | undefined> =>
          (await store.list({ ids: [a?.id ?? ''], limit: 1 }))[0];
        expect(await seen()).toMatchObject({ accesses: 2, accessedAt: 5_000, updatedAt: 1_000 });
        expect(await texts(store, { unusedSince: 5_000 })).toEqual(['b']);
        expect(b?.accesses).toBe(0);
        await store.change(a?.id ?? '', { text: 'a2' });
        expect((await store.list({ limit: 1 }))[0]).toMatchObject({ text: 'a2', accesses: 2 });
      }),
    );

    it(
      'forgets what has expired, and what it is told to',
      on(async ({ store }, time) => {
        const [soon, told] = await put(store, ['soon', { expiresAt: 1_500, key: 'k' }], ['told'], ['stays']);
        expect(await store.change(told?.id ?? '', { state: 'forgotten' })).toMatchObject({
          state: 'forgotten',
        });
        expect(await store.change('none', { trust: 1 })).toBeUndefined();
        expect(await store.count()).toBe(2);
        time.now = 1_500;
        expect(await texts(store)).toEqual(['stays']);
        expect(await texts(store, { states: ['forgotten'] })).toEqual(['told', 'soon']);
        expect(await store.count()).toBe(1);
        // A later date alone does not bring it back.
        expect(await store.change(soon?.id ?? '', { expiresAt: 9_000 })).toMatchObject({
          state: 'forgotten',
        });
        expect(
          await store.change(soon?.id ?? '', { state: 'active', expiresAt: undefined }),
        ).not.toHaveProperty('expiresAt');
        expect(await texts(store)).toEqual(['stays', 'soon']);
        expect(await store.count()).toBe(2);
      }),
    );

    it(
      'puts all of a call or nothing',
      on(async ({ store }) => {
        const broken = { ...sampleMemory('b'), text: undefined } as unknown as ReturnType<
          typeof sampleMemory
        >;
        await expect(store.put([sampleMemory('a'), broken])).rejects.toBeInstanceOf(AppError);
        expect(await texts(store)).toEqual([]);
        expect(await store.count()).toBe(0);
      }),
    );

    it(
      'erases entries and tells how many',
      on(async ({ store }) => {
        const [a, b] = await put(store, ['a'], ['b'], ['c']);
        await store.change(a?.id ?? '', { text: 'a2' });
        expect(await store.erase([a?.id ?? '', b?.id ?? '', 'none'])).toBe(2);
        expect(await texts(store, { states: ['active', 'replaced', 'forgotten'] })).toEqual(['c']);
        expect(await store.history(a?.id ?? '')).toEqual([]);
        expect(await store.count()).toBe(1);
        expect(await store.erase([a?.id ?? ''])).toBe(0);
      }),
    );
  });
}
