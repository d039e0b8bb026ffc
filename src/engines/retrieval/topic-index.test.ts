import { describe, expect, it } from 'vitest';
import { thesaurus } from './thesaurus.ts';
import { topicIndex } from './topic-index.ts';

const words = thesaurus([
  'connect hook-up integrate 接入 对接',
  'disk drive 磁盘',
  'full exhausted 满',
  'metrics prometheus 指标',
]);
const index = topicIndex(
  [
    { topic: 'metrics', text: 'connect prometheus' },
    { topic: 'metrics', text: '怎么接入指标' },
    { topic: 'disk', text: 'the disk is full' },
    { topic: 'disk', text: '磁盘满了' },
    { topic: 'forget', text: 'forget what I told you' },
    { topic: 'forget', text: '忘掉这件事' },
  ],
  words,
);
const best = (text: string) => index.search(text)[0];

describe('words that mean the same', () => {
  it('are read as one meaning, in any language, the longest first', () => {
    expect(words.read('Hook up the drive')).toEqual(['=0', 'the', '=1']);
    expect(words.read('对接磁盘')).toEqual(['=0', '=1']);
    expect(words.read('hook, up')).toEqual(['hook', 'up']);
  });

  it('may have several meanings', () => {
    const both = thesaurus(['memory ram', 'memory notes']);
    expect(both.read('memory')).toEqual(['=0', '=1']);
  });
});

describe('an index of topics', () => {
  it('finds a topic by words that none of its phrasings has, across languages', () => {
    expect(best('integrate metrics')?.topic).toBe('metrics');
    expect(best('对接 prometheus')?.topic).toBe('metrics');
    expect(best('drive exhausted')?.topic).toBe('disk');
  });

  it('does not mind the order of words, or a slip in one of them', () => {
    expect(best('full is the disk')?.topic).toBe('disk');
    expect(best('conect promethues')?.topic).toBe('metrics');
  });

  it('is less sure of a message that says much else, and finds nothing in one that shares no word', () => {
    const plain = best('the disk is full');
    const among = best('the disk of my grandmother who lives in a village is full of pictures');
    expect(plain?.score).toBeGreaterThan(among?.score ?? 0);
    expect(best('zebra')).toBeUndefined();
    expect(best('')).toBeUndefined();
  });

  it('tells how telling a word is', () => {
    expect(index.weight('zebra')).toBeGreaterThan(index.weight('forget'));
    expect(index.telling('prometheus metrics')).toBeGreaterThan(index.telling('the'));
  });
});
