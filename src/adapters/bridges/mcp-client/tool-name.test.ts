import { describe, expect, it } from 'vitest';
import { SHARED_NAMES, toolName, withOwnName } from './tool-name.ts';

describe('toolName', () => {
  it('is plain where only one server and one tool can be read out of it', () => {
    expect(toolName('files', 'read_file')).toBe('mcp_files_read_file');
    expect(toolName('my-files', 'read')).toBe('mcp_my-files_read');
  });

  it('is never that of another server', () => {
    const names = [
      toolName('evil', 'read_it'),
      toolName('evil_read', 'it'),
      toolName('a', 'b_c_d'),
      toolName('a_b', 'c_d'),
      toolName('a_b_c', 'd'),
      toolName('a', 'b.c_d'),
      toolName('list', 'resources'),
      ...SHARED_NAMES,
    ];
    expect(new Set(names).size).toBe(names.length);
    // A tool that is called like the marked name of another one.
    const marked = toolName('evil_read', 'it');
    expect(toolName('evil', marked.slice('mcp_evil_'.length))).not.toBe(marked);
  });

  it('is one that models accept, of bounded length, and the same every time', () => {
    for (const tool of ['read.file/now', 'ü', 'x'.repeat(200), 'y'.repeat(60)])
      expect(toolName('srv', tool)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(toolName('srv', `${'x'.repeat(100)}a`)).not.toBe(toolName('srv', `${'x'.repeat(100)}b`));
    expect(toolName('evil_read', 'it')).toBe('mcp_evil_read_it_79d49d72');
  });
});

describe('withOwnName', () => {
  it('leaves out all that share a name, and tells', () => {
    const doubles: string[] = [];
    const tools = [
      { name: 'a', of: 1 },
      { name: 'b', of: 1 },
      { name: 'a', of: 2 },
    ];
    expect(withOwnName(tools, (name) => doubles.push(name))).toEqual([{ name: 'b', of: 1 }]);
    expect(doubles).toEqual(['a']);
  });
});
