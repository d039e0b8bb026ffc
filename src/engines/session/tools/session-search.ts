import { z } from 'zod';
import { defineTool } from '#spec/ports';

const day = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

export const tool = defineTool({
  name: 'session_search',
  toolset: 'recall',
  description: 'Searches earlier conversations with this user. Without a query it lists the recent ones.',
  input: z.strictObject({ query: z.string().optional(), limit: z.int().min(1).max(20).optional() }),
  effect: () => 0,
  deed: () => ({ brings: ['private'] }),
  maxChars: 12_000,
  run: async ({ query, limit = 8 }, { recall, session: current }) => {
    if (!query?.trim()) {
      // The conversation that asks is no earlier one.
      const all = await recall.recent(limit + 1);
      const recent = all.filter(({ session }) => session !== current).slice(0, limit);
      const lines = recent.map(({ session, title, at }) => `${day(at)}  ${session}  ${title}`);
      return {
        content: [{ type: 'text', text: lines.join('\n') || 'There are none yet.' }],
        summary: `${recent.length} conversations`,
      };
    }
    const hits = await recall.search(query, limit);
    const blocks = hits.map(
      ({ session, title, at, role, text }) => `## ${title} (${session}, ${day(at)})\n${role}: ${text}`,
    );
    return {
      content: [{ type: 'text', text: blocks.join('\n\n') || 'Nothing was found.' }],
      summary: `${hits.length} found`,
    };
  },
});
