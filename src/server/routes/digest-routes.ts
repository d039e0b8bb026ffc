import { incidentDigest, incidentDigestText } from '#app/incidents';
import type { Host } from '#host';
import { API } from '#spec/api';
import type { Route } from '#spec/ports';
import { implement } from '../implement.ts';

type Needs = Pick<Host, 'incidents' | 'redactor' | 'skills'>;

/** What happened in a day, a week or a month. */
export const digestRoutes = (host: Needs): Route[] => [
  implement(API.digests.show, async ({ query: { format, language, ...span } }) => {
    if (format === 'json') return { body: await incidentDigest(host, span) };
    return {
      headers: {
        'content-type': 'text/markdown; charset=utf-8',
        'content-disposition': `attachment; filename="digest-${dayOf(span.from)}-${dayOf(span.to - 1)}.md"`,
      },
      body: await incidentDigestText(host, span, language),
    };
  }),
];

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
