import type { LockedSkill } from '#spec/data';
import { judgeSkill } from '../guard/index.ts';
import { changesOf } from './changes.ts';
import type { HubDeps } from './hub-deps.ts';
import type { HubAudit } from './hub-records.ts';

/** What lies there now, against the lockfile and the guard as they are today. */
export async function auditSkill({ place }: HubDeps, skill: LockedSkill): Promise<HubAudit> {
  const { name, path, trust, verdict: was } = skill;
  const now = await place.read(path);
  if (!now) return { name, path, trust, state: 'missing', changes: [], was, verdict: was, findings: [] };
  const changes = changesOf(skill, now);
  const links = now.links.map((link) => ({ path: link, link: true as const }));
  const { verdict, findings } = judgeSkill([...links, ...now.files]);
  return {
    name,
    path,
    trust,
    state: changes.length > 0 ? 'changed' : 'intact',
    changes,
    was,
    verdict,
    findings,
  };
}
