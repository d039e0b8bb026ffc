import { describe, expect, it } from 'vitest';
import type { StoredMessage } from '#spec/data';
import { assistant, result, stored, turnOf, user } from '#support/engines/agent/stored-talk';
import { NUDGES } from '../nudges.ts';
import { digest } from './digest.ts';
import { groupMessages } from './group-messages.ts';
import { planCompaction } from './plan-compaction.ts';

const talk = stored([
  user('why is   checkout\nslow?'),
  assistant(
    'I look.',
    ['c1', 'read_file', '{"path":"src/pool.ts","limit":5}'],
    ['c2', 'patch', '{"path": "src/a.ts"}'],
  ),
  result('c1', 'read_file', 'pool size 20'),
  result('c2', 'patch', 'no such file', true),
  assistant('The pool is too small.'),
]);

describe('digest', () => {
  it('tells what was asked, done, found and answered, in order', () => {
    expect(digest(talk, 5_000).split('\n')).toEqual([
      'Files: src/pool.ts, src/a.ts',
      'User: why is checkout slow?',
      'Hermes: I look.',
      '  called read_file {"path":"src/pool.ts","limit":5}',
      '  called patch {"path": "src/a.ts"}',
      '  gave: pool size 20',
      '  failed: no such file',
      'Hermes: The pool is too small.',
    ]);
    expect(digest(talk, 5_000)).toBe(digest(talk, 5_000));
  });

  it('begins with the earlier digest and leaves out what Hermes said to the model', () => {
    const earlier = stored([user('[Earlier conversation, shortened; x]\nUser: first things')], 'digest');
    const notice = stored([user('[Hermes] Your answer was empty.')], 'notice');
    const text = digest([...earlier, ...notice, ...talk], 5_000);
    expect(text).toMatch(/^User: first things\nFiles: /);
    expect(text).not.toContain('[Hermes]');
    expect(text).not.toContain('[Earlier');
  });

  it('keeps what the user added while tools were running', () => {
    const steered = result('c1', 'read_file', 'x'.repeat(500));
    const content = [...steered.content, { type: 'text' as const, text: NUDGES.steering('mind the cache') }];
    const text = digest(stored([{ ...steered, content } as typeof steered]), 5_000);
    expect(text).toContain('User: mind the cache');
  });

  it('keeps a result that was put away under its call', () => {
    const put: StoredMessage[] = talk.map((message) =>
      message.message.role === 'tool' ? { ...message, kind: 'digest' } : message,
    );
    expect(digest(put, 5_000)).toBe(digest(talk, 5_000));
  });

  it('keeps to its size, the words of the user first', () => {
    const long = stored(Array.from({ length: 20 }, (_, i) => turnOf(i, 400)).flat());
    const text = digest(long, 1_200);
    expect(text.length).toBeLessThanOrEqual(1_200);
    for (let i = 0; i < 20; i++) expect(text).toContain(`User: question ${i}`);
    expect(text).toMatch(/\(\d+ smaller steps left out; session_search finds them\)$/);
  });
});

describe('groupMessages', () => {
  it('keeps calls and results together and counts them', () => {
    const groups = groupMessages(talk);
    expect(groups.map(({ messages }) => messages.length)).toEqual([1, 3, 1]);
    expect(groups.map(({ fromUser }) => fromUser)).toEqual([true, false, false]);
    expect(groupMessages(stored([user('x')], 'notice'))[0]?.fromUser).toBe(false);
    expect(groupMessages(stored([user('x')], 'digest'))[0]?.fromUser).toBe(false);
  });
});

describe('planCompaction', () => {
  const groups = groupMessages(stored(Array.from({ length: 10 }, (_, i) => turnOf(i, 400)).flat()));
  const size = (count: number) => groups.slice(-count).reduce((sum, { tokens }) => sum + tokens, 0);

  it('protects three messages at the start, and as much at the end as there is room for', () => {
    const { head, middle, tail } = planCompaction(groups, { target: 0, tail: size(7) });
    expect(head).toEqual(groups.slice(0, 2));
    expect(tail).toEqual(groups.slice(-7));
    expect([...head, ...middle.flat(), ...tail]).toEqual(groups);
  });

  it('protects three groups at the end however large they are', () => {
    expect(planCompaction(groups, { target: 0, tail: 0 }).tail).toEqual(groups.slice(-3));
  });

  it('keeps the last request out of the middle', () => {
    const work = Array.from({ length: 10 }, (_, i) => turnOf(i, 400).slice(1, 3)).flat();
    const long = groupMessages(stored([...turnOf(0), ...turnOf(1), user('the request'), ...work]));
    const { head, middle, tail } = planCompaction(long, { target: 0, tail: 0 });
    const left = long.filter((group) => ![...head, ...middle.flat(), ...tail].includes(group));
    expect(middle).toHaveLength(2);
    expect([...head, ...(middle[0] ?? []), ...left, ...(middle[1] ?? []), ...tail]).toEqual(long);
    expect(left.map(({ messages }) => messages[0]?.message)).toEqual([user('the request')]);
  });

  it('never takes a digest for the head', () => {
    const after = [...stored([user('digest')], 'digest'), ...stored(turnOf(1)), ...stored(turnOf(2))];
    const { head, middle } = planCompaction(groupMessages(after), { target: 0, tail: 0 });
    expect(head).toEqual([]);
    expect(middle[0]?.[0]?.messages[0]?.kind).toBe('digest');
  });
});

describe('a digest of a digest', () => {
  it('keeps the newest of what was known, and always room for what is new', () => {
    const known = Array.from({ length: 200 }, (_, i) => `User: old ${i}`).join('\n');
    const earlier = stored([user(`[Earlier conversation, shortened; x]\n${known}`)], 'digest');
    const text = digest([...earlier, ...talk], 1_300);
    expect(text.length).toBeLessThanOrEqual(1_300);
    expect(text).toContain('User: old 199\n');
    expect(text).toMatch(/^User: old 1\d\d\n/);
    expect(text).toContain('Files: src/pool.ts, src/a.ts');
    expect(text).toContain('User: why is checkout slow?');
  });
});
