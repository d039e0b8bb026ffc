import { isAbsolute, join, normalize } from 'node:path';
import { fail } from '#kit/app-error';
import type { HubSource } from '#spec/data';

/** Something to fetch, or the name of a skill that a registry has to know. */
export type WrittenSource = { readonly source: HubSource } | { readonly name: string };

const ARCHIVE = /\.(?:tar\.gz|tgz|zip)$/i;
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/**
 * What a user writes after `install`: a path, an address, or a name. `//folder` names a folder inside a repository or an
 * archive, `#ref` a branch, tag or commit. An address that is no archive is a repository.
 */
export function parseSource(
  written: string,
  places: { readonly cwd: string; readonly home: string },
): WrittenSource {
  const text = written.trim();
  if (NAME.test(text) && !ARCHIVE.test(text)) return { name: text };
  const web = /^https:\/\/github\.com\/([\w.-]+)\/([\w.-]+)\/tree\/([\w.-]+)(?:\/(.+?))?\/?$/.exec(text);
  if (web) {
    const [, owner, repository, ref, folder] = web;
    return git(`https://github.com/${owner}/${repository}`, ref, folder);
  }
  const [address, ref] = split(text.replace(/^git\+/, ''), '#');
  if (/^(?:https?|ssh|file):\/\/|^[\w.-]+@[\w.-]+:/i.test(address)) {
    const [at, folder] = cutFolder(address);
    refuseCredentials(at);
    if (/^https?:/i.test(at) && ARCHIVE.test(new URL(at).pathname))
      return { source: made('archive', at, ref, folder) };
    if (/^http:/i.test(at)) throw invalid(written, 'A repository needs https://, ssh:// or file:///.');
    return git(at, ref, folder);
  }
  if (/^[a-z][\w+.-]*:/i.test(text)) throw invalid(written, 'Use https://, ssh:// or file:///, or a path.');
  if (!/^[~./]/.test(text) && !ARCHIVE.test(text) && !text.includes('/'))
    throw invalid(
      written,
      'Give a folder, an archive, an address, or a name of a registry (a-z, 0-9, . _ -).',
    );
  const [rest, folder] = cutFolder(text);
  const path = rest.startsWith('~/') ? join(places.home, rest.slice(2)) : rest;
  const at = normalize(isAbsolute(path) ? path : join(places.cwd, path)).replace(/(?<=.)\/$/, '');
  return { source: made(ARCHIVE.test(at) ? 'archive' : 'folder', at, undefined, folder) };
}

const git = (at: string, ref: string | undefined, folder: string | undefined): WrittenSource => ({
  source: made('git', at, ref, folder),
});

function made(
  kind: HubSource['kind'],
  at: string,
  ref: string | undefined,
  folder: string | undefined,
): HubSource {
  const inner = folder?.replace(/^\/+|\/+$/g, '');
  if (inner?.split('/').some((part) => part === '' || part === '.' || part === '..'))
    throw fail('input.invalid', `'${folder}' is no folder inside of ${at}.`);
  return { kind, at, ...(ref ? { ref } : {}), ...(inner ? { folder: inner } : {}) };
}

/** `https://host/owner/repo//some/folder` */
function cutFolder(address: string): [at: string, folder: string | undefined] {
  const scheme = /^[a-z]+:\/\/+/i.exec(address)?.[0] ?? '';
  const [at, folder] = split(address.slice(scheme.length), '//');
  return [scheme + at, folder];
}

function split(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + mark.length)];
}

/** The lockfile would keep them, and show them to everyone. */
function refuseCredentials(at: string): void {
  if (/^https?:\/\/[^/@]*@/i.test(at))
    throw fail(
      'input.invalid',
      'The address holds a user or a password.',
      'Let git or the server know it in another way.',
    );
}

const invalid = (written: string, fix: string) =>
  fail('input.invalid', `'${written}' is nothing to install from.`, fix);
