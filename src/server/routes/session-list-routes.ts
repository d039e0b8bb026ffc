import { z } from 'zod';
import type { ServedSessions, SessionReader } from '#host';
import { fail } from '#kit/app-error';
import { Session } from '#spec/data';
import { defineRoute, type Route, type RouteRequest } from '#spec/ports';
import { readNumber } from './read-json.ts';

const MOST_LISTED = 500;
const MOST_FOUND = 50;
const MOST_FACTS = 5_000;
const LONGEST_QUERY = 10_000;

const Found = z.object({
  session: z.string(),
  title: z.string(),
  message: z.string(),
  turn: z.number().int(),
  at: z.number(),
  role: z.string(),
  pieces: z.array(z.object({ text: z.string(), hit: z.boolean() })),
});

const EXPORTS = {
  json: { type: 'application/json; charset=utf-8', ending: 'json' },
  markdown: { type: 'text/markdown; charset=utf-8', ending: 'md' },
} as const;

/**
 * Stored conversations, to be read: an admin sees all of them, everybody else their own. What is somebody else's is
 * answered like what does not exist.
 */
export function sessionListRoutes(sessions: ServedSessions): Route[] {
  const one = (
    path: string,
    about: Route['about'],
    give: (reader: SessionReader, id: string, request: RouteRequest) => Promise<object>,
  ): Route =>
    defineRoute({
      method: 'GET',
      path: `/api/conversations/:id${path}`,
      access: 'read',
      ...(about ? { about } : {}),
      handle: async (request) => ({
        status: 200,
        body: await give(readerOf(request), request.params['id'] ?? '', request),
      }),
    });
  return [
    defineRoute({
      method: 'GET',
      path: '/api/conversations',
      access: 'read',
      about: {
        summary: 'Conversations, newest first',
        query: {
          text: 'in the title, or the beginning of an id',
          before: 'last written to before this, in milliseconds since the epoch',
          limit: 'at most so many',
        },
        answer: z.array(Session),
      },
      handle: async (request) => {
        const { query } = request;
        const text = query.get('text');
        const body = await sessions.list(readerOf(request), {
          ...(text ? { text } : {}),
          ...(query.get('before') ? { before: readNumber(query, 'before', Number.MAX_SAFE_INTEGER) } : {}),
          limit: readNumber(query, 'limit', MOST_LISTED, 100),
        });
        return { status: 200, body };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/conversations/search',
      access: 'read',
      about: {
        summary: 'What was said, best hits first',
        query: { q: 'any words', limit: 'at most so many' },
        answer: z.array(Found),
      },
      handle: async (request) => {
        const words = (request.query.get('q') ?? '').slice(0, LONGEST_QUERY);
        const limit = readNumber(request.query, 'limit', MOST_FOUND, 20);
        return { status: 200, body: await sessions.search(readerOf(request), words, limit) };
      },
    }),
    one('', { summary: 'A conversation with the prompt that it is sent with' }, sessions.view),
    one('/messages', { summary: 'Its messages in order, long parts cut' }, sessions.messages),
    one('/messages/:message', { summary: 'One message in full' }, (reader, id, { params }) =>
      sessions.message(reader, id, params['message'] ?? ''),
    ),
    one(
      '/facts',
      {
        summary: 'What happened in it, in order',
        query: { after: 'the number of the last fact that is known', limit: 'at most so many' },
      },
      (reader, id, { query }) =>
        sessions.facts(reader, id, after(query), readNumber(query, 'limit', MOST_FACTS)),
    ),
    one('/approvals', { summary: 'What was asked for agreement in it' }, sessions.approvals),
    defineRoute({
      method: 'GET',
      path: '/api/conversations/:id/export',
      access: 'read',
      about: {
        summary: 'The whole conversation as a file, as `hermes sessions export` writes it',
        query: { format: 'json or markdown' },
      },
      handle: async (request) => {
        const id = request.params['id'] ?? '';
        const format = request.query.get('format') ?? 'json';
        if (format !== 'json' && format !== 'markdown')
          throw fail('input.invalid', 'format: it is json or markdown.');
        const body = await sessions.export(readerOf(request), id, format);
        const { type, ending } = EXPORTS[format];
        const name = `${id.replaceAll(/[^\w.-]/g, '_')}.${ending}`;
        return {
          status: 200,
          headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
          body,
        };
      },
    }),
  ];
}

const readerOf = ({ principal }: RouteRequest): SessionReader => {
  if (!principal) throw fail('input.unauthorized', 'This needs a token.');
  return { user: principal.user, all: principal.role === 'admin' };
};

/** From the beginning on where nothing is known yet. */
const after = (query: URLSearchParams): number =>
  query.get('after') === '0'
    ? 0
    : query.has('after')
      ? readNumber(query, 'after', Number.MAX_SAFE_INTEGER)
      : 0;
