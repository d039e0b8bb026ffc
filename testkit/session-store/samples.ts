import type { Message, Session } from '#spec/data';
import type { TranscriptEntry } from '#spec/ports';

/** A session with nothing in it. */
export function sampleSession(id: string, more: Partial<Session> = {}): Session {
  return {
    id,
    source: 'cli',
    user: 'ann',
    chat: 'terminal',
    createdAt: 1_000,
    updatedAt: 1_000,
    messages: 0,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    cost: 0,
    ...more,
  };
}

/** A message of the user, unless another one is given. */
export function sampleEntry(
  id: string,
  said: string | Message,
  more: Partial<TranscriptEntry> = {},
): TranscriptEntry {
  const message: Message =
    typeof said === 'string' ? { role: 'user', content: [{ type: 'text', text: said }] } : said;
  return { id, turn: 1, at: 2_000, state: 'active', kind: 'plain', message, ...more };
}
