import { describe, expect, it } from 'vitest';
import { readJsonc } from './jsonc-source.ts';

describe('readJsonc', () => {
  it('knows where keys stand behind comments', () => {
    const json = readJsonc(
      '{\n  // servers\n  "mcp_servers": {\n\t"files": {"comand": "x",},\n  },\n}',
      'f.json',
    );
    expect(json.data).toEqual({ mcp_servers: { files: { comand: 'x' } } });
    expect(json.place(['mcp_servers', 'files', 'comand'], 'key')).toMatchObject({ line: 4, column: 12 });
  });

  it.each([
    ['{\n  "a": 1\n  "b": 2\n}', 'f.json:3:3: '],
    ['{\n  "a": [1, 2\n', 'f.json:3:1: '],
    ['{"a": tru}', 'f.json:1:7: '],
    ['', 'f.json:1:1: '],
  ])('says where %j is no JSON', (text, where) => {
    const read = () => readJsonc(text, 'f.json');
    expect(read).toThrow(expect.objectContaining({ message: expect.stringContaining(where) }));
  });
});
