import { messageText, searchSessions } from '#engines/retrieval';
import type { Audience } from '#spec/data';
import type { SessionRecall } from '#spec/ports';
import type { Conversations } from '../dependencies.ts';

const MOST_CHARS = 1_200;

/** Past conversations of the same people, as tools see them. */
export function sessionRecall({ index, sessions }: Conversations, audience: Audience): SessionRecall {
  const titles = async (ids: readonly string[]) =>
    new Map(
      await Promise.all(ids.map(async (id) => [id, (await sessions.get(id))?.session.title ?? ''] as const)),
    );
  return {
    search: async (query, limit) => {
      const hits = await searchSessions(query, { index }, { scope: { audience }, limit });
      const named = await titles([...new Set(hits.map(({ session }) => session))]);
      return hits.map(({ session, score, message }) => ({
        session,
        score,
        title: named.get(session) ?? '',
        at: message.at,
        role: message.message.role,
        text: messageText(message.message).slice(0, MOST_CHARS),
      }));
    },
    recent: async (limit) =>
      (await sessions.list({ audience, limit })).map(({ id, title, updatedAt }) => ({
        session: id,
        title: title ?? '',
        at: updatedAt,
      })),
  };
}
