import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Embedder, Embedding } from '#spec/ports';

export interface EmbedderContractOptions {
  /** Why it cannot run here. Every test is skipped then, under a name that says so. */
  readonly skip?: string | undefined;
}

const signal = new AbortController().signal;

/** What every implementation of the `Embedder` port holds, whatever model is behind it. */
export function embedderContract(
  name: string,
  open: () => Embedder | Promise<Embedder>,
  { skip }: EmbedderContractOptions = {},
): void {
  describe.skipIf(skip !== undefined)(
    `Embedder contract: ${name}${skip ? ` (skipped: ${skip})` : ''}`,
    () => {
      let embedder: Embedder;
      beforeAll(async () => {
        embedder = await open();
      });
      afterAll(() => embedder.close());
      const embed = (...texts: string[]) => embedder.embed(texts, signal);

      it('gives one unit vector for each text, in their order', async () => {
        const texts = Array.from(
          { length: 70 },
          (_, at) => `${'very '.repeat(at % 7)}slow query number ${at}`,
        );
        const all = await embed(...texts);
        expect(all).toHaveLength(70);
        for (const { vector } of all) expect(norm(vector)).toBeCloseTo(1, 4);
        const [alone] = await embed(texts[33] as string);
        expect(cosine(all[33], alone)).toBeGreaterThan(0.97);
        expect(new Set(all.map(({ vector }) => vector.length)).size).toBe(1);
      });

      it('gives the same text the same vector', async () => {
        const [first] = await embed('the disk of db-1 is full');
        const [again] = await embed('the disk of db-1 is full');
        expect(again).toEqual(first);
      });

      it('names one space for texts of one language, and gives each space one length', async () => {
        const all = await embed(
          'the pool is exhausted',
          'a certificate has expired',
          '连接池耗尽了',
          '证书过期了',
        );
        const lengths = new Map<string, Set<number>>();
        for (const { space, vector } of all)
          lengths.set(space, (lengths.get(space) ?? new Set()).add(vector.length));
        expect(all[0]?.space).toBe(all[1]?.space);
        expect(all[2]?.space).toBe(all[3]?.space);
        for (const sizes of lengths.values()) expect(sizes.size).toBe(1);
      });

      it('takes any text', async () => {
        const odd = ['', ' ', '\0', '🙂', '\ud800', 'x'.repeat(50_000), '漢'.repeat(5_000), '\u200b'];
        for (const { vector } of await embed(...odd)) expect(vector.every(Number.isFinite)).toBe(true);
        expect(await embed()).toEqual([]);
      });

      it('does nothing for whoever has given up', async () => {
        const given = AbortSignal.abort(new Error('given up'));
        await expect(embedder.embed(['a text'], given)).rejects.toThrow('given up');
      });

      it('answers many at once', async () => {
        const all = await Promise.all(Array.from({ length: 8 }, (_, at) => embed(`question ${at}`)));
        expect(all.map((one) => one.length)).toEqual(Array.from({ length: 8 }, () => 1));
      });
    },
  );
}

const norm = (vector: Float32Array) => Math.hypot(...vector);

function cosine(a: Embedding | undefined, b: Embedding | undefined): number {
  return a && b ? a.vector.reduce((sum, part, at) => sum + part * (b.vector[at] ?? 0), 0) : Number.NaN;
}
