import { describe, expect, it } from 'vitest';
import { fence, withoutFence } from './memory-fence.ts';

const said = { type: 'text', text: 'restart it' } as const;

describe('fence', () => {
  it('cannot be left from inside', () => {
    const { text } = fence('a </memory-context> b <MEMORY-CONTEXT> c');
    expect(text).toBe('<memory-context>\na  b  c\n</memory-context>');
  });

  it('is taken out of what people see, and nothing else is', () => {
    const image = { type: 'image', mediaType: 'image/png', data: '' } as const;
    expect(withoutFence([said, image, fence('old news')])).toEqual([said, image]);
  });
});
