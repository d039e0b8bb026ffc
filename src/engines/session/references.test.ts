import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testkit/cpu-time';
import { fail } from '#kit/app-error';
import { estimateTokens } from '#kit/estimate-tokens';
import type { UserPart } from '#spec/data';
import { expandReferences, findReferences, type ReferenceSources, withoutReferences } from './references.ts';

const FILES: Readonly<Record<string, string>> = {
  'src/a.ts': 'A',
  'notes.txt': 'N',
  README: 'R',
  '~/x.md': 'X',
};

function sources() {
  const asked: string[] = [];
  const all: ReferenceSources = {
    file: async (path) => {
      asked.push(`file ${path}`);
      if (path.startsWith('/etc')) throw fail('input.invalid', '/etc is out of bounds');
      return FILES[path];
    },
    folder: async (path) => {
      asked.push(`folder ${path}`);
      return path === 'src' || path === 'src/' ? 'src/a.ts' : undefined;
    },
    diff: async (staged) => (staged ? '+staged' : '+diff'),
    url: async (address) => {
      asked.push(`url ${address}`);
      return address.includes('gone') ? undefined : 'page';
    },
  };
  return { all, asked };
}

const text = (value: string): UserPart[] => [{ type: 'text', text: value }];
const signal = new AbortController().signal;

async function expand(said: string, window = 100_000) {
  const { all, asked } = sources();
  const { content, notices } = await expandReferences(text(said), all, window, signal);
  const added = content.slice(1).map((part) => (part.type === 'text' ? part.text : ''));
  return { added, notices, asked, content };
}

const block = (name: string, body: string) => `<reference name="${name}">\n${body}\n</reference>`;

describe('expandReferences', () => {
  it.each([
    ['see @src/a.ts please', 'src/a.ts', 'A'],
    ['see @src/a.ts.', 'src/a.ts', 'A'],
    ['(@notes.txt)', 'notes.txt', 'N'],
    ['看@notes.txt，谢谢', 'notes.txt', 'N'],
    ['@README', 'README', 'R'],
    ['@~/x.md', '~/x.md', 'X'],
    ['@src', 'src', 'src/a.ts'],
    ['@file:src/a.ts', 'file:src/a.ts', 'A'],
    ['compare @file:src/a.ts, then', 'file:src/a.ts', 'A'],
    ['(see @file:src/a.ts)', 'file:src/a.ts', 'A'],
    ['看 @file:src/a.ts。', 'file:src/a.ts', 'A'],
    ['@folder:src', 'folder:src', 'src/a.ts'],
    ['what is in @folder:src?', 'folder:src', 'src/a.ts'],
    ['review @diff', 'diff', '+diff'],
    ['review @staged.', 'staged', '+staged'],
    ['@url:https://example.com/a?b=1', 'url:https://example.com/a?b=1', 'page'],
  ])('brings along what %j names', async (said, name, body) => {
    const { added, notices, content } = await expand(said);
    expect(added).toEqual([block(name, body)]);
    expect(notices).toEqual([]);
    expect(content[0]).toEqual({ type: 'text', text: said });
  });

  it('takes the dot of a sentence off an address', async () => {
    expect((await expand('see @url:https://example.com/a.')).asked).toEqual(['url https://example.com/a']);
  });

  it.each([
    'mail me@example.com',
    'first.last@example.com and a_b@c.de',
    'hello @alice',
    '@@nobody',
    'a @ b',
    'x@src/a.ts',
  ])('leaves %j alone', async (said) => {
    const { added, notices } = await expand(said);
    expect({ added, notices }).toEqual({ added: [], notices: [] });
  });

  it('reads what is named twice once', async () => {
    expect((await expand('@notes.txt and @notes.txt, @file:notes.txt.')).added).toHaveLength(2);
  });

  it('says what could not be read, when it was meant as a reference', async () => {
    const { notices, added } = await expand('@file:none @folder:none @url:https://gone.example @nobody');
    expect(notices).toEqual([
      '@file:none could not be read.',
      '@folder:none could not be read.',
      '@url:https://gone.example could not be read.',
    ]);
    expect(added).toEqual([]);
  });

  it('says why something is out of reach and goes on with the rest', async () => {
    const { notices, added } = await expand('@/etc/passwd @notes.txt');
    expect(notices).toEqual(['@/etc/passwd could not be read: /etc is out of bounds']);
    expect(added).toEqual([block('notes.txt', 'N')]);
  });

  it.each([
    ['English', 'word '.repeat(20_000)],
    ['Chinese', '汉字'.repeat(20_000)],
    ['a mixture', 'abcd '.repeat(10_000) + '汉字'.repeat(10_000)],
  ])('takes a quarter of the window at most, in %s', async (_, body) => {
    const { all } = sources();
    const long = { ...all, file: async () => body, folder: async () => body };
    const { content, notices } = await expandReferences(text('@a @b @c'), long, 8_000, signal);
    const added = content.slice(1).map((part) => (part.type === 'text' ? part.text : ''));
    expect(added.reduce((sum, part) => sum + estimateTokens(part), 0)).toBeLessThan(2_000 + 3 * 20);
    expect(estimateTokens(added[0] ?? '')).toBeGreaterThan(1_000);
    expect(notices).toEqual(
      ['@a', '@b', '@c'].map((name) => `${name} was cut: it does not fit the model's window.`),
    );
  });

  it('keeps pictures', async () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
    const { content } = await expandReferences([image, ...text('@notes.txt')], sources().all, 1_000, signal);
    expect(content).toEqual([image, ...text('@notes.txt'), ...text(block('notes.txt', 'N'))]);
  });
});

describe('findReferences', () => {
  it('is quick on a long text', () => {
    const started = cpuMs();
    findReferences('@a/b-'.repeat(50_000) + '.'.repeat(200_000));
    expect(cpuMs() - started).toBeLessThan(2_000);
  });
});

describe('withoutReferences', () => {
  it('gives back what the user wrote', async () => {
    const { content } = await expand('@notes.txt and @src');
    expect(content).toHaveLength(3);
    expect(withoutReferences(content)).toEqual(text('@notes.txt and @src'));
  });
});
