import { expect, it } from 'vitest';
import { alertSources, openExecutors, openTelemetry } from '#adapters/backends';
import { saidBy } from './said.ts';

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
    const { en, zh } = saidBy(sentence);
    expect(en).toBe(sentence);
    expect(zh, sentence).toMatch(/[一-鿿]/);
    // What is to be set is named in both.
    for (const name of sentence.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? []) expect(zh).toContain(name);
  }
  await telemetry.close();
});

it('passes on what it does not know', () => {
  expect(saidBy('Something else.')).toEqual({ en: 'Something else.', zh: 'Something else.' });
});
