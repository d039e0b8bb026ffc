import { describe, expect, it } from 'vitest';
import { eventStream } from './event-stream.ts';

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

describe('eventStream', () => {
  it('runs at once and keeps what was emitted before anyone iterates', async () => {
    let ran = false;
    const stream = eventStream<number, string>(async (emit) => {
      ran = true;
      emit(1);
      emit(2);
      return 'end';
    });
    expect(ran).toBe(true);
    expect(await stream.result()).toBe('end');
    expect(await all(stream)).toEqual([1, 2]);
  });

  it('gives a result to someone who never iterates', async () => {
    const stream = eventStream<number, number>(async (emit) => {
      for (let i = 0; i < 100; i++) emit(i);
      return 7;
    });
    expect(await stream.result()).toBe(7);
    expect(await stream.result()).toBe(7);
  });

  it('hands each event over as it comes, in order', async () => {
    const steps: string[] = [];
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const stream = eventStream<number, void>(async (emit) => {
      for (const [index, gate] of gates.entries()) {
        await gate.promise;
        steps.push(`emit ${index}`);
        emit(index);
      }
      await Promise.resolve();
    });
    const events = stream[Symbol.asyncIterator]();
    for (const [index, gate] of gates.entries()) {
      const next = events.next();
      gate.resolve();
      steps.push(`got ${(await next).value}`);
      expect(steps.at(-2)).toBe(`emit ${index}`);
    }
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(steps).toEqual(['emit 0', 'got 0', 'emit 1', 'got 1']);
  });

  it('loses nothing that is emitted while the reader is busy', async () => {
    const first = Promise.withResolvers<void>();
    const stream = eventStream<number, void>(async (emit) => {
      emit(0);
      await first.promise;
      for (let i = 1; i <= 50; i++) {
        emit(i);
        if (i % 7 === 0) await Promise.resolve();
      }
    });
    const seen: number[] = [];
    for await (const event of stream) {
      seen.push(event);
      first.resolve();
      if (event % 3 === 0) await new Promise<void>((resolve) => void setImmediate(resolve));
    }
    expect(seen).toEqual(Array.from({ length: 51 }, (_, i) => i));
  });

  it('ends the iteration when its maker breaks the rule and throws, and tells whoever asks', async () => {
    const stream = eventStream<number, never>(async (emit) => {
      emit(1);
      throw new Error('broken');
    });
    expect(await all(stream)).toEqual([1]);
    await expect(stream.result()).rejects.toThrow('broken');
  });
});
