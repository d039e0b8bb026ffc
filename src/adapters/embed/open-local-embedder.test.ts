import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { embedderContract } from '#testkit/embedder';
import { localEmbedderState } from './local-embedder-state.ts';
import { openLocalEmbedder } from './open-local-embedder.ts';

const folder = process.env['HERMES_EMBED_DIR'] ?? join(homedir(), '.hermes', 'embed');
const { state } = await localEmbedderState(folder);
const skip = state === 'ready' ? undefined : 'no embedding weights here; HERMES_EMBED_DIR names their folder';
const signal = new AbortController().signal;

embedderContract('local', () => openLocalEmbedder(folder), { skip });

describe.skipIf(skip !== undefined)(`openLocalEmbedder${skip ? ` (skipped: ${skip})` : ''}`, () => {
  const embedder = openLocalEmbedder(folder, { idleMs: 1 });
  afterAll(() => embedder.close());
  const likeness = async (...texts: readonly [string, string]) => {
    const [a, b] = await embedder.embed(texts, signal);
    expect(a?.space).toBe(b?.space);
    return (a?.vector ?? new Float32Array()).reduce((sum, part, at) => sum + part * (b?.vector[at] ?? 0), 0);
  };

  it.each([
    ['connections ran out', 'the pool is exhausted', 'lunch is at noon'],
    ['连接池耗尽了', '连接已经用完', '今天中午吃什么'],
  ])('brings what means the same together: %s', async (text, same, other) => {
    expect(await likeness(text, same)).toBeGreaterThan((await likeness(text, other)) + 0.1);
  });

  it('sends each text to the model of its script', async () => {
    const found = await embedder.embed(['a pool', '连接池', 'the end'], signal);
    expect(found.map(({ space, vector }) => [space, vector.length])).toEqual([
      ['minilm-l6-v2-q8', 384],
      ['bge-small-zh-v1.5-q8', 512],
      ['minilm-l6-v2-q8', 384],
    ]);
  });

  it('never keeps the process from doing other things', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await embedder.embed(
      Array.from({ length: 64 }, (_, at) => `line ${at} of a long log that goes on`),
      signal,
    );
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  it('goes on after it was closed', async () => {
    await embedder.close();
    expect(await embedder.embed(['again'], signal)).toHaveLength(1);
  });
});
