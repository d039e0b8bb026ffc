import { messageText, searchSessions } from '#engines/retrieval';
import { toErrorRecord } from '#kit/app-error';
import type { McpServed } from '#spec/ports';
import type { Dependencies } from '../dependencies.ts';
import { localAudience } from '../terminal/index.ts';

type Needs = Pick<Dependencies, 'database' | 'gate'>;

/** What other agents and editors see of this home, as far as their scopes go. */
export function mcpServed(home: Needs): McpServed {
  const audience = localAudience();
  const title = async (id: string) => {
    const { sessions } = await home.database();
    return (await sessions.get(id))?.session.title ?? '';
  };
  return {
    sessions: {
      list: async (limit) => {
        const { sessions } = await home.database();
        const found = await sessions.list({ audience, limit });
        return found.map((session) => ({
          id: session.id,
          title: session.title ?? '',
          at: session.updatedAt,
        }));
      },
      read: async (id, after, limit) => {
        const { sessions, transcript } = await home.database();
        const found = await sessions.get(id);
        if (!found || found.session.user !== audience.user || found.session.source !== audience.source)
          return undefined;
        const all = await transcript.read(id, ['active', 'archived']);
        const part = all.slice(after, after + limit);
        const messages = part.map(({ message, at }) => ({
          role: message.role,
          text: messageText(message),
          at,
        }));
        const next = after + part.length;
        return { messages, ...(next < all.length ? { next } : {}) };
      },
      search: async (query, limit) => {
        const { index } = await home.database();
        const hits = await searchSessions(query, { index }, { scope: { audience }, limit });
        return Promise.all(
          hits.map(async ({ session, message: { message, at } }) => ({
            session,
            title: await title(session),
            role: message.role,
            text: messageText(message),
            at,
          })),
        );
      },
    },
    approvals: {
      list: async () =>
        (await (await home.gate()).pending()).map(({ id, action, reasons, createdAt, expiresAt }) => ({
          id,
          tool: action.tool,
          shown: action.shown,
          reasons: reasons.map(({ en }) => en),
          createdAt,
          expiresAt,
        })),
      decide: async (id, granted) => {
        const gate = await home.gate();
        const by = { channel: 'mcp', user: audience.user };
        return gate.decide(id, { granted, by }).then(
          () => true,
          (thrown: unknown) => {
            // Whoever may not agree is told why.
            if (toErrorRecord(thrown).code === 'tool.refused') throw thrown;
            return false;
          },
        );
      },
    },
  };
}
