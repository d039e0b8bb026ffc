import type { MemoryView } from '#engines/memory';
import { scopesOf } from '#engines/memory';

/** Who asks. */
export const VIEW: MemoryView = {
  audience: { source: 'cli', user: 'bench', chat: 'bench' },
  shared: false,
};

const [PERSON, CHAT, TEAM] = scopesOf(VIEW) as [string, string, string];

/** Whose the n-th entry is: nine in ten can be seen by who asks, the rest belongs to a hundred others. */
export function scopeAt(n: number): string {
  const place = n % 10;
  if (place < 3) return PERSON;
  if (place < 5) return CHAT;
  return place < 9 ? TEAM : `person/cli/other${Math.floor(n / 10) % 100}`;
}
