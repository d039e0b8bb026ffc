import { cutTerms } from '#engines/retrieval';
import type { Skill } from '#spec/data';

/** A part of a skill whose terms count alike. */
export interface SkillPiece {
  /** Those that say nothing too. */
  readonly terms: readonly string[];
  /** What each of them counts for what the whole skill is about. */
  readonly weight: number;
  /** Number of the passage that it belongs to; the lead (name, description, triggers) belongs to all of them. */
  readonly passage: number | 'lead' | 'none';
}

/** What a word counts by where it stands. Chosen by measurement; see the README. */
const WEIGHTS = { lead: 0, heading: 6, text: 2, strong: 2, code: 1 };
/** A passage ends at a heading once it has this many characters, and anywhere at the second number. */
const PASSAGE_CHARS = { least: 200, most: 1_500 };
/** Of a longer skill the rest is not searched. */
const MOST_CHARS = 60_000;
const STRONG = /\*\*([^*\n]+)\*\*/g;

/** A skill cut into pieces of terms. It has at least one passage, so that one without a text is found by its lead. */
export function skillPieces(skill: Pick<Skill, 'name' | 'description' | 'tags' | 'triggers' | 'body'>): {
  readonly pieces: readonly SkillPiece[];
  readonly passages: number;
} {
  const { keywords, contextSignals } = skill.triggers;
  const lead = [skill.name, skill.description, ...skill.tags, ...keywords, ...contextSignals].join('\n');
  const pieces: SkillPiece[] = [{ terms: cutTerms(lead), weight: WEIGHTS.lead, passage: 'lead' }];
  let passage = 0;
  let chars = 0;
  let inCode = false;
  let gathered = '';
  let kind: 'heading' | 'text' | 'code' = 'text';
  const close = () => {
    if (gathered) pieces.push({ terms: cutTerms(gathered), weight: WEIGHTS[kind], passage });
    gathered = '';
  };
  for (const line of skill.body.slice(0, MOST_CHARS).split('\n')) {
    const fence = /^\s{0,3}```/.test(line);
    const heading = !inCode && /^#{1,6}\s/.test(line);
    if ((heading && chars > PASSAGE_CHARS.least) || chars > PASSAGE_CHARS.most) {
      close();
      passage++;
      chars = 0;
    }
    const now = heading ? 'heading' : inCode || fence ? 'code' : 'text';
    if (now !== kind) close();
    kind = now;
    gathered += `${line}\n`;
    chars += line.length + 1;
    if (fence) inCode = !inCode;
  }
  close();
  const strong = Array.from(skill.body.slice(0, MOST_CHARS).matchAll(STRONG), ([, text]) => text).join('\n');
  pieces.push({ terms: cutTerms(strong), weight: WEIGHTS.strong, passage: 'none' });
  return { pieces, passages: passage + 1 };
}
