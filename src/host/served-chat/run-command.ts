import type { Conversation } from '#engines/session';
import { fail, toErrorRecord } from '#kit/app-error';
import type { UserPart } from '#spec/data';
import { redactStrings } from '../served/redact-strings.ts';
import type { ChatPerson, CommandOutcome } from './chat.ts';
import type { ItemList } from './item-list.ts';
import { mayApprove } from './open-questions.ts';

export interface CommandPlace {
  readonly list: ItemList;
  readonly secrets: readonly string[];
  /** Shows the transcript anew. */
  readonly reload: () => Promise<void>;
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
  if (word === 'approve' && !mayApprove(person))
    throw fail('input.forbidden', `The role '${person.role}' may not agree to anything.`);
  const before = conversation.session.id;
  const result = await conversation.command(line, signal).catch((thrown: unknown) => {
    place.list.add({ kind: 'command', line, text: '' });
    place.list.add({ kind: 'error', error: redactStrings(toErrorRecord(thrown), place.secrets) });
  });
  if (!result) return { outcome: {} };
  const after = conversation.session.id;
  // Whatever leads into another session must not lead to somebody else's.
  if (after !== before) await place.mayGoTo(person, after);
  if (result.reload) await place.reload();
  if (result.text) place.list.add(redactStrings({ kind: 'command', line, text: result.text }, place.secrets));
  return {
    outcome: after === before ? {} : { session: after },
    ...(result.resend ? { resend: result.resend } : {}),
  };
}
