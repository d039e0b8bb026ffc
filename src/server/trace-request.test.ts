import { describe, expect, it, onTestFinished } from 'vitest';
import { defineRoute, type OpenSpan, type Tracer } from '#spec/ports';
import { ask, ECHO_ROUTES, scriptedServer, TOKEN } from '#support/server/scripted-server';
import { readTraceparent } from './trace-request.ts';

type Begun = Parameters<Tracer['begin']>[0];
type Ended = Parameters<OpenSpan['end']>[0];

/** A server whose spans are kept here. */
async function traced() {
  const spans: { readonly begun: Begun; readonly ended: Ended }[] = [];
  const tracer: Tracer = {
    begin: (begun) => ({
      context: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true },
      end: (ended) => spans.push({ begun, ended }),
    }),
  };
  const fails = defineRoute({
    method: 'GET',
    path: '/fails',
    access: 'public',
    handle: () => Promise.reject(new Error('of our own')),
  });
  const shows = defineRoute({
    method: 'GET',
    path: '/shows',
    access: 'public',
    handle: ({ trace }) => Promise.resolve({ status: 200, body: { trace } }),
  });
  const server = await scriptedServer({ tracer, routes: [...ECHO_ROUTES, fails, shows] });
  onTestFinished(() => server.close());
  return { server, spans };
}
/** The end of a connection is told a little after the answer has come. */
const until = async (spans: readonly unknown[], count: number) => {
  while (spans.length < count) await new Promise((resolve) => setImmediate(resolve));
};

describe('a request', () => {
  it('is a span by its route, in the trace of its caller, without what its address says', async () => {
    const { server, spans } = await traced();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await ask(server, '/echo/read/a-name?token=secret', { token: TOKEN, headers: { traceparent } });
    await ask(server, '/echo/write/a-name', { method: 'POST' });
    await ask(server, '/fails');
    await until(spans, 3);
    expect(spans).toMatchObject([
      {
        begun: {
          name: 'GET /echo/read/:name',
          kind: 'server',
          parent: { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', sampled: true },
        },
        ended: {
          attributes: { 'http.route': '/echo/read/:name', 'http.response.status_code': 200 },
          error: undefined,
        },
      },
      {
        begun: { parent: undefined },
        ended: { attributes: { 'http.response.status_code': 401 }, error: undefined },
      },
      { ended: { attributes: { 'http.response.status_code': 500 }, error: '500' } },
    ]);
    expect(JSON.stringify(spans)).not.toMatch(/a-name|secret|of our own/);
  });

  it('is what its route hangs further spans on', async () => {
    const { server } = await traced();
    expect((await ask(server, '/shows')).json()).toMatchObject({ trace: { spanId: 'b'.repeat(16) } });
  });

  it('is none where nothing is done, or nobody knows what', async () => {
    const { server, spans } = await traced();
    for (const path of ['/healthz', '/readyz', '/metrics', '/nothing', '/'])
      await ask(server, path, { token: TOKEN });
    await ask(server, '/shows');
    await until(spans, 1);
    expect(spans.map(({ begun }) => begun.name)).toEqual(['GET /shows']);
  });
});

it.each([
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00', false],
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03', true],
  ['cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more', true],
  ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more', undefined],
  ['ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', undefined],
  ['00-00000000000000000000000000000000-b7ad6b7169203331-01', undefined],
  ['00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01', undefined],
  ['00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01', undefined],
  ['', undefined],
])('traceparent %s', (header, sampled) => {
  expect(readTraceparent(header)?.sampled).toBe(sampled);
});
