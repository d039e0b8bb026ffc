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
  const body = skill.body.slice(0, MOST_CHARS);
  let passage = 0;
  let kind: 'heading' | 'text' | 'code' = 'text';
  let inCode = false;
  /** Where the passage begins, and where what is of one kind does. */
  let [opened, started] = [0, 0];
  const close = (at: number) => {
    if (at > started)
      pieces.push({ terms: cutTerms(body.slice(started, at)), weight: WEIGHTS[kind], passage });
    started = at;
  };
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('\n', at) + 1 || body.length;
    const line = body.slice(at, end);
    const fence = /^\s{0,3}```/.test(line);
    const heading = !inCode && /^#{1,6}\s/.test(line);
    const length = at - opened;
    if ((heading && length > PASSAGE_CHARS.least) || length > PASSAGE_CHARS.most) {
      close(at);
      passage++;
      opened = at;
    }
    const now = heading ? 'heading' : inCode || fence ? 'code' : 'text';
    if (now !== kind) close(at);
    kind = now;
    if (fence) inCode = !inCode;
    at = end;
  }
  close(body.length);
  const strong = Array.from(body.matchAll(STRONG), ([, text]) => text).join('\n');
  pieces.push({ terms: cutTerms(strong), weight: WEIGHTS.strong, passage: 'none' });
  return { pieces, passages: passage + 1 };
}
