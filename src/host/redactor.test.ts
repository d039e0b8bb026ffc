import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { redact } from '#kit/redact';
import { cleanStored } from './redactor.ts';

const clean = cleanStored({ text: (text) => redact(text, ['sekrit-value-9']) });

it('keeps what a vendor signed, and pictures, and nothing else that looks drawn by lot', () => {
  for (let round = 0; round < 50; round++) {
    const signature = randomBytes(120).toString('base64');
    const message = {
      role: 'assistant',
      content: [
        {
          type: 'thinking',
          text: 'about sekrit-value-9',
          replay: { signature, nested: { blob: signature } },
        },
        { type: 'image', mediaType: 'image/png', data: signature },
        { type: 'text', text: 'password=sekrit-value-9' },
      ],
    };
    const stored = clean(JSON.stringify(message));
    expect(stored).not.toContain('sekrit-value-9');
    const { content } = JSON.parse(stored) as typeof message;
    expect(content[0]).toMatchObject({ replay: { signature, nested: { blob: signature } } });
    expect(content[1]).toEqual(message.content[1]);
  }
});

it('cleans what only looks like a message', () => {
  expect(clean('"type":"image" password=sekrit-value-9')).not.toContain('sekrit');
  expect(clean('plain sekrit-value-9')).not.toContain('sekrit');
});
