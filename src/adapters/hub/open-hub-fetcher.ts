import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '#kit/app-error';
import type { HubSource } from '#spec/data';
import type { FetchedTree, HubFetcher, WebClient } from '#spec/ports';
import { type GitOptions, readGitTree } from './git-tree.ts';
import { FETCH_MS, MOST_DOWNLOAD, MOST_INDEX } from './limits.ts';
import { readArchive } from './read-archive.ts';
import { isPlainFolder, NOT_OF_A_SKILL, readFolder } from './read-folder.ts';
import { refuse } from './refuse.ts';

export interface HubFetcherOptions extends GitOptions {
  readonly web: WebClient;
}

/** Brings skills from folders, archives and repositories. Nothing that it brings is run. */
export function openHubFetcher({ web, ...git }: HubFetcherOptions): HubFetcher {
  return {
    async fetch(source, signal) {
      if (source.kind === 'git') {
        checkGitUrl(source.at);
        const tree = await readGitTree(
          { url: source.at, ref: source.ref, folder: source.folder },
          git,
          signal,
        );
        return { ...tree, from: source.at };
      }
      if (source.kind === 'folder') return fetchFolder(source);
      const { bytes, from } = await load(web, source.at, MOST_DOWNLOAD, signal);
      if (source.sha256 !== undefined && sha256(bytes) !== source.sha256)
        throw refuse(`${source.at} is not what the registry lists: its SHA-256 is ${sha256(bytes)}.`);
      return { ...below(readArchive(bytes), source.folder), from };
    },
    async readIndex(at, signal) {
      const { bytes } = await load(web, at, MOST_INDEX, signal);
      return new TextDecoder().decode(bytes);
    },
  };
}

async function fetchFolder({ at, folder }: HubSource): Promise<FetchedTree> {
  const path = folder ? join(at, folder) : at;
  if (!(await isPlainFolder(path))) throw fail('input.invalid', `There is no folder ${path}.`);
  return { ...(await readFolder(path, NOT_OF_A_SKILL)), from: at };
}

/** What lies in a folder of an archive, which may have one folder around everything. */
function below(tree: Pick<FetchedTree, 'files' | 'odd'>, folder: string | undefined) {
  if (folder === undefined) return tree;
  const inside = (path: string): string | undefined => {
    if (path.startsWith(`${folder}/`)) return path.slice(folder.length + 1);
    const rest = path.slice(path.indexOf('/') + 1);
    return rest.startsWith(`${folder}/`) ? rest.slice(folder.length + 1) : undefined;
  };
  return {
    files: tree.files.flatMap(({ path, bytes }) => {
      const inner = inside(path);
      return inner === undefined ? [] : [{ path: inner, bytes }];
    }),
    odd: tree.odd.flatMap((path) => inside(path) ?? []),
  };
}

async function load(
  web: WebClient,
  at: string,
  most: number,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array; from: string }> {
  if (!/^https?:\/\//i.test(at)) return { bytes: await readSome(at, most), from: at };
  const answer = await web.fetch({ url: at, maxBytes: most, timeoutMs: FETCH_MS }, signal);
  if (answer.status !== 200) throw fail('tool.failed', `${at} answers ${answer.status}.`);
  if (answer.cut) throw refuse(`${at} is larger than ${most} bytes.`);
  return { bytes: answer.body, from: answer.url };
}

async function readSome(path: string, most: number): Promise<Uint8Array> {
  const found = await stat(path).catch((cause: unknown) => {
    throw fail('input.invalid', `There is no file ${path}.`, undefined, cause);
  });
  if (!found.isFile()) throw fail('input.invalid', `${path} is not a file.`);
  if (found.size > most) throw refuse(`${path} is larger than ${most} bytes.`);
  return readFile(path);
}

/** Three protocols, plain hosts. What git would take for an option, or for a program to run, is no address. */
function checkGitUrl(url: string): void {
  const known =
    /^(?:https:\/\/|ssh:\/\/(?:[\w.-]+@)?)[A-Za-z0-9][\w.-]*(?::\d{1,5})?\/[^\s\0]+$/.test(url) ||
    /^[\w.-]+@[A-Za-z0-9][\w.-]*:(?!\/\/)[^\s\0-][^\s\0]*$/.test(url) ||
    /^file:\/\/\/[^\s\0]+$/.test(url);
  if (!known)
    throw fail('input.invalid', `${url} is no address for git.`, 'Use https://, ssh:// or file:///.');
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
