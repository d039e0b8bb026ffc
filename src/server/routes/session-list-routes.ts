import type { ServedSessions, SessionReader } from '#app/sessions';
import { fail } from '#kit/app-error';
import { API } from '#spec/api';
import type { Principal, Route } from '#spec/ports';
import { implement } from '../implement.ts';

const { conversations: CONVERSATIONS } = API;

const EXPORTS = {
  json: { type: 'application/json; charset=utf-8', ending: 'json' },
  markdown: { type: 'text/markdown; charset=utf-8', ending: 'md' },
} as const;

/**
 * Stored conversations, to be read: an admin sees all of them, everybody else their own. What is somebody else's is
 * answered like what does not exist.
 */
export const sessionListRoutes = (sessions: ServedSessions): Route[] => [
  implement(CONVERSATIONS.list, async ({ principal, query: { text, before, limit } }) => ({
    body: await sessions.list(readerOf(principal), {
      ...(text ? { text } : {}),
      ...(before === undefined ? {} : { before }),
      limit,
    }),
  })),
  implement(CONVERSATIONS.search, async ({ principal, query: { q = '', limit } }) => ({
    body: await sessions.search(readerOf(principal), q, limit),
  })),
  implement(CONVERSATIONS.show, async ({ principal, params }) => ({
    body: await sessions.view(readerOf(principal), params.id),
  })),
  implement(CONVERSATIONS.messages, async ({ principal, params }) => ({
    body: await sessions.messages(readerOf(principal), params.id),
  })),
  implement(CONVERSATIONS.message, async ({ principal, params }) => ({
    body: await sessions.message(readerOf(principal), params.id, params.message),
  })),
  implement(CONVERSATIONS.facts, async ({ principal, params, query: { after, limit } }) => ({
    body: await sessions.facts(readerOf(principal), params.id, after, limit),
  })),
  implement(CONVERSATIONS.approvals, async ({ principal, params }) => ({
    body: await sessions.approvals(readerOf(principal), params.id),
  })),
  implement(CONVERSATIONS.export, async ({ principal, params: { id }, query: { format } }) => {
    const body = await sessions.export(readerOf(principal), id, format);
    const { type, ending } = EXPORTS[format];
    const name = `${id.replaceAll(/[^\w.-]/g, '_')}.${ending}`;
    return {
      headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
      body,
    };
  }),
];

const readerOf = (principal: Principal | undefined): SessionReader => {
  if (!principal) throw fail('input.unauthorized', 'This needs a token.');
  return { user: principal.user, all: principal.role === 'admin' };
};
