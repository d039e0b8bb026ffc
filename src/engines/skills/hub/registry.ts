import { dirname, isAbsolute, join } from 'node:path';
import { fail } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import { type HubSource, RegistryEntry } from '#spec/data';
import type { HubFetcher } from '#spec/ports';
import { isSkillName } from './check-paths.ts';

const MOST = 20_000;
const ARCHIVE = /\.(?:tar\.gz|tgz|zip)$/i;

/** The entries of an index. What is not an entry is left out: one bad line must not hide the rest. */
export function parseIndex(text: string, at: string): RegistryEntry[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw fail('input.invalid', `${at} is no index of skills: it is not JSON.`, undefined, cause);
  }
  if (!isRecord(value) || !Array.isArray(value['skills']))
    throw fail(
      'input.invalid',
      `${at} is no index of skills.`,
      'It has to be {"skills": [{"name", "url", …}]}.',
    );
  return value['skills'].slice(0, MOST).flatMap((entry) => {
    const { data } = RegistryEntry.safeParse(entry);
    return data && isSkillName(data.name) ? [data] : [];
  });
}

export const readRegistry = async (
  fetcher: HubFetcher,
  at: string,
  signal: AbortSignal,
): Promise<RegistryEntry[]> => parseIndex(await fetcher.readIndex(at, signal), at);

/** The newest version that an index has of a skill. */
export const newestEntry = (entries: readonly RegistryEntry[], name: string): RegistryEntry | undefined =>
  entries
    .filter((entry) => entry.name === name)
    .toSorted((one, other) => VERSIONS.compare(other.version, one.version))[0];

/** Numbers in versions count as numbers: 1.10 comes after 1.9. */
const VERSIONS = new Intl.Collator('en', { numeric: true });

/**
 * What an entry of a registry leads to. Undefined when it must not be followed: an index from elsewhere may not name
 * files of this machine.
 */
export function entrySource(entry: RegistryEntry, registry: string): HubSource | undefined {
  const remote = /^https?:/i.test(registry);
  const [address = '', ref] = entry.url.split('#', 2);
  const url = resolveUrl(address, registry);
  if (url === undefined) return undefined;
  const local = !/^(?:https?|ssh):|^[\w.-]+@[\w.-]+:/i.test(url);
  if (remote && local) return undefined;
  if (/^https?:\/\/[^/@]*@/i.test(url)) return undefined;
  const kind = ARCHIVE.test(url.split('?')[0] ?? '')
    ? 'archive'
    : local && !url.startsWith('file:')
      ? 'folder'
      : 'git';
  if (kind === 'git' && /^http:/i.test(url)) return undefined;
  return {
    kind,
    at: url,
    registry,
    ...(ref ? { ref } : {}),
    ...(entry.sha256 ? { sha256: entry.sha256 } : {}),
  };
}

function resolveUrl(url: string, registry: string): string | undefined {
  if (/^(?:https|http|ssh|file):|^[\w.-]+@[\w.-]+:/i.test(url)) return url;
  if (/^[a-z][\w+.-]*:/i.test(url)) return undefined;
  if (/^https?:/i.test(registry)) return URL.parse(url, registry)?.href;
  return isAbsolute(url) ? url : join(dirname(registry), url);
}
