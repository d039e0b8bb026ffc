import { describe, expect, it } from 'vitest';
import type { StagedWrite } from '#spec/data';
import type { OnMemory } from './memory-store-contract.ts';
import { ANN, BOB } from './samples.ts';

const write = (id: string, scope = ANN): StagedWrite => ({
  id,
  scope,
  target: 'notebook',
  tool: 'memory',
  input: { action: 'add', content: '"x" 中' },
  shown: 'adds a line',
  why: 'review',
  at: 1,
});

export function describeStagedWrites(name: string, on: OnMemory): void {
  describe(`${name}: writes that wait`, () => {
    it(
      'lists them by scope, oldest first',
      on(async ({ staged }) => {
        for (const one of [write('b'), write('a'), write('c', BOB)]) await staged.add(one);
        expect(await staged.list([ANN])).toEqual([write('b'), write('a')]);
        expect((await staged.list([ANN, BOB])).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
        expect(await staged.list([])).toEqual([]);
        expect((await staged.list()).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
      }),
    );

    it(
      'gives each of them to one who takes it',
      on(async ({ staged }) => {
        await staged.add(write('a'));
        const taken = await Promise.all([staged.take('a'), staged.take('a'), staged.take('b')]);
        expect(taken).toEqual([write('a'), undefined, undefined]);
        expect(await staged.list([ANN])).toEqual([]);
      }),
    );
  });
}
