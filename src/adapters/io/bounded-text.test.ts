import { describe, expect, it } from 'vitest';
import { boundedText } from './bounded-text.ts';

describe('boundedText', () => {
  it('reads a whole answer, also one without a body', async () => {
    expect(await boundedText(new Response('支付 ok'), 100)).toEqual({ text: '支付 ok', cut: false });
    expect(await boundedText(new Response('12345'), 5)).toEqual({ text: '12345', cut: false });
    expect(await boundedText(new Response(null), 5)).toEqual({ text: '', cut: false });
  });

  it('stops at the bound, breaks no character in two, and leaves the rest of an endless answer', async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (stream) => {
        pulled += 1;
        stream.enqueue(new TextEncoder().encode('支付'));
      },
    });
    expect(await boundedText(new Response(endless), 7)).toEqual({ text: '支付', cut: true });
    expect(pulled).toBeLessThan(10);
  });
});
