import type { StoredMessage } from '#spec/data';
import type { IndexEntry, UnindexedMessage } from '#spec/ports';
import { cutTerms } from './cut-terms.ts';
import { dateTerms } from './date-terms.ts';
import { defaultSpeaker, messageText } from './message-text.ts';
import { isStopTerm } from './stop-words.ts';

type SpeakerOf = (message: StoredMessage) => string;

/** Of a longer text the beginning and the end are searchable. */
const HEAD_CHARS = 60_000;
const TAIL_CHARS = 20_000;
/** How much of a neighbour stands in the entry of a message. */
const NEIGHBOUR_TERMS = 10;

/** Entries for messages that come with their neighbours. */
export function entriesFor(
  messages: readonly UnindexedMessage[],
  speakerOf: SpeakerOf = defaultSpeaker,
): IndexEntry[] {
  const seen = new Map<string, { readonly text: string; readonly gist: string }>();
  const cut = (message: StoredMessage) => {
    const known = seen.get(message.id);
    if (known) return known;
    const terms = cutTerms(bounded(messageText(message.message))).filter((term) => !isStopTerm(term));
    const made = { text: terms.join(' '), gist: firstDifferent(terms).join(' ') };
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

/** Entries for messages in the order of their conversation; those of one session are neighbours. */
export function indexEntries(
  messages: readonly StoredMessage[],
  speakerOf: SpeakerOf = defaultSpeaker,
): IndexEntry[] {
  const beside = (at: number, session: string) => {
    const message = messages[at];
    return message?.session === session ? message : undefined;
  };
  const placed = messages.map((message, at): UnindexedMessage => {
    const previous = beside(at - 1, message.session);
    const next = beside(at + 1, message.session);
    return { message, ...(previous ? { previous } : {}), ...(next ? { next } : {}) };
  });
  return entriesFor(placed, speakerOf);
}

/** What stands of a message in the entries of its neighbours. */
function firstDifferent(terms: readonly string[]): string[] {
  const found = new Set<string>();
  for (const term of terms) {
    if (found.size >= NEIGHBOUR_TERMS) break;
    found.add(term);
  }
  return [...found];
}

function bounded(text: string): string {
  if (text.length <= HEAD_CHARS + TAIL_CHARS) return text;
  return `${text.slice(0, HEAD_CHARS)} ${text.slice(-TAIL_CHARS)}`;
}
