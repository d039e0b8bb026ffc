import { z } from 'zod';
import { fail } from '#kit/app-error';
import type { McpServed } from '#spec/ports';
import { defineServedTool, type ServedParts, type ServedTool } from './served.ts';

const count = (most: number, usual: number) => z.int().min(1).max(most).default(usual);

/** Everything that is served, as tools. */
export function servedTools({ sessions, approvals, more = [] }: ServedParts): ServedTool[] {
  return [
    ...(sessions ? sessionTools(sessions) : []),
    ...(approvals ? approvalTools(approvals) : []),
    ...more,
  ];
}

function sessionTools(sessions: NonNullable<McpServed['sessions']>): ServedTool[] {
  const about = { scope: 'sessions:read', readOnly: true };
  const list = z.strictObject({ limit: count(100, 20) });
  const read = z.strictObject({ id: z.string(), after: z.int().min(0).default(0), limit: count(200, 50) });
  const search = z.strictObject({ query: z.string().min(1), limit: count(50, 10) });
  return [
    defineServedTool<z.infer<typeof list>>({
      ...about,
      name: 'sessions_list',
      description: 'Lists conversations, the newest first.',
      input: list,
      run: async ({ limit }) => ({ sessions: await sessions.list(limit) }),
    }),
    defineServedTool<z.infer<typeof read>>({
      ...about,
      name: 'session_read',
      description:
        'Reads messages of a conversation, from a position on. `next` is the position to go on from.',
      input: read,
      async run({ id, after, limit }) {
        const found = await sessions.read(id, after, limit);
        if (!found) throw fail('input.invalid', `There is no session ${id}.`);
        return found;
      },
    }),
    defineServedTool<z.infer<typeof search>>({
      ...about,
      name: 'sessions_search',
      description: 'Searches the messages of all conversations.',
      input: search,
      run: async ({ query, limit }) => ({ hits: await sessions.search(query, limit) }),
    }),
  ];
}

function approvalTools(approvals: NonNullable<McpServed['approvals']>): ServedTool[] {
  const list = z.strictObject({});
  const decide = z.strictObject({ id: z.string(), decision: z.enum(['approve', 'deny']) });
  return [
    defineServedTool<z.infer<typeof list>>({
      name: 'approvals_list',
      description: 'Lists actions that wait for somebody to agree, and why they ask.',
      scope: 'approvals:read',
      readOnly: true,
      input: list,
      run: async () => ({ approvals: await approvals.list() }),
    }),
    defineServedTool<z.infer<typeof decide>>({
      name: 'approvals_decide',
      description: 'Agrees to one waiting action, exactly as it is listed, or denies it.',
      scope: 'approvals:decide',
      readOnly: false,
      input: decide,
      async run({ id, decision }) {
        if (await approvals.decide(id, decision === 'approve')) return { id, decision };
        throw fail('input.invalid', `${id} does not wait any more.`);
      },
    }),
  ];
}
