import { describe, expect, it } from 'vitest';
import { embeddedText, termFields } from './term-fields.ts';

describe('termFields', () => {
  it('cuts a text and what stood around it', () => {
    const fields = termFields({
      text: 'We rolled back the payment-service',
      at: new Date(2026, 4, 3).getTime(),
      speaker: 'Lin',
      previous: 'Is the payment broken?',
    });
    expect(fields).toMatchObject({ speaker: 'lin', previous: 'payment broken', next: '' });
    expect(fields.text.split(' ')).toEqual(expect.arrayContaining(['roll', 'payment-service', 'payment']));
    expect(fields.date.split(' ')).toContain('2026-05-03');
  });

  it('takes only the beginning of a neighbour', () => {
    const next = Array.from({ length: 50 }, (_, at) => `word${at}`).join(' ');
    expect(termFields({ text: '', at: 0, next }).next.split(' ')).toHaveLength(10);
  });
});

describe('embeddedText', () => {
  it('says who speaks, and no more than a model reads', () => {
    expect(embeddedText({ text: 'it is full', speaker: 'Lin' })).toBe('Lin: it is full');
    expect(embeddedText({ text: 'it is full' })).toBe('it is full');
    expect(embeddedText({ text: 'x'.repeat(9_000) }).length).toBe(2_000);
  });
});
