import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { snippetViolations } from './snippets.ts';

/** Folders of what is made or brought in. */
const SKIPPED = new Set(['node_modules', 'dist', '.git']);
/** Texts for others than the readers of this tree: what Hermes reads itself, and homes that tests open. */
const NOT_ABOUT_THE_TREE = /^(?:skills|profiles|test\/fixtures)\//;
/** It tells of what once was. */
const HISTORY = 'CHANGELOG.md';

/** Whatever the documents name and the tree does not have: paths, links with their headings, what snippets import. */
export function documentViolations(root: string): string[] {
  const files = filesIn(root, root);
  const documents = files.filter((file) => file.endsWith('.md') && !NOT_ABOUT_THE_TREE.test(file));
  const names = new Set([...files, ...files.flatMap(foldersOf), ...readdirSync(root)]);
  return [
    ...documents.flatMap((document) => {
      const text = readFileSync(join(root, document), 'utf8');
      const named = document === HISTORY ? [] : [...codePaths(text), ...shellPaths(text)];
      return [
        ...named
          .filter(({ path, at }) => !isThere(path, dirname(document), names) && !isExample(text, at))
          .map(({ path, at }) => `${document}:${lineAt(text, at)}: there is no ${path}`),
        ...brokenLinks(root, document, text),
      ];
    }),
    ...snippetViolations(root, documents),
  ];
}

interface Named {
  readonly path: string;
  readonly at: number;
}

/** A place of the tree in backticks: a path from its root, or the name of a source file. */
function codePaths(text: string): Named[] {
  return [...withoutBlocks(text).matchAll(/`([\w@.<>*{},…/-]+?)(?::\d+)?`/g)]
    .map(({ 1: path = '', index }) => ({ path, at: index }))
    .filter(({ path }) => path.includes('/') || /\w\.(?:tsx?|mjs)$/.test(path));
}

/** The files that commands are given. */
function shellPaths(text: string): Named[] {
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(({ 1: code = '', index }) =>
    [...code.matchAll(/(?<=\s)(?:src|test|testkit|bench|scripts|demo|interop|docs)\/[\w./-]+/g)].map(
      ({ 0: path, index: within }) => ({ path, at: index + within }),
    ),
  );
}

/** Blocks are blanked out, so that everything else keeps its line. */
const withoutBlocks = (text: string): string =>
  text.replace(/^```.*?^```$/gms, (block) => block.replace(/[^\n]/g, ' '));

const OF_THE_TREE = /^(?:src|testkit|test|bench|scripts|demo|interop|docs|console|packaging|bin)\//;
const SOURCE = /\.(?:tsx?|mjs)$/;

/** From the root, from the document, or as the end of some path. `<name>`, `*` and `…` stand for anything. */
function isThere(path: string, folder: string, names: ReadonlySet<string>): boolean {
  if ((!OF_THE_TREE.test(path) && !SOURCE.test(path)) || /\bdist\b/.test(path)) return true;
  const plain = path.replace(/\/$/, '');
  if (names.has(plain) || names.has(posix.join(folder, plain))) return true;
  const pattern = plain
    .replace(/[.\\+^$()|[\]]/g, '\\$&')
    .replace(/<[^>]*>|\*\*|\*|…/g, (wild) => (wild === '**' || wild === '…' ? '.*' : '[^/]*'))
    .replace(/\{([^}]*)\}/g, (_, words: string) => `(?:${words.replaceAll(',', '|')})`);
  const whole = new RegExp(`${OF_THE_TREE.test(path) ? `^(?:${folder}/)?` : '(?:^|/)'}${pattern}$`);
  return [...names].some((name) => whole.test(name));
}

/** A paragraph that ends with a colon before a block names the file that the block would be. */
const isExample = (text: string, at: number): boolean => /^(?:(?!\n\n).)*:\n\n```/s.test(text.slice(at));

function brokenLinks(root: string, document: string, text: string): string[] {
  return [...withoutBlocks(text).matchAll(/\]\(([^()\s]+)\)/g)].flatMap(({ 1: link = '', index }) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [path = '', heading] = link.split('#');
    const target = path ? resolve(root, dirname(document), path) : join(root, document);
    const problem = !existsSync(target)
      ? `there is no ${relative(root, target)}`
      : heading && target.endsWith('.md') && !headingsOf(readFileSync(target, 'utf8')).has(heading)
        ? `${relative(root, target)} has no heading #${heading}`
        : undefined;
    return problem ? [`${document}:${lineAt(text, index)}: ${problem}`] : [];
  });
}

/** The names that a page gives its headings. */
const headingsOf = (text: string): Set<string> =>
  new Set(
    [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(({ 1: title = '' }) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

const foldersOf = (file: string): string[] =>
  file
    .split('/')
    .slice(0, -1)
    .map((_, depth, parts) => parts.slice(0, depth + 1).join('/'));

function filesIn(root: string, folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesIn(root, path);
    return [relative(root, path).replaceAll('\\', '/')];
  });
}
