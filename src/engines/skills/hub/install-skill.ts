import type { HubSource } from '#spec/data';
import { type Candidate, withCandidate } from './candidate.ts';
import { isSkillName } from './check-paths.ts';
import type { HubDeps } from './hub-deps.ts';
import { type Agree, type HubInstalled, type HubRefused, refused } from './hub-records.ts';
import { readLock, withSkill } from './lock-text.ts';
import { lockedSkill, proposalOf, settle } from './settle.ts';

export interface InstallOptions {
  /** Which of several skills in the source. */
  readonly skill?: string;
  /** The folder below `skills/`; without it, the skill's own category. */
  readonly category?: string;
  readonly agree?: Agree;
  readonly signal: AbortSignal;
}

const DEFAULT_CATEGORY = 'installed';

/** Fetch, judge, decide, move, write down. */
export function installSkill(
  deps: HubDeps,
  source: HubSource,
  { skill, category, agree, signal }: InstallOptions,
): Promise<HubInstalled | HubRefused> {
  return withCandidate(deps, source, skill, signal, async (candidate) => {
    const { name } = candidate.skill;
    const taken = await nameTaken(deps, candidate);
    if (taken) return taken;
    const path = `${categoryOf(candidate, category)}/${name}`;
    const no = await settle(proposalOf(candidate, 'install', path), agree, false);
    if (no) return no;
    return deps.place.exclusively(async () => {
      // Somebody may have been faster while a person was thinking.
      const again = await nameTaken(deps, candidate);
      if (again) return again;
      if (await deps.place.read(path)) return refused(name, 'name_taken', [`skills/${path}`]);
      const entry = lockedSkill(candidate, path, deps.now());
      const lock = withSkill(readLock(await deps.place.readLock()), name, entry);
      await deps.place.place({ id: candidate.id, path, replace: false, files: candidate.locked, lock });
      return { status: 'installed', name, skill: entry, findings: candidate.judgement.findings };
    });
  });
}

/** A stranger's skill must not stand in for one that is there: names are found in the home before they are found elsewhere. */
async function nameTaken(
  deps: HubDeps,
  { skill, sha256, judgement }: Candidate,
): Promise<HubInstalled | HubRefused | undefined> {
  const installed = readLock(await deps.place.readLock()).find((one) => one.name === skill.name);
  if (installed?.sha256 === sha256)
    return { status: 'unchanged', name: skill.name, skill: installed, findings: judgement.findings };
  if (installed) return refused(skill.name, 'already_installed', [installed.version]);
  const where = await deps.known(skill.name);
  return where === undefined ? undefined : refused(skill.name, 'name_taken', [where]);
}

function categoryOf({ skill }: Candidate, given: string | undefined): string {
  const wanted = (given ?? skill.category).toLowerCase().replace(/[\s_]+/g, '-');
  return isSkillName(wanted) && wanted !== skill.name ? wanted : DEFAULT_CATEGORY;
}
