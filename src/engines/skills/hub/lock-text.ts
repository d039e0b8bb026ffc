import { fail } from '#kit/app-error';
import { HubLock, type LockedSkill, type SkillTrust } from '#spec/data';

/** What the lockfile says. */
export function readLock(text: string | undefined): readonly LockedSkill[] {
  if (text === undefined) return [];
  try {
    return HubLock.parse(JSON.parse(text)).skills;
  } catch (cause) {
    const fix = 'Put back an older copy, or delete it: the skills stay, and are yours from then on.';
    throw fail('store.corrupt', 'skills/hub.lock.json cannot be read.', fix, cause);
  }
}

function writeLock(skills: readonly LockedSkill[]): string {
  const sorted = skills.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return `${JSON.stringify({ version: 1, skills: sorted }, undefined, 2)}\n`;
}

/** The lockfile with one skill entered anew, or taken out. */
export const withSkill = (skills: readonly LockedSkill[], name: string, skill?: LockedSkill): string =>
  writeLock([...skills.filter((one) => one.name !== name), ...(skill ? [skill] : [])]);

/** For `trustOf` of the skill files: undefined for what the hub has not installed. `path` is relative to the skills. */
export function trustByLock(text: string | undefined): (path: string) => SkillTrust | undefined {
  const skills = readLock(text);
  return (path) => skills.find((skill) => path.startsWith(`${skill.path}/`))?.trust;
}
