import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cpuMs } from '#testkit/cpu-time';
import { judgeHidden } from './judge-hidden.ts';

let user: string;
let home: string;
let work: string;

beforeAll(() => {
  user = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-hidden-')));
  home = join(user, '.hermes');
  work = join(user, 'work');
  mkdirSync(join(home, 'logs'), { recursive: true });
  mkdirSync(work);
  writeFileSync(join(home, 'config.yaml'), 'a: 1');
  symlinkSync(home, join(work, 'door'));
  symlinkSync(home, join(user, 'other-name'));
  symlinkSync(join(home, 'new.yaml'), join(work, 'not-yet'));
});

afterAll(() => rmSync(user, { recursive: true, force: true }));

const judge = (input: unknown, folders = [home]) =>
  judgeHidden(input, folders, { bases: [work], homes: [user] });

const encoded = (text: string): string =>
  text.replaceAll(/./g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);

const ways: readonly (readonly [string, () => unknown])[] = [
  ['as a path', () => ({ path: join(home, 'config.yaml') })],
  ['the folder itself', () => ({ path: home })],
  ['under any name', () => ({ content: join(home, 'config.yaml') })],
  ['deep in a list', () => ({ a: [{ b: [[join(home, 'config.yaml')]] }] })],
  ['as the name of a field', () => ({ edits: { [join(home, 'config.yaml')]: {} } })],
  ['as a file: URL', () => ({ uri: `file://${home}/config.yaml` })],
  ['as a file: URL with a host', () => ({ uri: `FILE://localhost${home}/config.yaml` })],
  ['as a file: URL with one slash', () => ({ uri: `file:${home}/config.yaml` })],
  ['percent-encoded', () => ({ uri: `file://${home.replace('.hermes', '%2ehermes')}/config.yaml` })],
  ['encoded twice', () => ({ uri: encoded(encoded(join(home, 'config.yaml'))) })],
  ['with ~', () => ({ path: '~/.hermes/config.yaml' })],
  ['with the name of the user', () => ({ path: `~${userInfo().username}/.hermes/config.yaml` })],
  ['with $HOME', () => ({ command: 'cat "$HOME/.hermes/config.yaml"' })],
  ['in a sentence', () => ({ text: `Show me ${home}/config.yaml, please.` })],
  ['behind an option', () => ({ command: `tool -f${home}/config.yaml` })],
  ['in an assignment', () => ({ command: `dd if=${home}/config.yaml` })],
  ['as a volume', () => ({ volume: `${home}:/mnt` })],
  ['in JSON', () => ({ body: JSON.stringify({ path: join(home, 'a') }).replaceAll('/', '\\/') })],
  ['in escapes', () => ({ body: join(home, 'a').replaceAll('/', String.raw`\u002f`) })],
  ['with more slashes', () => ({ path: `${user}//./.hermes///config.yaml` })],
  ['with backslashes', () => ({ path: join(home, 'a').replaceAll('/', '\\') })],
  ['out and back', () => ({ path: join(work, 'x') + '/../../.hermes/config.yaml' })],
  ['out and back in a sentence', () => ({ text: `cat ${work}/../.hermes/config.yaml` })],
  ['relative to where the server stands', () => ({ path: '../.hermes/config.yaml' })],
  ['through a link', () => ({ path: join(work, 'door/config.yaml') })],
  ['through a relative link without a slash', () => ({ path: 'door' })],
  ['through a link beside it', () => ({ path: join(user, 'other-name/config.yaml') })],
  ['through a link to what is not there yet', () => ({ path: join(work, 'not-yet') })],
  ['through the process', () => ({ path: `/proc/self/root${home}/config.yaml` })],
  ['in two halves', () => ({ root: user, path: '.hermes/config.yaml' })],
  ['as a list of names', () => ({ segments: [...home.split('/').slice(1), 'config.yaml'] })],
  ['as a pattern', () => ({ glob: `${user}/.her*/conf*` })],
  ['as a pattern for everything', () => ({ glob: `${user}/**/*.yaml` })],
  ['with a NUL behind it', () => ({ path: `${home}/config.yaml\0.txt` })],
];

describe('judgeHidden', () => {
  it.each(ways)('refuses a way into the folder %s', (_, input) => {
    expect(judge(input())).toContain('Hermes keeps its own files');
  });

  it.each([
    ['a path elsewhere', () => ({ path: join(work, 'a.txt') })],
    ['a folder that only begins alike', () => ({ path: `${home}-notes/a.txt` })],
    [
      'a file that only begins alike',
      () => ({ path: `${home}.md`, text: `see ${home}_old and ${home}.bak` }),
    ],
    ['the same names elsewhere', () => ({ path: `/mnt${home}/a` })],
    ['a pattern elsewhere', () => ({ glob: `${work}/**/*.ts` })],
    ['its name alone', () => ({ query: 'how does .hermes.md work, and hermes, and ~ and 100%?' })],
    ['plain values', () => ({ n: 1, yes: true, nothing: null, list: [], empty: '' })],
  ])('lets through %s', (_, input) => {
    expect(judge(input())).toBeUndefined();
  });

  it('knows a home that is itself a link, by either name', () => {
    const named = join(user, 'other-name');
    for (const path of [join(named, 'config.yaml'), join(home, 'config.yaml')])
      expect(judge({ path }, [named])).toBeDefined();
  });

  it('refuses more than it can look at, and takes long texts in its stride', () => {
    expect(judge({ list: Array.from({ length: 20_000 }, () => 'x') })).toContain('more arguments');
    const start = cpuMs();
    expect(judge({ content: 'word/of/a text -a '.repeat(60_000) })).toBeUndefined();
    expect(judge({ content: `${'line of text\n'.repeat(60_000)}${home}/config.yaml` })).toBeDefined();
    expect(cpuMs() - start).toBeLessThan(3_000);
  });

  it('tells words from files where the server stands in the folder itself', () => {
    const within = (input: unknown) => judgeHidden(input, [home], { bases: [home], homes: [user] });
    expect(within({ text: 'hello there, this and/or that', mode: 'fast', n: '12' })).toBeUndefined();
    for (const path of ['config.yaml', 'logs', 'logs/new', '.env', 'new.db'])
      expect(within({ path })).toBeDefined();
  });

  it('has nothing to say where nothing is hidden', () => {
    expect(judge({ path: join(home, 'config.yaml') }, [])).toBeUndefined();
  });
});
