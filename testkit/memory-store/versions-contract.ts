import { describe, expect, it } from 'vitest';
import type { OnMemory } from './memory-store-contract.ts';
import { BOB, sampleMemory } from './samples.ts';

export function describeVersions(name: string, on: OnMemory): void {
  describe(`${name}: versions of entries`, () => {
    it(
      'an entry of the same scope and key takes the place of the one before',
      on(async ({ store }, time) => {
        const keyed = (text: string, more = {}) => sampleMemory(text, { key: 'pay/pool', ...more });
        const [first, others] = await store.put([keyed('10'), keyed('10', { scope: BOB })]);
        time.now = 2_000;
        const [second, third] = await store.put([keyed('20'), keyed('30')]);
        expect(second).toMatchObject({ version: 2, replaces: first?.id, createdAt: 2_000 });
        expect(third).toMatchObject({ version: 3, replaces: second?.id, state: 'active' });
        expect(await store.list({ limit: 10 })).toEqual([third, others]);
        const replaced = await store.list({ states: ['replaced'], limit: 10 });
        expect(replaced.map(({ text, updatedAt }) => [text, updatedAt])).toEqual([
          ['20', 2_000],
          ['10', 2_000],
        ]);
        for (const entry of [first, second, third])
          expect((await store.history(entry?.id ?? '')).map(({ text }) => text)).toEqual(['30', '20', '10']);
        expect(await store.count()).toBe(2);
      }),
    );

    it(
      'an entry that says the same as an active one changes nothing',
      on(async ({ store }, time) => {
        const [plain, keyed] = await store.put([sampleMemory('a'), sampleMemory('b', { key: 'k' })]);
        time.now = 2_000;
        const again = [sampleMemory('a', { trust: 1 }), sampleMemory('b', { key: 'k' }), sampleMemory('b')];
        expect(await store.put(again)).toEqual([plain, keyed, keyed]);
        expect((await store.put([sampleMemory('a', { kind: 'lesson' })]))[0]?.id).not.toBe(plain?.id);
        expect((await store.put([sampleMemory('a', { scope: BOB })]))[0]?.id).not.toBe(plain?.id);
        // The same words about something else are another fact; about something, they replace those about nothing.
        expect((await store.put([sampleMemory('b', { key: 'other' })]))[0]).toMatchObject({ version: 1 });
        expect((await store.put([sampleMemory('a', { key: 'a' })]))[0]).toMatchObject({
          replaces: plain?.id,
        });
        expect(await store.count()).toBe(5);
      }),
    );

    it(
      'a new text is a new version, everything else is not',
      on(async ({ store }, time) => {
        const [first] = await store.put([sampleMemory('a', { key: 'k', context: { speaker: 'ann' } })]);
        time.now = 2_000;
        const changed = await store.change(first?.id ?? '', { trust: 0.9, key: 'l', expiresAt: 7_000 });
        expect(changed).toEqual({ ...first, trust: 0.9, key: 'l', expiresAt: 7_000, updatedAt: 2_000 });
        expect(await store.change(first?.id ?? '', { text: 'a' })).toMatchObject({
          id: first?.id,
          version: 1,
        });
        const next = await store.change(first?.id ?? '', { text: 'b', key: undefined });
        expect(next).toMatchObject({
          text: 'b',
          version: 2,
          replaces: first?.id,
          context: { speaker: 'ann' },
        });
        expect(next).not.toHaveProperty('key');
        expect((await store.history(next?.id ?? '')).map(({ state }) => state)).toEqual([
          'active',
          'replaced',
        ]);
      }),
    );

    it(
      'one version that is brought back takes the place of the active one',
      on(async ({ store }) => {
        const [first] = await store.put([sampleMemory('10', { key: 'k' })]);
        const [second] = await store.put([sampleMemory('20', { key: 'k' })]);
        await store.change(first?.id ?? '', { state: 'active' });
        expect((await store.list({ limit: 10 })).map(({ text }) => text)).toEqual(['10']);
        const [third] = await store.put([sampleMemory('30', { key: 'k' })]);
        expect(third).toMatchObject({ version: 3, replaces: first?.id });
        await store.change(second?.id ?? '', { text: '25', state: 'active' });
        expect((await store.history(third?.id ?? '')).map(({ text, state }) => [text, state])).toEqual([
          ['25', 'active'],
          ['30', 'replaced'],
          ['20', 'replaced'],
          ['10', 'replaced'],
        ]);
        expect(await store.count()).toBe(1);
      }),
    );

    it(
      'a key that another entry has is taken over',
      on(async ({ store }) => {
        const [a, b] = await store.put([sampleMemory('a', { key: 'k' }), sampleMemory('b')]);
        await store.change(b?.id ?? '', { key: 'k' });
        expect(await store.list({ key: 'k', limit: 10 })).toMatchObject([{ text: 'b' }]);
        expect(await store.list({ ids: [a?.id ?? ''], states: ['replaced'], limit: 1 })).toHaveLength(1);
      }),
    );
  });
}
