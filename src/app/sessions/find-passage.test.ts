import { expect, it } from 'vitest';
import { cpuMs } from '#testkit/cpu-time';
import { findPassage } from './find-passage.ts';

const marked = (text: string, query: string) =>
  findPassage(text, query)
    .map((piece) => (piece.hit ? `[${piece.text}]` : piece.text))
    .join('');

it('marks words in every form that the search finds', () => {
  expect(marked('Two timeouts in payment-service at noon', 'why did the payment time out: timeout?')).toBe(
    'Two [timeouts] in [payment-service] at noon',
  );
});

it('marks text without spaces by its characters', () => {
  expect(marked('昨天支付服务超时了', '支付 超时')).toBe('昨天[支付]服务[超时]了');
});

it('shows the stretch with the most hits', () => {
  const text = `pool first. ${'nothing here at all. '.repeat(60)}then the pool size was 20 and the queue waited. ${'more. '.repeat(90)}`;
  const shown = marked(text, 'pool size queue');
  expect(shown).toContain('[pool] [size] was 20 and the [queue] waited');
  expect(shown.startsWith('…')).toBe(true);
  expect(shown.endsWith('…')).toBe(true);
  expect(shown.length).toBeLessThan(340);
});

it('begins at the beginning where nothing stands in the text itself', () => {
  expect(findPassage('done', 'restart on sunday')).toEqual([{ text: 'done', hit: false }]);
});

it('marks words that tell nothing where a query has no others', () => {
  expect(marked('To be or not to be', 'to be')).toBe('[To] [be] or not [to] [be]');
});

it('takes no longer for a text that is nothing but hits', () => {
  const started = cpuMs();
  expect(marked('q '.repeat(40_000), 'q')).toMatch(/^\[q\] \[q\]/);
  expect(cpuMs() - started).toBeLessThan(2_000);
});
