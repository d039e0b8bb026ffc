import { expect, it } from 'vitest';
import { countInCode, countInData } from './count-constants.ts';

it('counts numbers, expressions with their alternatives, and words of lists', () => {
  const code = `
    type Kind = 'slow' | 'broken';
    const LEAST = 0.3;
    const HALF = Math.log(4) + 1 - 2 * 0;
    const SLOW = /latenc|slow|p9[0|5]|a\\|b/i;
    const named = new RegExp(LEAST);
    const CONCEPTS = ['pool connection', 'cache'] as const;
    const HOLLOW = cutTerms('second minute');
    const pair = [HALF, 'one'];
    say('three words here');
  `;
  expect(countInCode(code)).toEqual({ numbers: 2, expressions: 2, alternatives: 5, words: 5 });
});

it('counts words in whatever form they are compared', () => {
  const code = `
    const KINDS = { log: 'logs', trace: 'traces of calls' };
    const SAID = { en: 'a sentence for people', zh: '一句话' };
    const ROWS = [['disk'], ['pool', 'connections']];
    const TERMS = 'pool disk heap'.split(' ');
    const is = line.startsWith('panic') || name.includes('@') || lines.split('\\n');
    const LOUD = new RegExp('error|fail');
  `;
  expect(countInCode(code)).toEqual({ numbers: 0, expressions: 1, alternatives: 2, words: 11 });
});

it('counts what a fit has set', () => {
  expect(countInData({ bias: -1.25, weights: [0.5, 1, 3e-4], words: ['pool', 'full disk'] })).toEqual({
    numbers: 3,
    expressions: 0,
    alternatives: 0,
    words: 3,
  });
});

it('leaves out what is said to people, and nothing beside it', () => {
  const code = `
    const SAID = catalogue({ en: { slow: 'slow since 5 min', bad: 'bad' }, zh: { slow: '慢', bad: '坏' } });
    const say = (share: number) => tell(share > 0.5 ? \`\${share * 100} %\` : 'few', '少');
    const DECIDES = { slow: 'latency duration', bad: 'error' };
  `;
  expect(countInCode(code)).toEqual({ numbers: 0, expressions: 0, alternatives: 0, words: 3 });
});
