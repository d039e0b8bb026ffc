import { describe, expect, it } from 'vitest';
import type { OnLedger } from './ledger-contract.ts';

export function describeTaintBook(name: string, on: OnLedger): void {
  describe(`${name}: taints`, () => {
    it(
      'keeps each once, by session',
      on(async ({ taints }) => {
        expect(await taints.read('s1')).toEqual([]);
        expect(await taints.add('s1', 'untrusted', 1)).toBe(true);
        expect(await taints.add('s1', 'untrusted', 2)).toBe(false);
        expect(await taints.add('s1', 'private', 3)).toBe(true);
        expect(await taints.add('s2', 'private', 4)).toBe(true);
        expect(await taints.read('s1')).toEqual(['private', 'untrusted']);
        expect(await taints.read('s2')).toEqual(['private']);
      }),
    );
  });
}
