import type { HubSource, LockedSkill } from '#spec/data';
import type { HubFile } from '#spec/ports';
import { type Candidate, withCandidate } from './candidate.ts';
import { changesOf } from './changes.ts';
import { diffTrees } from './diff-trees.ts';
import type { HubDeps } from './hub-deps.ts';
import { type Agree, type HubInstalled, type HubRefused, refused } from './hub-records.ts';
import { readLock, withSkill } from './lock-text.ts';
import { entrySource, newestEntry, readRegistry } from './registry.ts';
import { lockedSkill, proposalOf, settle } from './settle.ts';

export interface UpdateOptions {
  /** What to do with a copy that was edited by hand. Without it, nothing is done. */
  readonly edited?: 'keep' | 'replace';
  readonly agree?: Agree;
  readonly signal: AbortSignal;
}

/** The newest of an installed skill, with the same questions as on the first day. */
export async function updateSkill(
  deps: HubDeps,
  installed: LockedSkill,
  options: UpdateOptions,
): Promise<HubInstalled | HubRefused> {
  const { name, path } = installed;
  const now = await deps.place.read(path);
  const edited = now ? changesOf(installed, now) : [];
  const source = await sourceNow(deps, installed, options.signal);
  if (!source) return refused(name, 'unknown_name', [installed.source.registry ?? '']);
  return withCandidate(deps, source, name, options.signal, async (candidate) => {
    const findings = candidate.judgement.findings;
    if (candidate.sha256 === installed.sha256 && edited.length === 0 && now)
      return { status: 'unchanged', name, skill: installed, findings };
    const diff = diffTrees(now?.files ?? [], candidate.files);
    if (edited.length > 0 && options.edited === 'keep')
      return { status: 'kept', name, skill: installed, findings, diff };
    if (edited.length > 0 && options.edited !== 'replace')
      return refused(
        name,
        'edited',
        edited.map((one) => one.path),
      );
    const no = await settle(proposalOf(candidate, 'update', path, diff), options.agree, true);
    return no ?? replace(deps, installed, candidate, now?.files, diff);
  });
}

/** Under the lock, and only if what lies there is still what the person was shown. */
const replace = (
  deps: HubDeps,
  installed: LockedSkill,
  candidate: Candidate,
  seen: readonly HubFile[] | undefined,
  diff: string,
): Promise<HubInstalled | HubRefused> =>
  deps.place.exclusively(async () => {
    const { name, path } = installed;
    const lock = readLock(await deps.place.readLock());
    if (!lock.some((one) => one.name === name && one.sha256 === installed.sha256))
      return refused(name, 'not_installed');
    const present = await deps.place.read(path);
    if (diffTrees(seen ?? [], present?.files ?? []) !== '') return refused(name, 'edited');
    const entry = lockedSkill(candidate, path, deps.now(), installed);
    await deps.place.place({
      id: candidate.id,
      path,
      replace: true,
      files: candidate.locked,
      lock: withSkill(lock, name, entry),
    });
    return { status: 'updated', name, skill: entry, findings: candidate.judgement.findings, diff };
  });

/** A registry may have moved on to another archive; everything else is asked where it was. */
async function sourceNow(
  deps: HubDeps,
  { name, source }: LockedSkill,
  signal: AbortSignal,
): Promise<HubSource | undefined> {
  if (source.registry === undefined) return source;
  const entries = await readRegistry(deps.fetcher, source.registry, signal);
  const entry = newestEntry(entries, name);
  return entry && entrySource(entry, source.registry);
}
