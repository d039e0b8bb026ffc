import { withoutFence } from '#kit/memory-fence';
import type { Message, StoredMessage } from '#spec/data';
import { NUDGES } from '../nudges.ts';
import { isPinned } from './pinned-ids.ts';

const LONGEST_LINE = 240;
/** Characters that belong to what is new, however long the earlier digest has become. */
const LEAST_ENTRIES = 400;
const leftOut = (count: number): string => `(${count} smaller steps left out; session_search finds them)`;
/** What the user said while tools were running stands with a result. */
const STEERED = NUDGES.steering('');

/** A text for people and models, cut to one line. */
function line(text: string, most = LONGEST_LINE): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  return flat.length > most ? `${flat.slice(0, most - 1)}…` : flat;
}

/**
 * What happened, without a model: the user's requests in their own words, the calls made and how they ended, the
 * files touched, what was answered. Deterministic, so that the same conversation gives the same digest.
 */
export function digest(messages: readonly StoredMessage[], mostChars: number): string {
  const earlier: string[] = [];
  const entries: string[] = [];
  const files = new Set<string>();
  for (const stored of messages) {
    const { message, kind } = stored;
    // The records that were named have a block of their own.
    const text = withoutFence<Message['content'][number]>(message.content)
      .map((part) => (part.type === 'text' && !isPinned(stored, part.text) ? part.text : ''))
      .join('\n');
    // A result that was put away is marked as a digest too; it belongs under its call.
    if (kind === 'digest' && message.role === 'user')
      earlier.push(text.replace(/^\[Earlier conversation[^\]]*\]\n?/, ''));
    else if (kind === 'notice') continue;
    else if (message.role === 'user') entries.push(`User: ${line(text, 600)}`);
    else if (message.role === 'tool') {
      entries.push(`  ${message.isError ? 'failed' : 'gave'}: ${line(text, 160)}`);
      for (const part of message.content)
        if (part.type === 'text' && part.text.startsWith(STEERED))
          entries.push(`User: ${line(part.text.slice(STEERED.length), 600)}`);
    } else {
      if (text.trim()) entries.push(`Hermes: ${line(text)}`);
      for (const part of message.content) {
        if (part.type !== 'tool_call') continue;
        entries.push(`  called ${part.name} ${line(part.arguments, 160)}`);
        for (const [, path] of part.arguments.matchAll(/"path"\s*:\s*"([^"]+)"/g)) if (path) files.add(path);
      }
    }
  }
  const named = files.size ? line(`Files: ${[...files].join(', ')}`, Math.floor(mostChars / 5)) : '';
  const known = newestLines(earlier.join('\n'), mostChars - named.length - LEAST_ENTRIES);
  const room = mostChars - known.length - named.length - 2;
  const parts = [known, named, ...newestThatFit(entries, room)].filter(Boolean);
  return parts.join('\n').slice(-mostChars);
}

/** The end of a text, from the start of a line. */
function newestLines(text: string, most: number): string {
  return text.length <= most ? text : text.slice(text.length - Math.max(0, most)).replace(/^.*\n?/, '');
}

/** The user's words come first when there is no room for everything. */
function newestThatFit(entries: readonly string[], room: number): string[] {
  const kept = new Set<number>();
  room -= leftOut(entries.length).length;
  const take = (wanted: (entry: string) => boolean) => {
    for (let i = entries.length - 1; i >= 0; i--) {
      const entry = entries[i] as string;
      if (kept.has(i) || !wanted(entry) || entry.length + 1 > room) continue;
      room -= entry.length + 1;
      kept.add(i);
    }
  };
  take((entry) => entry.startsWith('User:'));
  take(() => true);
  const left = entries.length - kept.size;
  const shown = entries.filter((_, i) => kept.has(i));
  return left ? [...shown, leftOut(left)] : shown;
}
