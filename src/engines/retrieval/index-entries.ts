import type { StoredMessage } from '#spec/data';
import type { IndexEntry, UnindexedMessage } from '#spec/ports';
import { cutTerms } from './cut-terms.ts';
import { dateTerms } from './date-terms.ts';
import { defaultSpeaker, messageText } from './message-text.ts';
import { gist, textTerms } from './term-fields.ts';

type SpeakerOf = (message: StoredMessage) => string;

/** Entries for messages that come with their neighbours. A text is cut once, though it stands in three entries. */
export function indexEntries(
  messages: readonly UnindexedMessage[],
  speakerOf: SpeakerOf = defaultSpeaker,
): IndexEntry[] {
  const seen = new Map<string, { readonly text: string; readonly gist: string }>();
  const cut = (message: StoredMessage) => {
    const known = seen.get(message.id);
    if (known) return known;
    const terms = textTerms(messageText(message.message));
    const made = { text: terms.join(' '), gist: gist(terms) };
    seen.set(message.id, made);
    return made;
  };
  const speakers = new Map<string, string>();
  const speaker = (message: StoredMessage): string => {
    const name = speakerOf(message);
    const made = speakers.get(name) ?? cutTerms(name).join(' ');
    speakers.set(name, made);
    return made;
  };
  return messages.map(({ message, previous, next }) => ({
    id: message.id,
    session: message.session,
    fields: {
      text: cut(message).text,
      speaker: speaker(message),
      previous: previous ? cut(previous).gist : '',
      next: next ? cut(next).gist : '',
      date: dateTerms(message.at).join(' '),
    },
  }));
}
