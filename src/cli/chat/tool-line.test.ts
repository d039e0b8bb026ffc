import { describe, expect, it } from 'vitest';
import { duration, shortArguments, toolLine } from './tool-line.ts';
import type { ToolItem } from './turn-view.ts';

const item: ToolItem = {
  kind: 'tool',
  call: 'c',
  name: 'read_file',
  arguments: '{"path":"src/x.ts"}',
  state: 'running',
  startedAt: 0,
};

describe('shortArguments', () => {
  it.each([
    ['{"path":"src/x.ts"}', 'src/x.ts'],
    ['{"pattern":"a","path":"src","limit":5}', 'a path=src limit=5'],
    ['{"limit":5,"path":"x"}', 'limit=5 path=x'],
    ['{}', ''],
    ['{"path":"x","glob":null}', 'x'],
    ['{"broken', '{"broken'],
    ['{"command":"a\\nb\\u001b[1m"}', 'a b␛[1m'],
  ])('%s is %s', (json, words) => {
    expect(shortArguments(json)).toBe(words);
  });

  it('shortens long values', () => {
    expect(shortArguments(JSON.stringify({ text: 'x'.repeat(500) }))).toHaveLength(80);
  });
});

describe('toolLine', () => {
  it('shows progress and time while it runs', () => {
    expect(toolLine(item, 400).note).toBe('');
    expect(toolLine({ ...item, progress: '12 of 40' }, 2_500).note).toBe('12 of 40 · 2.5 s');
  });

  it('shows what came of it', () => {
    const done = toolLine({ ...item, state: 'done', summary: '120 lines', ms: 12 }, 0);
    expect(done).toEqual({ mark: '✓', name: 'read_file', rest: 'src/x.ts', note: '(120 lines, 12 ms)' });
    expect(toolLine({ ...item, state: 'failed', summary: 'no such file' }, 0)).toMatchObject({ mark: '✗' });
    expect(toolLine({ ...item, state: 'stopped' }, 0)).toMatchObject({ mark: '■', note: '' });
  });
});

describe('duration', () => {
  it.each([
    [12.4, '12 ms'],
    [1_240, '1.2 s'],
    [42_000, '42 s'],
    [125_000, '2 min 5 s'],
  ])('%d is %s', (ms, words) => {
    expect(duration(ms)).toBe(words);
  });
});
