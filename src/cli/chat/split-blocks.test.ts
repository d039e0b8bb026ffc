import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, blockSplitter } from './split-blocks.ts';

function blocksOf(text: string, size = text.length || 1): Block[] {
  const splitter = blockSplitter();
  for (let i = 0; i < text.length; i += size) splitter.push(text.slice(i, i + size));
  const open = splitter.open();
  return open ? [...splitter.done, open] : [...splitter.done];
}

const DOCUMENT = `# Title

Two lines
of text.

- one

  still one
- two

| a | b |
|---|---|
| 1 | 2 |

\`\`\`ts
const a = 1;

const b = 2;
\`\`\`
after
`;

describe('blockSplitter', () => {
  it('finds the blocks of a document', () => {
    const blocks = blocksOf(DOCUMENT);
    expect(blocks.map(({ kind }) => kind)).toEqual(['text', 'text', 'text', 'table', 'code', 'text']);
    expect(blocks[2]?.text).toBe('- one\n\n  still one\n- two');
    expect(blocks[4]).toMatchObject({
      lang: 'ts',
      text: 'const a = 1;\n\nconst b = 2;',
      opens: true,
      closes: true,
    });
  });

  it('says where an empty line stands', () => {
    expect(blocksOf('a\n\nb\n').map(({ gap }) => gap)).toEqual([false, true]);
  });

  it('does not depend on how the text arrives', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), (size) => {
        expect(blocksOf(DOCUMENT, size)).toEqual(blocksOf(DOCUMENT));
      }),
    );
  });

  it('loses no line of any text without listings', () => {
    const line = fc.constantFrom('', 'word', '- item', '  more', '1. one', '> quote', '| a | b |', '# head');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const kept = blocksOf(lines.join('\n')).flatMap(({ text }) => text.split('\n'));
        expect(kept.filter(Boolean)).toEqual(lines.filter(Boolean));
      }),
    );
  });

  it('keeps a listing open until its own fence, and shows no half fence', () => {
    const splitter = blockSplitter();
    splitter.push('````md\n```\ninner\n```\n``');
    expect(splitter.done).toEqual([]);
    expect(splitter.open()).toMatchObject({ kind: 'code', text: '```\ninner\n```' });
    splitter.push('``\n');
    expect(splitter.done).toHaveLength(1);
    expect(splitter.open()).toBeUndefined();
  });

  it('leaves a listing inside a list to the list', () => {
    const blocks = blocksOf('- do\n\n  ```sh\n  a\n\n  b\n  ```\n- then\n');
    expect(blocks).toHaveLength(1);
  });

  it('cuts what is very long, so that the open part stays short', () => {
    const rows = Array.from({ length: 1_000 }, (_, i) => `| ${i} | x |`);
    for (const text of [
      Array.from({ length: 1_000 }, (_, i) => `line ${i}`).join('\n'),
      Array.from({ length: 1_000 }, (_, i) => `- item ${i}`).join('\n'),
      `\`\`\`\n${Array.from({ length: 1_000 }, (_, i) => `code ${i}`).join('\n')}`,
      ['| a | b |', '|---|---|', ...rows].join('\n'),
    ]) {
      const blocks = blocksOf(text);
      expect(blocks.length).toBeGreaterThan(5);
      for (const block of blocks) expect(block.text.split('\n').length).toBeLessThan(130);
    }
  });

  it('gives every part of a cut table its head, and only the ends of a cut listing a frame', () => {
    const rows = Array.from({ length: 300 }, (_, i) => `| ${i} | x |`);
    for (const block of blocksOf(['| a | b |', '|---|---|', ...rows].join('\n'))) {
      expect(block).toMatchObject({ kind: 'table' });
    }
    const listing = blocksOf(`\`\`\`\n${'x\n'.repeat(300)}\`\`\`\n`).filter((block) => block.kind === 'code');
    expect(listing.map(({ opens }) => opens)).toEqual([true, false, false]);
    expect(listing.map(({ closes }) => closes)).toEqual([false, false, true]);
  });
});
