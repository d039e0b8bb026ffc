import { removeRule, rulesText } from '#engines/aiops';
import type { MemoryView } from '#engines/memory';
import type { SlashResult } from '#engines/session';
import type { Language } from '#kit/language';
import { localView } from '../find-session.ts';
import type { Host } from '../open-host.ts';
import { ruleBook } from './house-rules.ts';

/** `/rules`: what the policy obeys; `/rules remove ID` takes away one that was told. */
export async function rulesCommand(
  host: Host,
  view: MemoryView,
  args: string,
  language: Language,
): Promise<SlashResult> {
  const book = ruleBook(host, view);
  const [verb = '', id] = args.trim().split(/\s+/);
  if (verb === 'remove' && id) return { text: await removeRule(book, id, language) };
  return { text: rulesText(await book.list(), language) };
}

/** The same for whoever sits at this terminal. */
export const rulesOf = async (host: Host, args: string, language: Language): Promise<string> =>
  (await rulesCommand(host, localView(), args, language)).text ?? '';
