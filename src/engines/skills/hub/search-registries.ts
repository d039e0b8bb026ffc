import { cutTerms } from '#engines/retrieval';
import { toErrorRecord } from '#kit/app-error';
import type { LockedSkill, RegistryEntry } from '#spec/data';
import type { HubDeps } from './hub-deps.ts';
import type { HubFound, HubSearch } from './hub-records.ts';
import { entrySource, readRegistry } from './registry.ts';
import { trustOf } from './trust.ts';

const MOST = 50;

/** What the registries and the lockfile know about some words. A registry that does not answer is told, not fatal. */
export async function searchRegistries(
  deps: HubDeps,
  installed: readonly LockedSkill[],
  text: string,
  signal: AbortSignal,
): Promise<HubSearch> {
  const problems: { registry: string; message: string }[] = [];
  const lists = await Promise.all(
    deps.registries.map(async (registry) => {
      try {
        return (await readRegistry(deps.fetcher, registry, signal)).map((entry) => ({ entry, registry }));
      } catch (thrown) {
        problems.push({ registry, message: toErrorRecord(thrown).message });
        return [];
      }
    }),
  );
  const words = [...new Set(cutTerms(text))];
  const best = <T extends Pick<RegistryEntry, 'name' | 'description'>>(all: readonly T[]): T[] =>
    all
      .map((one) => ({ one, score: score(one, words) }))
      .filter(({ score: points }) => points > 0 || words.length === 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, MOST)
      .map(({ one }) => one);
  const all = lists.flat().map(({ entry, registry }) => found(deps, installed, entry, registry));
  return { found: best(all), local: best(installed), problems };
}

function found(
  deps: HubDeps,
  installed: readonly LockedSkill[],
  entry: RegistryEntry,
  registry: string,
): HubFound {
  const source = entrySource(entry, registry);
  const version = installed.find((one) => one.name === entry.name)?.version;
  return {
    ...entry,
    registry,
    trust: source ? trustOf(source, source.at, deps.trusted) : 'community',
    ...(version === undefined ? {} : { installed: version }),
  };
}

/** A word in the name counts three times. */
function score(
  { name, description }: Pick<RegistryEntry, 'name' | 'description'>,
  words: readonly string[],
): number {
  const inName = new Set(cutTerms(name.replace(/[-_.]/g, ' ')));
  const inText = new Set(cutTerms(description));
  return words.reduce((sum, word) => sum + (inName.has(word) ? 3 : 0) + (inText.has(word) ? 1 : 0), 0);
}
