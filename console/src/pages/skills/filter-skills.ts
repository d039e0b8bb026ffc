import type { SkillRow } from '#spec/api';

export interface SkillFilter {
  readonly form: 'all' | SkillRow['form'];
  readonly state: 'all' | 'offered' | 'hidden';
  /** Empty: any. */
  readonly trust: string;
}

export const formOf = (value: string | null): SkillFilter['form'] =>
  value === 'document' || value === 'workflow' ? value : 'all';
export const stateOf = (value: string | null): SkillFilter['state'] =>
  value === 'offered' || value === 'hidden' ? value : 'all';

export type SkillOrder = 'name' | 'uses' | 'last';
export const orderOf = (value: string | null): SkillOrder =>
  value === 'uses' || value === 'last' ? value : 'name';

/** By how often or when they were used; as they came otherwise. */
export function orderSkills(skills: readonly SkillRow[], order: SkillOrder): readonly SkillRow[] {
  if (order === 'name') return skills;
  const weight = ({ uses, lastUsed = 0 }: SkillRow) => (order === 'uses' ? uses : lastUsed);
  return skills.toSorted((one, other) => weight(other) - weight(one));
}

/** A demoted skill is not offered either, although nothing hides it. */
const isOffered = ({ hidden, demoted }: SkillRow): boolean => hidden.length === 0 && demoted === undefined;

/** Those that a filter lets through, in the order in which they came. */
export const filterSkills = (
  skills: readonly SkillRow[],
  { form, state, trust }: SkillFilter,
): readonly SkillRow[] =>
  skills.filter(
    (skill) =>
      (form === 'all' || skill.form === form) &&
      (trust === '' || skill.trust === trust) &&
      (state === 'all' || isOffered(skill) === (state === 'offered')),
  );
