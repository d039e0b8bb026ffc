import { newId } from '#kit/new-id';
import type { HubSource, HubTrust, LockedFile, Skill } from '#spec/data';
import type { HubFile } from '#spec/ports';
import { judgeSkill, type SkillJudgement } from '../guard/index.ts';
import { badPath, hostilePath } from './check-paths.ts';
import type { HubDeps } from './hub-deps.ts';
import { type HubRefused, refused } from './hub-records.ts';
import { pickSkill } from './pick-skill.ts';
import { lockedFiles, treeDigest } from './tree-digest.ts';
import { publisherOf, trustOf } from './trust.ts';

/** A skill in quarantine that has been read and judged. */
export interface Candidate {
  /** Of its quarantine. */
  readonly id: string;
  readonly skill: Skill;
  readonly files: readonly HubFile[];
  readonly locked: readonly LockedFile[];
  readonly sha256: string;
  readonly judgement: SkillJudgement;
  readonly source: HubSource;
  readonly commit?: string;
  readonly publisher: string;
  readonly trust: HubTrust;
}

/** What programs leave behind wherever they run; the place does not count it as a change either. */
const LEFTOVER = /(?:^|\/)(?:__pycache__\/|\.DS_Store$)/;

/**
 * Fetches a source into quarantine and judges what then lies there. `use` gets it; whatever it leaves in quarantine is
 * gone afterwards.
 */
export async function withCandidate<T>(
  deps: HubDeps,
  source: HubSource,
  wanted: string | undefined,
  signal: AbortSignal,
  use: (candidate: Candidate) => Promise<T>,
): Promise<T | HubRefused> {
  const label = wanted ?? source.at;
  const fetched = await deps.fetcher.fetch(source, signal);
  // One name that leads elsewhere says enough about all the others.
  const hostile = hostilePath([...fetched.files.map((file) => file.path), ...fetched.odd]);
  if (hostile !== undefined) return refused(label, 'bad_path', [hostile.slice(0, 200)]);
  const files = fetched.files.filter((file) => !LEFTOVER.test(file.path));
  const picked = pickSkill({ files, odd: fetched.odd }, deps.parse, wanted);
  if ('reason' in picked) return refused(label, picked.reason, picked.details);
  const bad = badPath(picked.files.map((file) => file.path));
  if (bad !== undefined) return refused(picked.skill.name, 'bad_path', [bad.slice(0, 200)]);
  const early = judgeSkill(picked.files);
  // What is too large to be judged is not written down at all.
  if (early.findings.some(({ rule, severity }) => severity === 'dangerous' && rule.startsWith('folder.too')))
    return refused(picked.skill.name, 'dangerous', [], early.findings);
  const id = newId('skill');
  try {
    const judged = await deps.place.quarantine(id, picked.files);
    const locked = lockedFiles(judged);
    return await use({
      id,
      skill: picked.skill,
      files: judged,
      locked,
      sha256: treeDigest(locked),
      judgement: judgeSkill(judged),
      source,
      ...(fetched.commit ? { commit: fetched.commit } : {}),
      publisher: publisherOf(source),
      trust: trustOf(source, fetched.from, deps.trusted),
    });
  } finally {
    await deps.place.discard(id);
  }
}
