import { expect, it } from 'vitest';
import { describeConfig, listConfigValues } from './describe-config.ts';
import { ConfigSchema } from './schema.ts';

const keys = describeConfig();

it('describes every key in both languages', () => {
  const lacking = keys.filter(({ en, zh }) => !/^[A-Z].*$/.test(en) || !/\p{Script=Han}/u.test(zh));
  expect(lacking).toEqual([]);
  expect(keys.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      'language',
      'llm.model',
      'llm.timeouts.stall_s',
      'llm.credentials.keys',
      'llm.fallback[n].api_key',
      'memory.embed_api_key',
      'llm.tiers.simple_qa',
      'providers.*.headers.*',
      'prices.*.cacheWrite1h',
    ]),
  );
  expect(new Set(keys.map(({ path }) => path)).size).toBe(keys.length);
});

it('gives type, default and allowed values', () => {
  const key = (path: string) => keys.find((each) => each.path === path);
  expect(key('llm.max_retries')).toMatchObject({
    type: 'number',
    default: 3,
    allowed: 'a whole number from 0 to 10',
  });
  expect(key('llm.thinking')).toMatchObject({
    type: 'choice',
    default: 'off',
    allowed: 'off, low, medium, high',
  });
  expect(key('llm.fallback[n].provider')).toMatchObject({ type: 'text', required: true });
  expect(key('llm.model')).not.toHaveProperty('default');
  expect(keys.filter(({ secret }) => secret).map(({ path }) => path)).toEqual([
    'llm.api_key',
    'llm.credentials.keys',
    'llm.fallback[n].api_key',
    'memory.embed_api_key',
    'providers.*.api_key',
  ]);
});

it('lists values without secrets', () => {
  const config = ConfigSchema.parse({
    llm: { api_key: 'hunter2', credentials: { keys: ['hunter2', ''] } },
    providers: { a: { base_url: 'http://x', headers: { Authorization: 'hunter2' } } },
    prices: { 'gpt-4.1': { input: 1, output: 2 } },
  });
  const shown = Object.fromEntries(listConfigValues(config).map(({ path, value }) => [path, value]));
  expect(shown).toMatchObject({
    language: 'auto',
    'llm.api_key': '[set]',
    'llm.credentials.keys[0]': '[set]',
    'llm.credentials.keys[1]': '[not set]',
    'llm.fallback': [],
    'providers.a.headers.Authorization': '[set]',
    'prices["gpt-4.1"].input': 1,
  });
  expect(JSON.stringify(shown)).not.toContain('hunter2');
});
