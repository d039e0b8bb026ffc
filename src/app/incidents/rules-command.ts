import { removeRule, rulesText } from '#engines/aiops';
import type { MemoryView } from '#engines/memory';
import type { SlashResult } from '#engines/session';
import type { Language } from '#kit/language';
import { localView } from '../terminal/find-session.ts';
import type { Dependencies } from '../dependencies.ts';
import { ruleBook } from './house-rules.ts';

type Needs = Pick<Dependencies, 'database' | 'incidentFile' | 'memory' | 'settings'>;

/** `/rules`: what the policy obeys; `/rules remove ID` takes away one that was told. */
export async function rulesCommand(
  deps: Needs,
  view: MemoryView,
  args: string,
  language: Language,
): Promise<SlashResult> {
  const book = ruleBook(deps, view);
  const [verb = '', id] = args.trim().split(/\s+/);
  if (verb === 'remove' && id) return { text: await removeRule(book, id, language) };
  return { text: rulesText(await book.list(), language) };
}

/** The same for whoever sits at this terminal. */
export const rulesOf = async (deps: Needs, args: string, language: Language): Promise<string> =>
  (await rulesCommand(deps, localView(), args, language)).text ?? '';
