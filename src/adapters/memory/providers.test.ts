import { describe, expect, it } from 'vitest';
import { describeMemoryProvider, startHonchoServer, startMem0Server } from '#testkit/memory-provider';
import { memoryProviders } from './memory-providers.ts';
import { memoryProvider as honcho } from './providers/honcho.ts';
import { memoryProvider as mem0 } from './providers/mem0.ts';
import { outsideName } from './wire/outside-name.ts';

const KEY = 'right';
const keys = (values: Readonly<Record<string, string>>) => (name: string) => values[name];

describeMemoryProvider('honcho', async () => {
  const server = await startHonchoServer(KEY);
  return {
    server,
    open: (key = KEY) => honcho.open({ key: keys({ HONCHO_URL: server.url, HONCHO_API_KEY: key }), fetch }),
  };
});

for (const dialect of ['platform', 'self-hosted'] as const)
  describeMemoryProvider(`mem0, ${dialect}`, async () => {
    const server = await startMem0Server(KEY, dialect);
    const values = (key: string) => ({ MEM0_URL: `${server.url}/`, MEM0_API_KEY: key, MEM0_API: dialect });
    return { server, open: (key = KEY) => mem0.open({ key: keys(values(key)), fetch }) };
  });

describe('setting a provider up', () => {
  it('finds one of each file', async () => {
    expect((await memoryProviders()).map(({ name }) => name)).toEqual(['honcho', 'mem0']);
  });

  it('says what is missing', () => {
    for (const [kind, name] of [
      [honcho, 'HONCHO'],
      [mem0, 'MEM0'],
    ] as const) {
      expect(kind.missing(keys({}))?.fix).toContain(`${name}_API_KEY`);
      expect(kind.missing(keys({ [`${name}_URL`]: 'http://x' }))).toBeUndefined();
      expect(kind.missing(keys({ [`${name}_API_KEY`]: 'k' }))).toBeUndefined();
      expect(() => kind.open({ key: keys({ [`${name}_URL`]: 'nowhere' }), fetch })).toThrow(
        `${name}_URL is no address`,
      );
    }
  });

  it('goes to the hosted services without an address', async () => {
    const urls: string[] = [];
    const spy = (async (url: URL) => {
      urls.push(url.href);
      return new Response('[]');
    }) as typeof fetch;
    const audience = { source: 'cli', user: 'me', chat: 'x' };
    const signal = new AbortController().signal;
    for (const kind of [honcho, mem0])
      await kind
        .open({ key: keys({ HONCHO_API_KEY: 'k', MEM0_API_KEY: 'k' }), fetch: spy })
        .recall('q', audience, 3, signal);
    expect(urls).toEqual([
      'https://api.honcho.dev/v3/workspaces/hermes/conclusions/query',
      'https://api.mem0.ai/v2/memories/search/',
    ]);
  });

  it('names people so that no two are one', () => {
    const names = [
      ['a', 'b'],
      ['a_', 'b'],
      ['a', '_b'],
      ['a-', 'b'],
      ['a_-b'],
      ['a', 'B'],
      ['a', '林'],
      ['', ''],
    ].map((parts) => outsideName(...parts));
    expect(new Set(names).size).toBe(names.length);
    for (const name of [...names, outsideName('x', 'y'.repeat(500))])
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,100}$/);
    expect(outsideName('x', `${'y'.repeat(500)}1`)).not.toBe(outsideName('x', `${'y'.repeat(500)}2`));
  });
});
