import { describe, expect, it } from 'vitest';
import { completeCommand, completePath, pathPrefix } from './completion.ts';

const commands = [
  { name: '/help', summary: 'what can be done', usage: '' },
  { name: '/history', summary: 'what was said', usage: '' },
  { name: '/title', summary: 'name it', usage: '[title]' },
];

describe('completeCommand', () => {
  it('offers what begins so, then what contains it', () => {
    const names = (before: string) => completeCommand(before, commands)?.items.map(({ value }) => value);
    expect(names('/')).toEqual(['/help', '/history', '/title']);
    expect(names('/hi')).toEqual(['/history']);
    expect(names('/t')).toEqual(['/title', '/history']);
    expect(names('/zzz')).toBeUndefined();
  });

  it('shows usage and summary', () => {
    const [item] = completeCommand('/ti', commands)?.items ?? [];
    expect(item).toEqual({ value: '/title', label: '/title [title]', description: 'name it' });
  });

  it('has nothing to offer elsewhere', () => {
    expect(completeCommand('say /he', commands)).toBeUndefined();
    expect(completeCommand('/title x', commands)).toBeUndefined();
  });
});

describe('completePath', () => {
  const paths = ['src/', 'src/cli/', 'src/cli/main.ts', 'docs/main.md', 'README.md'];
  it('finds the path before the cursor', () => {
    expect(pathPrefix('see @src/c')).toBe('@src/c');
    expect(pathPrefix('@')).toBe('@');
    expect(pathPrefix('看看,@src')).toBeUndefined();
    expect(pathPrefix('mail me@example')).toBeUndefined();
  });

  it('puts near ones first', () => {
    const values = (prefix: string) => completePath(prefix, paths)?.items.map(({ value }) => value);
    expect(values('@src/')).toEqual(['@src/', '@src/cli/', '@src/cli/main.ts']);
    expect(values('@main')).toEqual(['@docs/main.md', '@src/cli/main.ts']);
    expect(values('@nothing')).toBeUndefined();
  });
});
