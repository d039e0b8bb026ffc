import { afterEach, describe, expect, it } from 'vitest';
import { type LoopbackHandler, type LoopbackServer, loopbackWeb, startLoopback } from '#testkit/web';
import { toolContext } from '#testkit/tool-context';
import { tool } from './web-search.ts';

let server: LoopbackServer | undefined;
afterEach(() => server?.close());

const ORIGINS = [
  'https://api.tavily.com',
  'https://api.exa.ai',
  'https://api.search.brave.com',
  'https://api.firecrawl.dev',
  'http://searx.lan:8888',
  'https://html.duckduckgo.com',
];

async function search(keys: Record<string, string>, handler: LoopbackHandler, input: object = {}) {
  server = await startLoopback(handler);
  const url = server.url;
  const web = loopbackWeb(Object.fromEntries(ORIGINS.map((origin) => [origin, url])));
  return tool.run(
    tool.input.parse({ query: 'pool exhausted', ...input }),
    toolContext({ web, key: (name) => keys[name] }),
  );
}

const HIT = { title: 'Pools', url: 'https://docs.example/pools', snippet: 'How pools work.' };

describe('web_search with a key', () => {
  it.each([
    [
      'Tavily',
      { TAVILY_API_KEY: 'tvly-1' },
      { results: [{ title: 'Pools', url: HIT.url, content: HIT.snippet }] },
    ],
    ['Exa', { EXA_API_KEY: 'k' }, { results: [{ title: 'Pools', url: HIT.url, highlights: [HIT.snippet] }] }],
    [
      'Brave',
      { BRAVE_API_KEY: 'k' },
      { web: { results: [{ ...HIT, description: '<strong>How</strong> pools work.' }] } },
    ],
    ['Firecrawl', { FIRECRAWL_API_KEY: 'k' }, { data: { web: [{ ...HIT, description: HIT.snippet }] } }],
    ['Firecrawl', { FIRECRAWL_API_KEY: 'k' }, { data: [{ ...HIT, description: HIT.snippet }] }],
    ['SearXNG', { SEARXNG_URL: 'http://searx.lan:8888/' }, { results: [{ ...HIT, content: HIT.snippet }] }],
  ])('asks %s', async (provider, keys, body) => {
    const result = await search(keys, () => ({ body }));
    expect(result).toMatchObject({
      summary: `1 result from ${provider}`,
      data: { provider, results: [HIT] },
    });
    expect(result.isError).toBeUndefined();
    const [request] = server?.requests ?? [];
    const sent = request?.query.get('q') ?? request?.json();
    expect([sent, sent]).toContainEqual(
      typeof sent === 'string' ? 'pool exhausted' : expect.objectContaining({ query: 'pool exhausted' }),
    );
  });

  it('sends the key where the service wants it', async () => {
    await search({ BRAVE_API_KEY: 'bsa-1' }, () => ({ body: {} }));
    expect(server?.requests[0]?.headers['x-subscription-token']).toBe('bsa-1');
    await server?.close();
    await search({ TAVILY_API_KEY: 'tvly-1' }, () => ({ body: { results: [] } }));
    expect(server?.requests[0]?.headers.authorization).toBe('Bearer tvly-1');
  });

  it('drops what is no web address, what comes twice and what is too much', async () => {
    const results = [
      { title: 'js', url: 'javascript:alert(1)', content: '' },
      { title: 'one', url: 'https://a.example/', content: `x\u200b${'y'.repeat(900)}` },
      { title: 'again', url: 'https://a.example', content: '' },
      { title: 3, url: 'https://b.example/', content: null },
      { title: 'c', url: 'https://c.example/', content: '' },
    ];
    const result = await search({ TAVILY_API_KEY: 'k' }, () => ({ body: { results } }), { limit: 2 });
    const hits = (result.data as { results: { url: string; title: string; snippet: string }[] }).results;
    expect(hits.map(({ url }) => url)).toEqual(['https://a.example/', 'https://b.example/']);
    expect(hits[0]?.snippet).toMatch(/^xy+…$/);
    expect(hits[0]?.snippet.length).toBe(500);
    expect(hits[1]?.title).toBe('b.example');
  });

  it('goes on to the next one when one is out of quota, broken or unreadable, and says so', async () => {
    const keys = { TAVILY_API_KEY: 'tvly-secret-1', EXA_API_KEY: 'k', BRAVE_API_KEY: 'k' };
    const result = await search(keys, ({ path, headers }) => {
      if (headers.authorization)
        return {
          status: 429,
          headers: { 'retry-after': '30' },
          body: { detail: 'tvly-secret-1 is used up' },
        };
      return path.startsWith('/res') ? { body: { web: { results: [HIT] } } } : { body: 'no json' };
    });
    expect(result).toMatchObject({ data: { provider: 'Brave' } });
    const text = JSON.stringify(result.content);
    expect(text).toContain('Tavily answered 429: [secret:known] is used up Try again after 30 s.');
    expect(text).toContain('Exa answered in a form that is not known.');
    expect(text).not.toContain('tvly-secret-1');
  });
});

const PAGE = (rows: string) =>
  `<!doctype html><html><body><div id="links" class="results">${rows}</div></body></html>`;
const ROW = (title: string, url: string, words: string, more = '') =>
  `<div class="result results_links web-result ${more}"><div class="links_main result__body"><h2 class="result__title">
  <a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=ab">${title}</a></h2>
  <a class="result__snippet" href="//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}">${words}</a></div></div>`;

describe('web_search without a key', () => {
  const html =
    (body: string): LoopbackHandler =>
    () => ({ headers: { 'content-type': 'text/html' }, body });

  it('reads the page of DuckDuckGo, without its adverts', async () => {
    const page = PAGE(
      ROW('Buy pools', 'https://ads.example/', 'ad', 'result--ad') +
        ROW('Connection <b>pools</b>', 'https://docs.example/a?b=c&d=e', 'All &amp; <b>more</b>') +
        ROW('Second', 'https://second.example/', 'Words'),
    );
    const result = await search({}, html(page));
    expect(result.data).toEqual({
      provider: 'DuckDuckGo',
      results: [
        { title: 'Connection pools', url: 'https://docs.example/a?b=c&d=e', snippet: 'All & more' },
        { title: 'Second', url: 'https://second.example/', snippet: 'Words' },
      ],
    });
  });

  it('reads the lite page, and links whose classes have changed', async () => {
    const lite =
      PAGE(`<table><tr><td>1.</td><td><a class="result-link" href="https://lite.example/">Lite</a></td></tr>
      <tr><td></td><td class="result-snippet">Few words</td></tr></table>`);
    expect((await search({}, html(lite))).data).toMatchObject({
      results: [{ title: 'Lite', url: 'https://lite.example/', snippet: 'Few words' }],
    });
    await server?.close();
    const bare = PAGE('<p><a href="/l/?uddg=https%3A%2F%2Fbare.example%2F">Bare</a></p>');
    expect((await search({}, html(bare))).data).toMatchObject({
      results: [{ url: 'https://bare.example/' }],
    });
  });

  it('tells nothing found from a riddle', async () => {
    const none = await search({}, html(PAGE('<div class="no-results">No results found</div>')));
    expect(none).toMatchObject({ summary: '0 results from DuckDuckGo', data: { results: [] } });
    await server?.close();
    const riddle = await search({}, html(PAGE('<div class="anomaly-modal">Select all squares</div>')));
    expect(riddle).toMatchObject({ isError: true });
    expect(JSON.stringify(riddle.content)).toContain('TAVILY_API_KEY');
  });

  it('answers with an error when nothing can be asked', async () => {
    const result = await search({}, () => ({ status: 502, body: '<html>bad gateway</html>' }));
    expect(result).toMatchObject({ isError: true, summary: 'The web could not be searched.' });
  });
});

describe('web_search', () => {
  it('tells the gate what it does, and refuses what is no query', () => {
    expect(tool.deed?.({ query: 'x' })).toEqual({ sendsTo: ['web search'], brings: ['untrusted'] });
    expect(tool.input.safeParse({ query: '  ' }).success).toBe(false);
    expect(tool.input.safeParse({ query: 'x', page: 2 }).success).toBe(false);
  });
});
