import type { Telling } from '../entries/memory.ts';
import type { NotebookEdit } from '../notebooks/open-notebooks.ts';
import { preview } from '../notebooks/notebook-text.ts';
import { routeMessage } from '../route/route-message.ts';
import { plainServicesIn } from '#kit/service-names';
import { correctionIn } from './corrections.ts';

export interface ReviewedTurn {
  readonly session: string;
  readonly turn: number;
  readonly said: string;
  readonly answered: string;
  readonly at: number;
}

export type DecidedWrite =
  | { readonly to: 'notebook'; readonly edit: NotebookEdit }
  | { readonly to: 'entry'; readonly telling: Telling };

/** Something that may not be done, or must be done first. */
const RULE =
  /\b(?:must|never|always|only|requires?|needs? (?:approval|a)|forbidden|not allowed|before|first)\b|必须|不能|不得|禁止|只能|需要|优先|先/i;
/** Said about whoever says it. */
const PERSONAL = /\b(?:i|i'm|me|my|mine|myself)\b|我(?!们)/i;
const LONGEST_NOTE = 600;

/** What the rules alone would write after a turn. The same turn always gives the same writes. */
export function decideWrites({ session, turn, said, answered, at }: ReviewedTurn): readonly DecidedWrite[] {
  const { route, text } = routeMessage(said);
  if (text && text.length > LONGEST_NOTE) return [];
  const provenance = { by: 'rule', session, turn } as const;
  if (route === 'preference' && text)
    return [{ to: 'notebook', edit: { action: 'add', target: 'user', content: text } }];
  if (route === 'remember' && text) {
    const note: DecidedWrite = { to: 'notebook', edit: { action: 'add', target: 'memory', content: text } };
    if (!(RULE.test(text) && plainServicesIn(text).length > 0) || PERSONAL.test(text)) return [note];
    // A rule about a service is of the team, and is found wherever that service is spoken of.
    return [{ to: 'entry', telling: { kind: 'governance_rule', text, at, provenance } }];
  }
  const correction = correctionIn(said);
  if (!correction) return [];
  const about = answered.trim() ? { context: { previous: preview(answered, 200) } } : {};
  return [{ to: 'entry', telling: { kind: 'lesson', text: correction, at, provenance, ...about } }];
}
