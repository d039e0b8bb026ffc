import { z } from 'zod';
import { type Host, incidentDigest, incidentDigestText } from '#host';
import { fail } from '#kit/app-error';
import { LANGUAGES } from '#kit/language';
import { defineRoute, type Route } from '#spec/ports';

/** To the end of the year 9999: days and names of files are made of it. */
const LAST_INSTANT = 253_402_300_799_999;
const Instant = z
  .union([z.iso.datetime({ offset: true }).transform(Date.parse), z.coerce.number().int()])
  .pipe(z.number().min(0).max(LAST_INSTANT));
const Asked = z.object({
  from: Instant,
  to: Instant,
  zone: z.string().max(64).optional(),
  format: z.enum(['json', 'md']).default('json'),
  language: z.enum(LANGUAGES).default('en'),
});

const QUERY = {
  from: 'from then on: ISO 8601, or milliseconds since the epoch',
  to: 'before then',
  zone: 'whose days they are, such as Europe/Berlin; that of the server unless said otherwise',
  format: 'json or md',
  language: 'en or zh, of the Markdown',
};

/** What happened in a day, a week or a month. */
export const digestRoutes = (host: Host): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/digests',
    access: 'read',
    about: { summary: 'What happened in a stretch of time, in numbers', query: QUERY },
    handle: async ({ query }) => {
      const read = Asked.safeParse(Object.fromEntries(query));
      if (!read.success) {
        const [issue] = read.error.issues;
        const name = String(issue?.path[0] ?? 'query') as keyof typeof QUERY;
        throw fail('input.invalid', `${name} cannot be read.`, `${name}: ${QUERY[name] ?? 'unknown'}.`);
      }
      const { format, language, ...span } = read.data;
      if (format === 'json') return { status: 200, body: await incidentDigest(host, span) };
      return {
        status: 200,
        headers: {
          'content-type': 'text/markdown; charset=utf-8',
          'content-disposition': `attachment; filename="digest-${dayOf(span.from)}-${dayOf(span.to - 1)}.md"`,
        },
        body: await incidentDigestText(host, span, language),
      };
    },
  }),
];

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
