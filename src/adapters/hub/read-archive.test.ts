import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type TarEntry, tarOf, type ZipEntry, zipOf } from '#testkit/hub';
import { openHubOutlet } from './open-hub-outlet.ts';
import { readArchive } from './read-archive.ts';

const tgz = (...entries: TarEntry[]) => readArchive(gzipSync(tarOf(entries)));
const zip = (...entries: ZipEntry[]) => readArchive(zipOf(entries));
const texts = ({ files }: ReturnType<typeof readArchive>) =>
  Object.fromEntries(files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]));
const REFUSED = { record: { code: 'tool.refused' } };
const attempt = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (thrown) {
    return thrown;
  }
};

describe('a .tar.gz', () => {
  it('gives its plain files', () => {
    const tree = tgz({ name: 'a/', type: '5' }, { name: './a/SKILL.md', text: '# A' }, { name: 'a/empty' });
    expect(texts(tree)).toEqual({ 'a/SKILL.md': '# A', 'a/empty': '' });
    expect(tree.odd).toEqual([]);
  });

  it.each([
    ['link', '2'],
    ['hard link', '1'],
    ['character device', '3'],
    ['block device', '4'],
    ['pipe', '6'],
    ['sparse file', 'S'],
  ])('names a %s and does not read it', (_, type) => {
    const tree = tgz({ name: 'a/SKILL.md', text: '# A' }, { name: 'a/x', type, link: '/etc/passwd' });
    expect(tree.odd).toEqual(['a/x']);
    expect(texts(tree)).toEqual({ 'a/SKILL.md': '# A' });
  });

  it('reads long names of pax and GNU', () => {
    const long = `a/${'n'.repeat(120)}.md`;
    const body = ` path=${long}\n`;
    const record = `${body.length + 3}${body}`;
    expect(texts(tgz({ name: 'x', type: 'x', text: record }, { name: 'short', text: '1' }))).toEqual({
      [long]: '1',
    });
    expect(texts(tgz({ name: 'x', type: 'L', text: `${long}\0` }, { name: 's', text: '2' }))).toEqual({
      [long]: '2',
    });
    expect(texts(tgz({ name: 'g', type: 'g', text: 'x' }, { name: 's', text: '3' }))).toEqual({ s: '3' });
  });

  it('keeps names that lead elsewhere as they are, for whoever checks them', () => {
    expect(Object.keys(texts(tgz({ name: '../../x', text: '1' }, { name: '/etc/x', text: '2' })))).toEqual([
      '../../x',
      '/etc/x',
    ]);
  });

  it.each([
    ['a negative size', { name: 'a', size: '-0000001000\0' }],
    ['a size in base 256', { name: 'a', size: '\x80\0\0\0\0\0\0\0\0\0\0\x10' }],
    ['a size that goes past the end', { name: 'a', size: '00000777777\0' }],
    ['no size', { name: 'a', size: 'zzzzzzzzzzz\0' }],
  ])('refuses %s', (_, entry) => {
    expect(attempt(() => tgz(entry))).toMatchObject(REFUSED);
  });

  it('refuses a header that does not add up', () => {
    const bytes = Buffer.from(tarOf([{ name: 'a', text: 'x' }]));
    bytes[0] = 98;
    expect(attempt(() => readArchive(gzipSync(bytes)))).toMatchObject(REFUSED);
  });

  it('refuses a bomb before it is unpacked', () => {
    const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024));
    const before = process.memoryUsage().rss;
    expect(attempt(() => readArchive(bomb))).toMatchObject({ message: expect.stringContaining('bomb') });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it('refuses too many entries', () => {
    const many = Array.from({ length: 5_001 }, (_, index) => ({ name: `${index}` }));
    expect(attempt(() => tgz(...many))).toMatchObject(REFUSED);
  });

  it('refuses what is cut short', () => {
    const bytes = gzipSync(tarOf([{ name: 'a', text: 'x'.repeat(5_000) }]));
    expect(attempt(() => readArchive(bytes.subarray(0, bytes.length - 10)))).toMatchObject(REFUSED);
  });
});

describe('a .zip', () => {
  it('gives its plain files', () => {
    const tree = zip(
      { name: 'a/' },
      { name: 'a/SKILL.md', text: '# A' },
      { name: 'b.md', text: '', mode: 0 },
    );
    expect(texts(tree)).toEqual({ 'a/SKILL.md': '# A', 'b.md': '' });
  });

  it('names a link', () => {
    expect(zip({ name: 'a/l', text: '/etc/passwd', mode: 0o120_777 })).toEqual({ files: [], odd: ['a/l'] });
  });

  it('refuses bombs, also ones that lie about their size', () => {
    const zeros = new Uint8Array(20 * 1024 * 1024);
    expect(attempt(() => zip({ name: 'a', text: zeros }))).toMatchObject({
      message: expect.stringContaining('bomb'),
    });
    expect(attempt(() => zip({ name: 'a', text: zeros, size: 10 }))).toMatchObject(REFUSED);
  });

  it('refuses encryption, damage and other methods', () => {
    expect(attempt(() => zip({ name: 'a', text: 'x', encrypted: true }))).toMatchObject(REFUSED);
    const bytes = Buffer.from(zipOf([{ name: 'a', text: 'x'.repeat(1_000) }]));
    expect(attempt(() => readArchive(bytes.subarray(0, 40)))).toMatchObject(REFUSED);
    const other = Buffer.from(bytes);
    other.writeUInt16LE(12, other.length - 22 - 47 + 10);
    expect(attempt(() => readArchive(other))).toMatchObject(REFUSED);
    const changed = Buffer.from(bytes);
    changed.writeUInt32LE(1, changed.length - 22 - 47 + 16);
    expect(attempt(() => readArchive(changed))).toMatchObject(REFUSED);
  });
});

it('refuses what is no archive', () => {
  expect(attempt(() => readArchive(Buffer.from('# hello')))).toMatchObject(REFUSED);
});

describe('packing', () => {
  const outlet = openHubOutlet(async () => undefined);
  const file = (path: string, text: string) => ({ path, bytes: new TextEncoder().encode(text) });

  it('gives the same bytes for the same files, and they can be read', () => {
    const one = outlet.pack('a', [file('SKILL.md', '# A'), file('references/b.md', 'b')]);
    const other = outlet.pack('a', [file('references/b.md', 'b'), file('SKILL.md', '# A')]);
    expect(Buffer.from(one).equals(other)).toBe(true);
    expect(texts(readArchive(one))).toEqual({ 'a/SKILL.md': '# A', 'a/references/b.md': 'b' });
  });

  it('refuses a name that would be cut off', () => {
    expect(attempt(() => outlet.pack('a', [file('n'.repeat(120), '')]))).toMatchObject({
      record: { code: 'input.invalid' },
    });
  });
});
