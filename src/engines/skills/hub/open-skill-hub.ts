import { AppError } from '#kit/app-error';
import type { HubSource, LockedSkill } from '#spec/data';
import { auditSkill } from './audit-skills.ts';
import { changesOf } from './changes.ts';
import type { HubDeps } from './hub-deps.ts';
import {
  type HubAudit,
  type HubInstalled,
  type HubPublished,
  type HubRefused,
  type HubSearch,
  type HubUninstalled,
  refused,
} from './hub-records.ts';
import { type InstallOptions, installSkill } from './install-skill.ts';
import { readLock, withSkill } from './lock-text.ts';
import type { WrittenSource } from './parse-source.ts';
import { type PublishOptions, publishSkill } from './publish-skill.ts';
import { entrySource, newestEntry, readRegistry } from './registry.ts';
import { searchRegistries } from './search-registries.ts';
import { type UpdateOptions, updateSkill } from './update-skill.ts';

/** Skills from elsewhere. Everything that comes of it is a record; a failure to reach something is thrown. */
export interface SkillHub {
  list(): Promise<readonly LockedSkill[]>;
  install(from: WrittenSource, options: InstallOptions): Promise<HubInstalled | HubRefused>;
  /** One, or all that are installed. */
  update(name: string | undefined, options: UpdateOptions): Promise<readonly (HubInstalled | HubRefused)[]>;
  uninstall(name: string, edited?: 'remove'): Promise<HubUninstalled | HubRefused>;
  audit(): Promise<readonly HubAudit[]>;
  search(text: string, signal: AbortSignal): Promise<HubSearch>;
  publish(options: PublishOptions): Promise<HubPublished | HubRefused>;
}

export function openSkillHub(deps: HubDeps): SkillHub {
  const list = async () => readLock(await deps.place.readLock());
  return {
    list,
    async install(from, options) {
      if ('source' in from) return installSkill(deps, from.source, options);
      const source = await fromRegistry(deps, from.name, options.signal);
      return 'status' in source ? source : installSkill(deps, source, { ...options, skill: from.name });
    },
    async update(name, options) {
      const wanted = (await list()).filter((skill) => name === undefined || skill.name === name);
      if (name !== undefined && wanted.length === 0) return [refused(name, 'not_installed')];
      const done: (HubInstalled | HubRefused)[] = [];
      // One after the other: a person may be asked about each.
      for (const skill of wanted) done.push(await updateOne(deps, skill, options));
      return done;
    },
    uninstall: (name, edited) => deps.place.exclusively(() => uninstall(deps, name, edited)),
    audit: () =>
      deps.place.exclusively(async () => Promise.all((await list()).map((skill) => auditSkill(deps, skill)))),
    search: async (text, signal) => searchRegistries(deps, await list(), text, signal),
    publish: (options) => publishSkill(deps, options),
  };
}

/** A source that has gone must not keep the others from being updated. */
async function updateOne(
  deps: HubDeps,
  skill: LockedSkill,
  options: UpdateOptions,
): Promise<HubInstalled | HubRefused> {
  try {
    return await updateSkill(deps, skill, options);
  } catch (thrown) {
    if (!(thrown instanceof AppError) || options.signal.aborted) throw thrown;
    return refused(skill.name, 'unreachable', [thrown.message]);
  }
}

async function uninstall(
  deps: HubDeps,
  name: string,
  edited: 'remove' | undefined,
): Promise<HubUninstalled | HubRefused> {
  const skills = readLock(await deps.place.readLock());
  const skill = skills.find((one) => one.name === name);
  if (!skill) return refused(name, 'not_installed');
  const now = await deps.place.read(skill.path);
  const changes = now ? changesOf(skill, now) : [];
  if (changes.length > 0 && edited !== 'remove')
    return refused(
      name,
      'edited',
      changes.map((change) => change.path),
    );
  await deps.place.remove(now ? skill.path : undefined, withSkill(skills, name));
  return { status: 'uninstalled', name, skill };
}

/**
 * The place that a name stands for. Two registries that mean different things by it are an old trick: then nobody is
 * believed. A registry that cannot be read ends it, or else silencing one would let another speak.
 */
async function fromRegistry(
  deps: HubDeps,
  name: string,
  signal: AbortSignal,
): Promise<HubSource | HubRefused> {
  const lists = await Promise.all(
    deps.registries.map(async (registry) => {
      const entries = await readRegistry(deps.fetcher, registry, signal);
      const entry = newestEntry(entries, name);
      return entry ? [{ entry, registry }] : [];
    }),
  );
  const found = lists.flat();
  const [first] = found;
  if (!first) return refused(name, 'unknown_name', deps.registries);
  const same = found.every(
    ({ entry, registry }) =>
      entrySource(entry, registry)?.at === entrySource(first.entry, first.registry)?.at &&
      entry.sha256 === first.entry.sha256,
  );
  if (!same)
    return refused(
      name,
      'ambiguous',
      found.map(({ registry, entry }) => `${registry} ${entry.version}`),
    );
  return entrySource(first.entry, first.registry) ?? refused(name, 'bad_source', [first.entry.url]);
}
