import { describe, expect, it } from 'vitest';
import { loadCommandLister } from './load-command-lister.ts';

const lister = await loadCommandLister();

describe('loadCommandLister', () => {
  it('loads once', async () => expect(await loadCommandLister()).toBe(lister));

  it.each<[string, string[][]]>([
    ['ls -la', [['ls', '-la']]],
    ['"rm" -rf \'/x\'', [['rm', '-rf', '/x']]],
    ['r\\m x', [['rm', 'x']]],
    ['a | b && c', [['a'], ['b'], ['c']]],
    ['echo "$(id)"', [['echo', '"$(id)"'], ['id']]],
    ['X=1 node a.js > out', [['node', 'a.js']]],
    ['export A=b', [['export']]],
    ['$x -rf /', []],
    ['', []],
  ])('%s', (text, commands) => expect(lister(text)).toEqual(commands));

  it.each(['echo "open', 'if true; then', 'ls )'])('cannot read %s', (text) =>
    expect(lister(text)).toBeUndefined(),
  );

  it('goes on after a text that it could not read', () => {
    expect(lister('echo "')).toBeUndefined();
    expect(lister('ls')).toEqual([['ls']]);
  });
});
