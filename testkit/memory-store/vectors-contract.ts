import { describe, expect, it } from 'vitest';
import type { MemoryStorage, OnMemory } from './memory-store-contract.ts';
import { ANN, BOB, sampleMemory, sampleVector, scatteredVectors, TEAM } from './samples.ts';

const SPACE = 'test-1';
const MANY = 3_000;
const DIMENSIONS = 64;

/** Puts entries with their vectors, and gives their ids. */
async function put(
  { store, index }: MemoryStorage,
  scope: string,
  vectors: readonly Float32Array[],
  space = SPACE,
): Promise<readonly string[]> {
  const entries = await store.put(vectors.map((_, at) => sampleMemory(`${scope} ${space} ${at}`, { scope })));
  await index.putVectors(entries.map(({ id }, at) => ({ id, space, vector: vectors[at] as Float32Array })));
  return entries.map(({ id }) => id);
}

const near = async (
  { index }: MemoryStorage,
  vector: Float32Array,
  scopes: readonly string[] = [ANN],
  limit = 5,
  space = SPACE,
) => (await index.byVector({ space, vector }, scopes, limit)).map(({ entry }) => entry.id);

const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

export function describeVectors(name: string, on: OnMemory): void {
  describe(`${name}: search by vectors`, () => {
    it(
      'finds the nearest entries of the scopes, with their similarity',
      on(async (storage) => {
        const [a, b, c] = await put(
          storage,
          ANN,
          [0, 0.5, 2].map((angle) => sampleVector(angle)),
        );
        const [other] = await put(storage, BOB, [sampleVector(0.1)]);
        const hits = await storage.index.byVector({ space: SPACE, vector: sampleVector(0) }, [ANN], 5);
        expect(hits.map(({ entry }) => entry.id)).toEqual([a, b, c]);
        for (const [at, angle] of [0, 0.5, 2].entries())
          expect(hits[at]?.similarity).toBeCloseTo(Math.cos(angle), 2);
        expect(await near(storage, sampleVector(0.1), [TEAM, BOB, ANN], 2)).toEqual([other, a]);
        expect(await near(storage, sampleVector(0.1), [TEAM])).toEqual([]);
        expect(await near(storage, sampleVector(0.1), [])).toEqual([]);
      }),
    );

    it(
      'keeps spaces apart, and refuses a length that does not fit',
      on(async (storage) => {
        const [a] = await put(storage, ANN, [sampleVector(0)]);
        const [b] = await put(storage, ANN, [sampleVector(0, 24)], 'test-2');
        expect(await near(storage, sampleVector(0))).toEqual([a]);
        expect(await near(storage, sampleVector(0, 24), [ANN], 5, 'test-2')).toEqual([b]);
        expect(await near(storage, sampleVector(0), [ANN], 5, 'test-2')).toEqual([]);
        expect(await near(storage, sampleVector(0), [ANN], 5, 'test-3')).toEqual([]);
        const wrong = storage.index.putVectors([{ id: a ?? '', space: SPACE, vector: sampleVector(0, 24) }]);
        await expect(wrong).rejects.toMatchObject({ record: { code: 'input.invalid' } });
        const nonsense = new Float32Array(48).fill(Number.NaN);
        await expect(
          storage.index.putVectors([{ id: a ?? '', space: SPACE, vector: nonsense }]),
        ).rejects.toMatchObject({ record: { code: 'input.invalid' } });
        expect(await near(storage, sampleVector(0))).toEqual([a]);
      }),
    );

    it(
      'tells which entries wait for a vector, and takes a new one in place of the old',
      on(async (storage) => {
        const { store, index } = storage;
        const [a, b] = await store.put([sampleMemory('a'), sampleMemory('b')]);
        expect((await index.withoutVector(1)).map(({ id }) => id)).toEqual([a?.id]);
        await index.putVectors([
          { id: a?.id ?? '', space: SPACE, vector: sampleVector(0) },
          { id: 'none', space: SPACE, vector: sampleVector(0) },
        ]);
        expect((await index.withoutVector(9)).map(({ id }) => id)).toEqual([b?.id]);
        await index.putVectors([{ id: a?.id ?? '', space: 'test-2', vector: sampleVector(1, 24) }]);
        expect(await near(storage, sampleVector(0))).toEqual([]);
        expect(await near(storage, sampleVector(1, 24), [ANN], 5, 'test-2')).toEqual([a?.id]);
      }),
    );

    it(
      'finds active entries only',
      on(async (storage, time) => {
        const { store, index } = storage;
        const [a, b, c, d] = await put(
          storage,
          ANN,
          [0, 0.1, 0.2, 0.3].map((angle) => sampleVector(angle)),
        );
        await store.change(a ?? '', { state: 'forgotten' });
        await store.change(b ?? '', { expiresAt: time.now + 1 });
        const next = await store.change(c ?? '', { text: 'other words' });
        time.now += 1;
        expect(await near(storage, sampleVector(0))).toEqual([d]);
        await store.change(a ?? '', { state: 'active' });
        expect((await index.withoutVector(9)).map(({ id }) => id)).toEqual([a, next?.id]);
        await store.erase([d ?? '']);
        expect(await near(storage, sampleVector(0))).toEqual([]);
      }),
    );

    it(
      'finds nearly all of the nearest among many, and never loses a small scope beside a large one',
      on(async (storage) => {
        const vectors = scatteredVectors(MANY, DIMENSIONS);
        const ids = await put(storage, ANN, vectors);
        const [lone] = await put(storage, BOB, [vectors[7] as Float32Array]);
        expect(await near(storage, vectors[7] as Float32Array, [BOB], 1)).toEqual([lone]);
        expect(await near(storage, vectors[8] as Float32Array, [BOB, ANN], 1)).toEqual([ids[8]]);
        let right = 0;
        for (const query of scatteredVectors(10, DIMENSIONS, 77)) {
          const truth = ids
            .map((id, at) => ({ id, similarity: cosine(query, vectors[at] as Float32Array) }))
            .toSorted((a, b) => b.similarity - a.similarity)
            .slice(0, 10)
            .map(({ id }) => id);
          const got = new Set(await near(storage, query, [ANN], 10));
          right += truth.filter((id) => got.has(id)).length;
        }
        expect(right).toBeGreaterThanOrEqual(95);
        // Most of them go, in an order of their own: those that stay are still found.
        const gone = ids.filter((_, at) => at % 5 !== 0);
        for (let at = 0; at < gone.length; at += 600) await storage.store.erase(gone.slice(at, at + 600));
        expect(await near(storage, vectors[8] as Float32Array, [ANN], 1)).not.toEqual([ids[8]]);
        for (const at of [0, 5, 1_500, 2_995])
          expect(await near(storage, vectors[at] as Float32Array, [ANN], 1)).toEqual([ids[at]]);
        expect(await near(storage, vectors[0] as Float32Array, [ANN], MANY)).toHaveLength(MANY / 5);
      }),
      60_000,
    );
  });
}
