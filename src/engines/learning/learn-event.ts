import { tell } from '#kit/text';
import type { Language } from '#kit/language';

/** Something that the loop did to the library, or chose not to do. */
export interface LearnEvent {
  readonly kind:
    | 'drafted'
    | 'rejected'
    | 'improved'
    | 'repaired'
    | 'rolled_back'
    | 'demoted'
    | 'restored'
    | 'merged'
    | 'stale'
    | 'archived'
    | 'refused';
  readonly skill: string;
  readonly why: string;
  /** The edit that can be undone. */
  readonly edit?: string;
}

const WORDS: Readonly<Record<LearnEvent['kind'], Readonly<Record<Language, string>>>> = {
  drafted: { en: 'learned the skill', zh: '学会了技能' },
  rejected: { en: 'did not keep a draft of', zh: '没有保留技能草稿' },
  improved: { en: 'noted something in the skill', zh: '补充了技能' },
  repaired: { en: 'repaired the skill', zh: '修复了技能' },
  rolled_back: { en: 'took back the last version of the skill', zh: '撤回了技能的最新版本' },
  demoted: { en: 'no longer offers the skill', zh: '不再推荐技能' },
  restored: { en: 'offers again the skill', zh: '重新推荐技能' },
  merged: { en: 'merged into the skill', zh: '合并到技能' },
  stale: { en: 'has not used for long the skill', zh: '长期未使用技能' },
  archived: { en: 'archived the skill', zh: '归档了技能' },
  refused: { en: 'was not allowed to write the skill', zh: '未获准写入技能' },
};

/** One line for a person. */
export function tellLearning({ kind, skill, why, edit }: LearnEvent, language: Language): string {
  const words = WORDS[kind][language];
  const undo = edit
    ? tell(` (undo: hermes learn undo ${edit})`, `(撤销: hermes learn undo ${edit})`)[language]
    : '';
  return tell(`Hermes ${words} \`${skill}\`: ${why}${undo}`, `${words} \`${skill}\`:${why}${undo}`)[language];
}
