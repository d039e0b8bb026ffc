import type { Skill } from '#spec/data';
import type { SkillMatch } from '#spec/ports';
import { queryWords, saysNothing } from './query-words.ts';
import { rankSkills } from './rank-skills.ts';
import { sharedWords } from './shared-words.ts';
import type { SkillIndex } from './skill-index.ts';
import { firedTriggers, type Surroundings } from './triggers.ts';

/**
 * A skill is offered when it says at least this much of what the message says. The more skills there are, the more one
 * of them says by chance; measured, that grows with the logarithm. See the README.
 */
const GATE = { base: 0.045, perLog: 0.033 };
/** What triggers add. One alone opens the gate only for a message that is nearly there. */
const TRIGGER = { keyword: 0.08, signal: 0.06, file: 0.02, most: 0.2 };
/** After the first, only those that are as good as this share of it. */
const NEAR = 0.5;
const MOST_REASONS = 5;

const gateFor = (skills: number): number => GATE.base + GATE.perLog * Math.log(Math.max(skills, 2));

export interface MatchOptions extends Surroundings {
  readonly limit: number;
  /** Another gate than the usual one, from 0 (offers the nearest, whatever it is) to 1. */
  readonly gate?: number;
}

/** Skills that fit a message, best first; none when none does. */
export function matchSkills(
  text: string,
  index: SkillIndex,
  isOffered: (skill: Skill) => boolean,
  options: MatchOptions,
): readonly SkillMatch[] {
  if (saysNothing(text)) return [];
  const words = queryWords(text, index);
  const { gate = gateFor(index.live.skills) } = options;
  const matches = rankSkills(index, words)
    .filter(({ skill, fit }) => fit >= gate - TRIGGER.most && isOffered(skill))
    .map(({ skill, score, fit }) => {
      const fired = firedTriggers(text, skill, options);
      const gain = Math.min(
        TRIGGER.most,
        fired.keywords.length * TRIGGER.keyword +
          fired.signals.length * TRIGGER.signal +
          fired.files.length * TRIGGER.file,
      );
      return { skill, score: score + gain, fit: fit + gain, fired };
    })
    .sort((a, b) => b.score - a.score);
  const best = matches[0];
  if (!best || best.fit < gate) return [];
  return matches
    .filter(({ score, fit }) => fit >= gate && score >= best.score * NEAR)
    .slice(0, options.limit)
    .map(({ skill, fit, fired }) => {
      const has = new Set(index.termsOf(skill));
      const told = words.filter(({ term, relative }) => !relative && has.has(term)).map(({ term }) => term);
      const shared = sharedWords(text, new Set(told.slice(0, MOST_REASONS)));
      const reasons = [...fired.keywords, ...fired.signals, ...fired.files, ...shared];
      return { skill, score: fit, because: [...new Set(reasons)].slice(0, MOST_REASONS) };
    });
}
