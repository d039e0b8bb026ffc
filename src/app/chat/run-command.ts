import type { KnownSecrets } from '#kit/redact';
import type { Conversation } from '#engines/session';
import { fail, toErrorRecord } from '#kit/app-error';
import type { UserPart } from '#spec/data';
import { redactDeep } from '#kit/redact';
import type { ChatPerson, CommandOutcome } from './chat.ts';
import type { ItemList } from './item-list.ts';
import { isApprover, mustApprove } from './open-questions.ts';

export interface CommandPlace {
  readonly list: ItemList;
  readonly secrets: KnownSecrets;
  /** Shows the transcript anew. */
  readonly reload: () => Promise<void>;
  /** Changes of skills that wait within this conversation. */
  readonly skillDrafts: () => Promise<readonly string[]>;
  /** Which of these ids, or of all writes that wait, are rules of the house. */
  readonly rulesAmong: (ids: readonly string[]) => Promise<readonly string[]>;
  /** Whether this person may go on in a session. Rejects where not. */
  readonly mayGoTo: (person: ChatPerson, session: string) => Promise<void>;
}

interface Ran {
  readonly outcome: CommandOutcome;
  readonly resend?: readonly UserPart[];
}

/** Commands that only lead somewhere else: on a page that is another address. */
const LEADING: Readonly<Record<string, CommandOutcome>> = {
  new: { go: 'new' },
  reset: { go: 'new' },
  clear: { go: 'new' },
  quit: { go: 'list' },
  exit: { go: 'list' },
};

/** Runs a line that starts with a slash and shows what it said. */
export async function runCommand(
  line: string,
  person: ChatPerson,
  conversation: Conversation,
  place: CommandPlace,
  signal: AbortSignal,
): Promise<Ran> {
  const [, name = '', argument = ''] = /^\/(\S*)\s*(.*)$/s.exec(line.trim()) ?? [];
  const word = name.toLowerCase();
  const leads = LEADING[word];
  if (leads) return { outcome: leads };
  if (word === 'resume' && argument) {
    await place.mayGoTo(person, argument.trim());
    return { outcome: { session: argument.trim() } };
  }
  await mustBeAllowed(word, argument, person, place);
  const before = conversation.session.id;
  const result = await conversation.command(line, signal).catch((thrown: unknown) => {
    place.list.add({ kind: 'command', line, text: '' });
    place.list.add({ kind: 'error', error: redactDeep(toErrorRecord(thrown), place.secrets) });
  });
  if (!result) return { outcome: {} };
  const after = conversation.session.id;
  // Whatever leads into another session must not lead to somebody else's.
  if (after !== before) await place.mayGoTo(person, after);
  if (result.reload) await place.reload();
  if (result.text) place.list.add(redactDeep({ kind: 'command', line, text: result.text }, place.secrets));
  return {
    outcome: after === before ? {} : { session: after },
    ...(result.resend ? { resend: result.resend } : {}),
  };
}

/** Commands take it that whoever types them sits at the home's own terminal. Here the role says what they may. */
async function mustBeAllowed(
  word: string,
  argument: string,
  person: ChatPerson,
  { skillDrafts, rulesAmong }: CommandPlace,
): Promise<void> {
  if (word === 'approve') mustApprove(person);
  // Whoever may not agree to an action may not take away the rule that forbids it either.
  if (word === 'rules' && argument.trim() !== '') mustApprove(person, 'change the rules of the house');
  // Files of everybody's workspace are written, and no gate asks.
  if (word === 'rollback' && /^confirm\b/.test(argument) && !isApprover(person))
    throw fail('input.forbidden', `The role '${person.role}' may not take files back.`, '/rollback diff');
  if (word !== 'memory') return;
  const [verb = '', ...ids] = argument.trim().split(/\s+/);
  if (['approve', 'forget'].includes(verb) && (await rulesAmong(ids)).length > 0)
    mustApprove(person, 'change the rules of the house');
  if (verb !== 'approve' || person.role === 'admin') return;
  const drafts = await skillDrafts();
  if (drafts.some((id) => ids.includes(id)) || (ids.includes('all') && drafts.length > 0))
    throw fail('input.forbidden', 'Changes of skills wait for the owner of this home.', '/memory pending');
}
