import { defineRoute, type Route } from '#spec/ports';

/** Addresses under which the pages of the console stood before. */
const FORMER: Readonly<Record<string, string>> = {
  '/web': '/',
  '/web/': '/',
  '/web/index.html': '/',
  '/web/monitoring.html': '/monitoring',
  '/web/incidents.html': '/incidents',
  '/web/approvals.html': '/approvals',
  '/web/digests.html': '/digests',
  '/web/memory.html': '/memory',
  '/web/settings.html': '/settings',
};

/** Old addresses lead to the pages that took their place. */
export function formerAddresses(): Route[] {
  const moved = (path: string, to: (query: URLSearchParams) => string): Route =>
    defineRoute({
      method: 'GET',
      path,
      access: 'public',
      summary: 'Where a page stood before',
      status: 302,
      handle: ({ query }) => Promise.resolve({ status: 302, headers: { location: to(query) } }),
    });
  return [
    ...Object.entries(FORMER).map(([path, to]) => moved(path, () => to)),
    moved('/web/incident.html', (query) => {
      const id = query.get('id');
      return id ? `/incidents/${encodeURIComponent(id)}` : '/incidents';
    }),
  ];
}
