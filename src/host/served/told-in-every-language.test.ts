import { asText } from '#kit/text';
import { expect, it } from 'vitest';
import { alertSources } from '#adapters/alerts';
import { openExecutors } from '#adapters/executors';
import { openTelemetry } from '#adapters/telemetry';
import { freePort } from '#kit/free-port';
import { reachBook } from '#kit/reach-book';
import { chooseExecutors, UNREAD, unreadVariables } from '#config';

const place = { key: () => undefined, now: () => 0, folder: '/nowhere', settings: undefined };

it('knows everything that alert sources and backends say when nothing is set', async () => {
  const address = { base_url: 'http://127.0.0.1:1', token_key: 'A_TOKEN' };
  const telemetry = await openTelemetry(
    [
      { type: 'prometheus', ...address },
      { type: 'loki', ...address },
      { type: 'tempo', ...address },
      { type: 'jaeger', ...address },
    ],
    place,
  );
  const executors = await openExecutors(
    [
      { type: 'argocd', ...address },
      { type: 'custom_http', ...address },
      { type: 'kubernetes', api_url: 'http://127.0.0.1:1', token_key: 'A_TOKEN' },
    ],
    place,
  );
  const lacking = [...telemetry.listed, ...executors.listed].flatMap(({ missing }) => missing ?? []);
  expect(lacking).toHaveLength(7);
  const ways = (await alertSources()).flatMap((source) => source.missing?.(place) ?? []);
  expect(ways.length).toBeGreaterThanOrEqual(4);
  const sentences = [...lacking.flatMap(({ what, fix }) => [what, fix]), ...ways];
  for (const sentence of sentences) {
    const { en, zh } = asText(sentence);
    expect(zh, en).toMatch(/[一-鿿]/);
    // What is to be set is named in both.
    for (const name of en.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? []) expect(zh).toContain(name);
  }
  await telemetry.close();
});

it('knows what backends, executors and models say when they cannot be reached', async () => {
  const port = await freePort();
  const base_url = `http://127.0.0.1:${port}`;
  const set = { key: () => 'a-token', now: Date.now, folder: '/nowhere' };
  const remote = ['prometheus', 'loki', 'tempo', 'jaeger', 'argocd'].map((type) => ({ type, base_url }));
  const telemetry = await openTelemetry(
    [
      ...remote,
      { type: 'github', base_url, repositories: [{ repository: 'a/b' }] },
      { type: 'json_file', path: '/nowhere/deploys.json' },
    ],
    set,
  );
  const executors = await openExecutors(
    [
      { type: 'argocd', base_url },
      { type: 'custom_http', base_url },
      { type: 'kubernetes', api_url: base_url },
      { type: 'demo_file', state_file: '/nowhere/state.json' },
    ],
    set,
  );
  const book = reachBook(
    [
      ...[...telemetry.listed, ...executors.listed].map(({ probe }, at) => ({ id: String(at), probe })),
      { id: 'late', probe: () => new Promise<never>(() => undefined) },
    ],
    { now: Date.now, limitMs: 5_000 },
  );
  await book.askAll();
  const failing = book.all().flatMap(({ reach }) => (reach.state === 'failing' ? [reach] : []));
  expect(failing).toHaveLength(12);
  for (const sentence of failing.flatMap(({ because, fix }) => [because, ...(fix ? [fix] : [])]))
    expect(asText(sentence).zh).toMatch(/[一-鿿]/);
  await telemetry.close();
}, 60_000);

it('says the same of everything that nothing reads', () => {
  const sentences = [
    UNREAD,
    ...unreadVariables({ RUNBOOK_MODEL_NAM: 'x', RUNBOOK_ZZZZZZZZZZZ: 'x' }, { path: '.env', text: '' }).map(
      ({ message }) => message,
    ),
    ...[
      chooseExecutors({ ACTION_EXECUTION_BACKEND: 'kubernetes' }, [], ['kubernetes']),
      chooseExecutors({ ACTION_EXECUTION_BACKEND: 'x' }, [], ['kubernetes']),
      chooseExecutors({ ACTION_EXECUTION_BACKEND: 'custom_http' }, [], ['custom_http']),
    ].flatMap(({ lacking }) =>
      lacking.flatMap(({ missing }) => (missing ? [missing.what, missing.fix] : [])),
    ),
  ];
  expect(sentences).toHaveLength(9);
  for (const sentence of sentences) expect(asText(sentence).zh).toMatch(/[一-鿿]/);
});
